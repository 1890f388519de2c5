package document

import (
	"strings"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
	room "equity/organization/document"
)

// item is the JSON form of a folder or a document.
type item struct {
	ID            room.ItemID       `json:"id"`
	Name          string            `json:"name"`
	Type          room.Type         `json:"type"`
	ParentFolder  *room.ItemID      `json:"parentFolder"`
	Size          *int64            `json:"size,omitempty"`
	Created       captable.Instant  `json:"created"`
	File          room.FileID       `json:"file,omitzero"`
	MediaType     string            `json:"mediaType,omitempty"`
	SHA256        string            `json:"sha256,omitempty"`
	VersionNumber int               `json:"versionNumber,omitempty"`
	Versions      int               `json:"versions,omitempty"`
	Scan          room.Scan         `json:"scan,omitempty"`
	Access        room.Access       `json:"access"`
	Source        *room.Source      `json:"source,omitempty"`
	DeletedAt     *captable.Instant `json:"deletedAt,omitempty"`
	CreatedBy     string            `json:"createdBy"`
	UpdatedAt     captable.Instant  `json:"updatedAt"`
	Version       uint64            `json:"version"`
	// Path has the readable folders of a found item, from the root.
	Path []pathFolder `json:"path,omitempty"`
}

// pathFolder is a folder of a path.
type pathFolder struct {
	ID   room.ItemID `json:"id"`
	Name string      `json:"name"`
}

// file is the JSON form of a stored file.
type file struct {
	*room.File
	Organization organization.ID `json:"organization"`
}

// show returns the JSON form of an item.
func show(tree *room.Tree, i *room.Item) item {
	record := item{
		ID: i.ID, Name: i.Name, Type: i.Type, Created: i.CreatedAt, Access: tree.Access(i), CreatedBy: i.CreatedBy,
		UpdatedAt: i.UpdatedAt, Version: i.Version,
	}
	if !i.Parent.IsZero() {
		record.ParentFolder = &i.Parent
	}
	if i.Source != (room.Source{}) {
		record.Source = &i.Source
	}
	if i.Deletion != nil {
		record.DeletedAt = &i.Deletion.At
	}
	if stored, ok := tree.File(i.File()); ok {
		record.File, record.Size, record.MediaType, record.SHA256, record.Scan = stored.ID, &stored.Size, stored.MediaType, stored.SHA256, stored.Scan
		record.VersionNumber, record.Versions = len(i.Versions), len(i.Versions)
	}
	return record
}

// viewer returns the caller as a reader of the data room.
func viewer(c *api.Call) room.Viewer {
	return c.Reader().Viewer()
}

// readable returns the live item of the path if the caller may read it. Other items are unknown to the caller.
func readable(c *api.Call) (*room.Item, error) {
	return readableWith(c, api.PathID[room.Item](c, "document"))
}

func readableWith(c *api.Call, id room.ItemID) (*room.Item, error) {
	tree := c.View.State.Documents()
	found, ok := tree.Item(id)
	if !ok || found.Deletion != nil || !tree.Access(found).Sees(viewer(c)) || !visible(c, id) {
		return nil, api.NotFound()
	}
	return found, nil
}

// visible reports whether the present access of an item permits the caller to read it. An earlier view must not show more.
func visible(c *api.Call, id room.ItemID) bool {
	tree := c.Present.State.Documents()
	found, ok := tree.Item(id)
	return !ok || tree.Access(found).Sees(viewer(c))
}

// tag returns the ETag of a list. It depends on the roles of the caller, because access names roles.
func tag(c *api.Call) string {
	return c.RecordTagWith(0, c.Present.Sequence, []byte(strings.Join(c.Member.Roles, "\x00")))
}
