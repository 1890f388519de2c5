package document

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
)

// OnConflict is the treatment of an uploaded file with the name of a document in its folder.
type OnConflict string

// The treatments of conflicts.
const (
	// NewVersion adds a version to the document.
	NewVersion OnConflict = "version"
	// Rename adds a document with a number in its name.
	Rename OnConflict = "rename"
	// RefuseName refuses the upload.
	RefuseName OnConflict = "refuse"
)

// CreateFolder creates a folder.
type CreateFolder struct {
	Name   string `json:"name"`
	Parent ItemID `json:"parentFolder"`
}

// AddDocuments adds files to a folder: all of them or none. Their bytes are stored before.
type AddDocuments struct {
	Parent ItemID
	// Path lists folders below the parent. Missing ones are created.
	Path       []string
	Files      []Content
	OnConflict OnConflict
	Source     Source
}

// Move changes the name or the folder of an item.
type Move struct {
	ID     ItemID
	Name   *string
	Parent *ItemID
}

// Delete moves an item to the trash, with everything below it.
type Delete struct{ ID ItemID }

// Restore returns an item from the trash.
type Restore struct{ ID ItemID }

func (c CreateFolder) decide(t *Tree, m DecideContext) ([]Event, error) {
	name, err := cleanName(c.Name, "/name")
	if err != nil {
		return nil, err
	}
	if err := t.accepts(c.Parent, name, ItemID{}); err != nil {
		return nil, err
	}
	if err := t.fits(1, t.depth(c.Parent)+1); err != nil {
		return nil, err
	}
	return []Event{FolderCreated{ID: m.NewID(), Name: name, Parent: c.Parent}}, nil
}

// accepts checks that the folder exists and has no other item with the name.
func (t *Tree) accepts(folder ItemID, name string, self ItemID) error {
	if err := t.folder(folder, "/parentFolder"); err != nil {
		return err
	}
	if taken, ok := t.Named(folder, name); ok && taken.ID != self {
		return fault.Refuse(CodeNameTaken,
			"The folder has another item with this name. Choose another name, or rename that item.").With("document", taken.ID.String())
	}
	return nil
}

// fits checks the limits for added items at the depth.
func (t *Tree) fits(added, depth int) error {
	switch {
	case depth > mostDepth:
		return fault.Refuse(CodeLimit, "A data room has at most 20 levels of folders.")
	case t.live+added > mostItems:
		return fault.Refuse(CodeLimit, "A data room has at most 20,000 items.")
	default:
		return nil
	}
}

