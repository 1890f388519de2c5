package persistence

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// keptFile identifies a file that an organization stores in particulars.
type keptFile struct {
	organization []byte
	field        string
}

// maxUnpacked bounds the searched bytes of a workbook. Imports have the same limit.
const maxUnpacked = 64 << 20

// filesNaming returns the stored files that contain the user's address. It reads all files, one at a time: a file may
// contain an address that the organization has since removed, or whose row was refused.
func (u *Users) filesNaming(ctx context.Context, user User) (found []keptFile, err error) {
	texts := [][]byte{[]byte(strings.ToLower(user.Email)), []byte(user.Entity.String())}
	err = each(ctx, u.db.reader, "search files", func(row Row) error {
		var file keptFile
		var content sql.RawBytes
		err := row.Scan(&file.organization, &file.field, &content)
		if err == nil && fileContainsAny(content, texts) {
			found = append(found, file)
		}
		return err
	}, `SELECT organization, field, value FROM particulars WHERE field LIKE 'import:%'`)
	return found, err
}

// fileContainsAny reports whether a file contains one of the texts in any case. It returns true for a file that cannot be read.
func fileContainsAny(value []byte, texts [][]byte) bool {
	var stored struct {
		Content []byte `json:"content"`
	}
	if json.Unmarshal(value, &stored) != nil {
		return true
	}
	archive, err := zip.NewReader(bytes.NewReader(stored.Content), int64(len(stored.Content)))
	if err != nil {
		return containsAny(stored.Content, texts)
	}
	left := int64(maxUnpacked)
	for _, part := range archive.File {
		opened, err := part.Open()
		if err != nil {
			return true
		}
		text, err := io.ReadAll(io.LimitReader(opened, left+1))
		if left -= int64(len(text)); errors.Join(err, opened.Close()) != nil || left < 0 || containsAny(text, texts) {
			return true
		}
	}
	return false
}

func containsAny(text []byte, texts [][]byte) bool {
	text = bytes.ToLower(text)
	for _, one := range texts {
		if len(one) > 0 && bytes.Contains(text, one) {
			return true
		}
	}
	return false
}

// answersOf returns the changes that remove stored responses to requests about the user, because they contain submitted data. A response that only
// contains the entity's id, such as a transfer of credit, is kept: its caller may repeat the request.
func answersOf(user User, engine Engine) (changes []change) {
	contains := "instr"
	if engine == PostgreSQL {
		contains = "strpos"
	}
	for _, text := range []string{strings.ToLower(user.Email), `"entity":"` + user.Entity.String() + `"`} {
		changes = append(changes, change{"erase answers", `DELETE FROM answered WHERE ` + contains + `(lower(answer), $1) > 0`, []any{text}, nil})
	}
	return changes
}
