package http

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/messages"
)

// keptFile is a file of rows as it was sent. It may say things about people, so it lies
// beside the journal, among the particulars: in the name of the organization itself, the
// last file of each kind.
type keptFile struct {
	Content []byte `json:"content"`
}

func keptField(kind string) string { return "import:" + kind }

// keeps is what stores the file with the events of its rows.
func (c *Call) keeps(kind string, file []byte) (messages.Particular, error) {
	value, err := json.Marshal(keptFile{file})
	if err != nil {
		return messages.Particular{}, fmt.Errorf("keep a file of %s: %w", kind, err)
	}
	return messages.Particular{Entity: captable.EntityID(c.Organization), Field: keptField(kind), Value: value}, nil
}

// getLastImport answers the file of the kind that was taken in last, to whom may take one in.
func (s *Server) getLastImport(ctx context.Context, c *Call, kind string) (Answer, error) {
	if !c.mayImport(kind) {
		return Answer{}, errForbidden()
	}
	own := captable.EntityID(c.Organization)
	all, err := s.index.Particulars(ctx, c.Organization, own)
	if err != nil {
		return Answer{}, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	value, found := all[own][keptField(kind)]
	if !found {
		return Answer{}, errNotFound()
	}
	var kept keptFile
	if err := json.Unmarshal(value, &kept); err != nil {
		return Answer{}, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	tag := c.contentTag(0, string(kept.Content))
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	answer := Answer{Rendered: kept.Content, ContentType: contentCSV, FileName: kind + ".csv", ETag: tag}
	if bytes.HasPrefix(kept.Content, []byte("PK")) { // an archive, as every XLSX is
		answer.ContentType, answer.FileName = contentXLSX, kind+".xlsx"
	}
	return answer, nil
}
