package membership

import (
	"context"
	"encoding/json"
	"fmt"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// storedFile is an imported file of rows. It may contain personal data, so it is stored with the
// particulars, not in the journal. The organization keeps the last file of each kind.
type storedFile struct {
	Content []byte `json:"content"`
}

func fileField(kind string) string { return "import:" + kind }

// keptFile returns the particular that stores the file together with the events of its rows.
func keptFile(id organization.ID, file File) (messages.Particular, error) {
	value, err := json.Marshal(storedFile{file.Content})
	if err != nil {
		return messages.Particular{}, fmt.Errorf("keep a file of %s: %w", file.Kind, err)
	}
	return messages.Particular{Entity: captable.EntityID(id), Field: fileField(file.Kind), Value: value}, nil
}

// LastFile returns the last imported file of the kind. It requires the permission to import that
// kind.
func (s *Service) LastFile(ctx context.Context, id organization.ID, permissions organization.Permissions, kind string) ([]byte, error) {
	if !MayImport(permissions, kind) {
		return nil, fault.Refuse(fault.Forbidden, "Your roles do not permit this operation.")
	}
	own := captable.EntityID(id)
	all, err := s.Index.Particulars(ctx, id, own)
	if err != nil {
		return nil, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	value, found := all[own][fileField(kind)]
	if !found {
		return nil, fault.Refuse(fault.NotFound, "There is no such record.")
	}
	var stored storedFile
	if err := json.Unmarshal(value, &stored); err != nil {
		return nil, fmt.Errorf("read the last file of %s: %w", kind, err)
	}
	return stored.Content, nil
}
