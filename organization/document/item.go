package document

import (
	"slices"

	"equity/captable"
)

// ItemID identifies a folder or a document.
type ItemID = captable.ID[Item]

// Type is the type of an item.
type Type string

// The types of items.
const (
	Folder   Type = "folder"
	Document Type = "file"
)

// Version is one content of a document. The first has the number 1.
type Version struct {
	File      FileID           `json:"file"`
	CreatedAt captable.Instant `json:"createdAt"`
	CreatedBy string           `json:"createdBy"`
}

// Source is the origin of an item.
type Source struct {
	// Kind is upload, drive or import.
	Kind       string `json:"kind"`
	ExternalID string `json:"externalId,omitempty"`
}

// Deletion states that an item is in the trash.
type Deletion struct {
	At captable.Instant `json:"at"`
	By string           `json:"by"`
	// Root is the deleted item: the item itself or a folder above it.
	Root ItemID `json:"root"`
}

// Item is a folder or a document. The record is immutable.
type Item struct {
	ID   ItemID `json:"id"`
	Type Type   `json:"type"`
	Name string `json:"name"`
	// Parent is the folder; zero at the root.
	Parent   ItemID    `json:"parent,omitzero"`
	Versions []Version `json:"versions,omitempty"`
	// Access is the own access of the item; nil if it inherits that of its folder.
	Access    *Access   `json:"access,omitempty"`
	Source    Source    `json:"source,omitzero"`
	Deletion  *Deletion `json:"deletion,omitempty"`
	CreatedBy string    `json:"createdBy"`
	captable.Meta
}

// File returns the file of the current version; zero for a folder.
func (i *Item) File() FileID {
	if len(i.Versions) == 0 {
		return FileID{}
	}
	return i.Versions[len(i.Versions)-1].File
}

// FolderCreated records a new folder.
type FolderCreated struct {
	ID      ItemID  `json:"id"`
	Name    string  `json:"name"`
	Parent  ItemID  `json:"parent,omitzero"`
	Storage Storage `json:"storage,omitempty"`
	// Outside is the item of another storage after the event, or before its deletion. It is absent in older events.
	Outside *Outside `json:"outside,omitempty"`
}

// EventType returns the event's name in the journal.
func (FolderCreated) EventType() string { return "folderCreated" }

// Creates returns the folder.
func (e FolderCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kindItem}}
}

// Records returns the folder.
func (e FolderCreated) Records(t *Tree) []any { return t.recordOf(e.ID, e.Storage, e.Outside) }

// Added records a new document.
type Added struct {
	ID      ItemID  `json:"id"`
	Name    string  `json:"name"`
	Parent  ItemID  `json:"parent,omitzero"`
	File    FileID  `json:"file"`
	Source  Source  `json:"source,omitzero"`
	Storage Storage `json:"storage,omitempty"`
	// Outside is the item of another storage after the event, or before its deletion. It is absent in older events.
	Outside *Outside `json:"outside,omitempty"`
}

// EventType returns the event's name in the journal.
func (Added) EventType() string { return "documentAdded" }

// Creates returns the document.
func (e Added) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: kindItem}}
}

// Records returns the document.
func (e Added) Records(t *Tree) []any { return t.recordOf(e.ID, e.Storage, e.Outside) }

// Versioned records a new version of a document.
type Versioned struct {
	ID      ItemID  `json:"id"`
	File    FileID  `json:"file"`
	Storage Storage `json:"storage,omitempty"`
	// Outside is the item of another storage after the event, or before its deletion. It is absent in older events.
	Outside *Outside `json:"outside,omitempty"`
}

// EventType returns the event's name in the journal.
func (Versioned) EventType() string { return "documentVersioned" }

// Creates returns nil.
func (Versioned) Creates() []captable.Created { return nil }

// Records returns the document.
func (e Versioned) Records(t *Tree) []any { return t.recordOf(e.ID, e.Storage, e.Outside) }

// Moved records a new folder or a new name of an item.
type Moved struct {
	ID      ItemID  `json:"id"`
	Name    string  `json:"name"`
	Parent  ItemID  `json:"parent,omitzero"`
	Storage Storage `json:"storage,omitempty"`
	// Outside is the item of another storage after the event, or before its deletion. It is absent in older events.
	Outside *Outside `json:"outside,omitempty"`
}