func (c AddDocuments) decide(t *Tree, m DecideContext) ([]Event, error) {
	if err := t.folder(c.Parent, "/parentFolder"); err != nil {
		return nil, err
	}
	scratch := t.Copy()
	var events []Event
	record := func(event Event) {
		events = append(events, event)
		scratch.Apply(event, captable.Stamp{At: captable.InstantOf(m.Now)})
	}
	folder, err := c.enter(scratch, m, record)
	if err != nil {
		return nil, err
	}
	for _, file := range c.Files {
		content, err := file.checked("/file")
		if err != nil {
			return nil, err
		}
		if err := c.add(scratch, m, folder, content, record); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// enter returns the folder at the path and creates missing folders.
func (c AddDocuments) enter(t *Tree, m DecideContext, record func(Event)) (ItemID, error) {
	folder := c.Parent
	for _, name := range c.Path {
		name, err := cleanName(name, "/path")
		if err != nil {
			return ItemID{}, err
		}
		switch found, ok := t.Named(folder, name); {
		case ok && found.Type != Folder:
			return ItemID{}, fault.Refuse(CodeNameTaken,
				"A document has the name "+name+". Choose another name for the folder.").With("document", found.ID.String())
		case ok:
			folder = found.ID
		default:
			if err := t.fits(1, t.depth(folder)+1); err != nil {
				return ItemID{}, err
			}
			created := FolderCreated{ID: m.NewID(), Name: name, Parent: folder}
			record(created)
			folder = created.ID
		}
	}
	return folder, nil
}

// add adds one file to the folder.
func (c AddDocuments) add(t *Tree, m DecideContext, folder ItemID, content Content, record func(Event)) error {
	name := content.Name
	taken, conflict := t.Named(folder, name)
	stored := FileStored{ID: m.NewID(), Content: content}
	switch {
	case conflict && c.OnConflict == NewVersion && taken.Type == Document:
		record(stored)
		record(Versioned{ID: taken.ID, File: stored.ID})
		return nil
	case conflict && c.OnConflict == Rename:
		for number := 2; conflict; number++ {
			name = numbered(content.Name, number)
			_, conflict = t.Named(folder, name)
		}
	case conflict:
		return fault.Refuse(CodeNameTaken,
			"The folder has another item with the name "+name+". Choose another name for the file.").With("document", taken.ID.String())
	}
	if err := t.fits(1, 0); err != nil {
		return err
	}
	record(stored)
	record(Added{ID: m.NewID(), Name: name, Parent: folder, File: stored.ID, Source: c.Source})
	return nil
}

func (c Move) decide(t *Tree, _ DecideContext) ([]Event, error) {
	item, err := t.item(c.ID)
	if err != nil {
		return nil, err
	}
	moved := Moved{ID: c.ID, Name: item.Name, Parent: item.Parent}
	if c.Name != nil {
		if moved.Name, err = cleanName(*c.Name, "/name"); err != nil {
			return nil, err
		}
	}
	if c.Parent != nil {
		moved.Parent = *c.Parent
	}
	if moved.Name == item.Name && moved.Parent == item.Parent {
		return nil, nil
	}
	if err := t.accepts(moved.Parent, moved.Name, c.ID); err != nil {
		return nil, err
	}
	if err := t.acceptsMove(item, moved.Parent); err != nil {
		return nil, err
	}
	return []Event{moved}, nil
}

// acceptsMove checks that the folder is not the item or below it, and that the depth stays within the limit.
func (t *Tree) acceptsMove(item *Item, folder ItemID) error {
	if folder == item.Parent || item.Type == Document {
		return nil
	}
	target, ok := t.items.Get(folder)
	if ok && (target.ID == item.ID || slices.ContainsFunc(t.Path(target), func(above *Item) bool { return above.ID == item.ID })) {
		return fault.Refuse(CodeCycle, "A folder cannot be moved into itself.")
	}
	deepest, own := 0, len(t.Path(item))
	for _, each := range t.below(item, func(i *Item) bool { return i.Deletion == nil && i.Type == Folder }) {
		deepest = max(deepest, len(t.Path(each))-own)
	}
	return t.fits(0, t.depth(folder)+1+deepest)
}

func (c Delete) decide(t *Tree, m DecideContext) ([]Event, error) {
	item, err := t.item(c.ID)
	if err != nil {
		return nil, err
	}
	var used []string
	for _, each := range t.below(item, func(i *Item) bool { return i.Deletion == nil }) {
		for _, version := range each.Versions {
			used = append(used, m.References(version.File)...)
		}
	}
	if len(used) > 0 {
		slices.Sort(used)
		return nil, fault.Refuse(fault.InUse,
			"Other records use the document: "+strings.Join(slices.Compact(used), ", ")+". Remove it from them first.")
	}
	return []Event{Deleted{ID: c.ID}}, nil
}

func (c Restore) decide(t *Tree, m DecideContext) ([]Event, error) {
	item, ok := t.items.Get(c.ID)
	switch {
	case !ok, ok && item.Deletion == nil:
		return nil, fault.Refuse(fault.NotFound, "The trash does not contain the document.")
	case item.Deletion.Root != c.ID:
		return nil, fault.Refuse(fault.Conflict, "The document was deleted with its folder. Restore the folder.").
			With("document", item.Deletion.Root.String())
	case item.Deletion.expired(m.Now):
		return nil, fault.Refuse(fault.NotFound, "The document was in the trash for more than 30 days.")
	}
	parent := item.Parent
	if t.folder(parent, "") != nil {
		parent = ItemID{}
	}
	if err := t.accepts(parent, item.Name, c.ID); err != nil {
		return nil, err
	}
	restored := t.below(item, func(i *Item) bool { return i.Deletion != nil && i.Deletion.Root == c.ID })
	deepest, own := 0, len(t.Path(item))
	for _, each := range restored {
		if each.Type == Folder {
			deepest = max(deepest, len(t.Path(each))-own+1)
		}
	}
	if err := t.fits(len(restored), t.depth(parent)+deepest); err != nil {
		return nil, err
	}
	return []Event{Restored{ID: c.ID, Parent: parent}}, nil
}
