package messages

import (
	"time"

	"equity/organization"
	"equity/organization/document"
)

// DocumentView is a reading of a document by a user, or through a share.
type DocumentView struct {
	// ID is unique. The ids of later readings are greater.
	ID       [16]byte
	Document document.ItemID
	At       time.Time
	User     organization.UserID
	Share    document.ShareID
	// Email is the address of the reader of a share.
	Email   string
	Version int
	// Kind is view or download.
	Kind  string
	Bytes int64
}
