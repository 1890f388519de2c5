package document

import (
	"errors"

	"equity/fault"
)

// Storage is a store of documents outside of the data room. An event of such a document has it, and changes no record of the tree.
type Storage string

// OfficeSuite is the office suite of the operator.
const OfficeSuite Storage = "officeSuite"

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
