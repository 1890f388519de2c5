package persistence

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// keptFile names a file of rows that an organization keeps.
type keptFile struct {
	organization []byte
	field        string
}

// mostUnpacked bounds the bytes of a workbook that are searched; imports take in no larger one.
const mostUnpacked = 64 << 20

// filesNaming finds the kept files that hold the user's address. It reads all of them, one at a time: an address may
// stand in a file although the organization no longer knows it, or refused its row.
func (u *Users) filesNaming(ctx context.Context, user User) (found []keptFile, err error) {
	rows, err := u.db.reader.QueryContext(ctx, `SELECT organization, field, value FROM particulars WHERE field LIKE 'import:%'`)
	if err != nil {
		return nil, fmt.Errorf("search files: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sought := [][]byte{[]byte(strings.ToLower(user.Email)), []byte(user.Entity.String())}
	for rows.Next() {
		var file keptFile
		var value sql.RawBytes
		if err := rows.Scan(&file.organization, &file.field, &value); err != nil {
			return nil, fmt.Errorf("search files: %w", err)
		}
		if holdsAny(value, sought) {
			found = append(found, file)
		}
	}
	return found, during("search files", rows.Err())
}

// holdsAny reports whether a kept file holds one of the texts in any case. A file that cannot be read counts as holding them.
func holdsAny(value []byte, sought [][]byte) bool {
	var kept struct {
		Content []byte `json:"content"`
	}
	if json.Unmarshal(value, &kept) != nil {
		return true
	}
	archive, err := zip.NewReader(bytes.NewReader(kept.Content), int64(len(kept.Content)))
	if err != nil {
		return containsAny(kept.Content, sought)
	}
	left := int64(mostUnpacked)
	for _, part := range archive.File {
		opened, err := part.Open()
		if err != nil {
			return true
		}
		text, err := io.ReadAll(io.LimitReader(opened, left+1))
		if left -= int64(len(text)); errors.Join(err, opened.Close()) != nil || left < 0 || containsAny(text, sought) {
			return true
		}
	}
	return false
}

func containsAny(text []byte, sought [][]byte) bool {
	text = bytes.ToLower(text)
	for _, one := range sought {
		if len(one) > 0 && bytes.Contains(text, one) {
			return true
		}
	}
	return false
}

// forgetAnswersOf removes remembered answers to requests about the user, which hold what they entered. An answer that only names
// their entity as a party, such as a transfer of credit, stays: its caller may repeat the request.
func (u *Users) forgetAnswersOf(ctx context.Context, tx *sql.Tx, user User) error {
	contains := "instr"
	if u.db.engine == PostgreSQL {
		contains = "strpos"
	}
	for _, text := range []string{strings.ToLower(user.Email), `"entity":"` + user.Entity.String() + `"`} {
		if _, err := affect(ctx, tx, "erase answers", `DELETE FROM answered WHERE `+contains+`(lower(answer), $1) > 0`, text); err != nil {
			return err
		}
	}
	return nil
}
