package messages

import (
	"io"
	"time"

	"equity/organization/document"
)

// OfficeItem is a folder or a document of an organization in the office suite.
type OfficeItem struct {
	ID document.ItemID
	// Key is the id in the office suite. It is not for clients.
	Key    string
	Parent document.ItemID // zero for the folder of the organization
	Name   string
	Folder bool
	Size   int64
	// MediaType and SHA256 are those of a document; SHA256 is empty if the office suite has none.
	MediaType, SHA256 string
	// Tag changes with each change of the item. Version is a part of it.
	Tag       string
	Version   uint64
	Infected  bool
	CreatedBy string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// OfficeContent is the content of a document in the office suite, or a range of it.
type OfficeContent struct {
	Body io.ReadCloser
	// Size is the number of bytes of the body; -1 if it is unknown.
	Size int64
	// Range is the value of Content-Range; empty for the complete content.
	Range string
}

// OfficeEntry is the mapping of an item of the office suite to our id.
type OfficeEntry struct {
	ID        document.ItemID
	Key       string
	CreatedBy string
}

// OfficeUpload is a document to be stored in the office suite.
type OfficeUpload struct {
	Name       string
	Open       func() io.Reader
	Size       int64
	OnConflict document.OnConflict
	// Author is the author of a new document.
	Author string
}
