package document

import (
	"errors"

	"equity/captable"
	"equity/fault"
)

// Storage is a store of documents outside of the data room. An event of such a document has it, and changes no record of the tree.
type Storage string

// OfficeSuite is the office suite of the operator.
const OfficeSuite Storage = "officeSuite"

// Outside is a folder or a document of another storage, as its event describes it. The tree has no record of it.
type Outside struct {
	ID   ItemID `json:"id"`
	Type Type   `json:"type"`
	Name string `json:"name"`
	// Parent is the folder; zero for the folder of the organization.
	Parent ItemID `json:"parent,omitzero"`
	// Size, MediaType and SHA256 are those of a document. SHA256 is empty if the storage has no hash.
	Size      int64            `json:"size,omitzero"`
	MediaType string           `json:"mediaType,omitempty"`
	SHA256    string           `json:"sha256,omitempty"`
	CreatedBy string           `json:"createdBy"`
	CreatedAt captable.Instant `json:"createdAt"`
	UpdatedAt captable.Instant `json:"updatedAt"`
	// Version is that of the storage.
	Version uint64 `json:"version"`
}

// CodeNotInSuite refuses functions of the data room that an office suite does not have.
const CodeNotInSuite fault.Code = "notInOfficeSuite"

// RecordOutside records completed changes of documents outside of the data room.
type RecordOutside struct{ Changes []Event }

var errInside = errors.New("a change has no storage")

func (c RecordOutside) decide(*Tree, DecideContext) ([]Event, error) {
	for _, change := range c.Changes {
		if storageOf(change) == "" {
			return nil, errInside
		}
	}
	return c.Changes, nil
}

// storageOf returns the storage of an event; empty for the data room.
func storageOf(event Event) Storage {
	switch e := event.(type) {
	case FileStored:
		return e.Storage
	case FolderCreated:
		return e.Storage
	case Added:
		return e.Storage
	case Versioned:
		return e.Storage
	case Moved:
		return e.Storage
	case Deleted:
		return e.Storage
	}
	return ""
}