// EventType returns the event's name in the journal.
func (Moved) EventType() string { return "documentMoved" }

// Creates returns nil.
func (Moved) Creates() []captable.Created { return nil }

// Records returns the item.
func (e Moved) Records(t *Tree) []any { return t.recordOf(e.ID, e.Storage, e.Outside) }

// Deleted records that an item is in the trash, with everything below it.
type Deleted struct {
	ID      ItemID  `json:"id"`
	Storage Storage `json:"storage,omitempty"`
	// Outside is the item of another storage after the event, or before its deletion. It is absent in older events.
	Outside *Outside `json:"outside,omitempty"`
}

// EventType returns the event's name in the journal.
func (Deleted) EventType() string { return "documentDeleted" }

// Creates returns nil.
func (Deleted) Creates() []captable.Created { return nil }

// Records returns the item.
func (e Deleted) Records(t *Tree) []any { return t.recordOf(e.ID, e.Storage, e.Outside) }

// Restored records that an item is live again, with everything that was deleted with it.
type Restored struct {
	ID ItemID `json:"id"`
	// Parent is the folder: the previous one, or the root if that one is deleted.
	Parent ItemID `json:"parent,omitzero"`
}

// EventType returns the event's name in the journal.
func (Restored) EventType() string { return "documentRestored" }

// Creates returns nil.
func (Restored) Creates() []captable.Created { return nil }

// Records returns the item.
func (e Restored) Records(t *Tree) []any { return t.itemRecord(e.ID) }

// recordOf returns the item of an event: that of the tree, or that of another storage.
func (t *Tree) recordOf(id ItemID, storage Storage, outside *Outside) []any {
	switch {
	case storage == "":
		return t.itemRecord(id)
	case outside == nil:
		return nil
	}
	return []any{outside}
}

func (t *Tree) itemRecord(id ItemID) []any {
	if item, ok := t.items.Get(id); ok {
		return []any{item}
	}
	return nil
}

func (e FolderCreated) apply(t *Tree, stamp captable.Stamp) {
	t.setItem(&Item{ID: e.ID, Type: Folder, Name: e.Name, Parent: e.Parent, CreatedBy: stamp.By, Meta: captable.NewMeta(stamp)})
}

func (e Added) apply(t *Tree, stamp captable.Stamp) {
	t.setItem(&Item{
		ID: e.ID, Type: Document, Name: e.Name, Parent: e.Parent, Versions: []Version{{e.File, stamp.At, stamp.By}}, Source: e.Source,
		CreatedBy: stamp.By, Meta: captable.NewMeta(stamp),
	})
}

func (e Versioned) apply(t *Tree, stamp captable.Stamp) {
	t.changeItem(e.ID, stamp, func(i *Item) {
		i.Versions = append(slices.Clip(i.Versions), Version{e.File, stamp.At, stamp.By})
	})
}

func (e Moved) apply(t *Tree, stamp captable.Stamp) {
	t.changeItem(e.ID, stamp, func(i *Item) { i.Name, i.Parent = e.Name, e.Parent })
}

func (e Deleted) apply(t *Tree, stamp captable.Stamp) {
	item, ok := t.items.Get(e.ID)
	if !ok {
		return
	}
	for _, each := range t.below(item, func(i *Item) bool { return i.Deletion == nil }) {
		t.changeItem(each.ID, stamp, func(i *Item) { i.Deletion = &Deletion{stamp.At, stamp.By, e.ID} })
	}
}

func (e Restored) apply(t *Tree, stamp captable.Stamp) {
	item, ok := t.items.Get(e.ID)
	if !ok {
		return
	}
	for _, each := range t.below(item, func(i *Item) bool { return i.Deletion != nil && i.Deletion.Root == e.ID }) {
		t.changeItem(each.ID, stamp, func(i *Item) { i.Deletion = nil })
	}
	t.changeItem(e.ID, stamp, func(i *Item) { i.Parent = e.Parent })
}
