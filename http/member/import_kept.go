package member

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

// keptFile is an imported file of rows. It may contain personal data, so it is stored with the
// particulars, not in the journal. The organization keeps the last file of each kind.
type keptFile struct {
	Content []byte `json:"content"`
}

func keptField(kind string) string { return "import:" + kind }

// keeps returns the particular that stores the file together with the events of its rows.
func keeps(c *api.Call, kind string, file []byte) (messages.Particular, error) {
	value, err := json.Marshal(keptFile{file})
	if err != nil {
		return messages.Particular{}, fmt.Errorf("keep a file of %s: %w", kind, err)
	}
	return messages.Particular{Entity: captable.EntityID(c.Organization), Field: keptField(kind), Value: value}, nil
}

// getLastImport returns the last imported file of the kind. It requires the permission to import that
// kind.
func (s imports) getLastImport(ctx context.Context, c *api.Call, kind string) (api.Answer, error) {
	if !mayImport(c, kind) {
		return api.Answer{}, api.Forbidden()
	}
	own := captable.EntityID(c.Organization)
	all, err := s.Index.Particulars(ctx, c.Organization, own)
	if err != nil {
		return api.Answer{}, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	value, found := all[own][keptField(kind)]
	if !found {
		return api.Answer{}, api.NotFound()
	}
	var kept keptFile
	if err := json.Unmarshal(value, &kept); err != nil {
		return api.Answer{}, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	tag := c.ContentTag(0, string(kept.Content))
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	answer := api.Answer{Rendered: kept.Content, ContentType: api.ContentCSV, FileName: kind + ".csv", ETag: tag}
	if bytes.HasPrefix(kept.Content, []byte("PK")) { // an archive; XLSX files are archives
		answer.ContentType, answer.FileName = api.ContentXLSX, kind+".xlsx"
	}
	return answer, nil
}
