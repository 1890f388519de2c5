package document

import (
	"slices"

	"equity/captable"
	"equity/fault"
)

// MemberID identifies a member of the organization.
type MemberID = captable.ID[captable.MemberKind]

// Mode is the kind of access to an item.
type Mode string

// The modes of access.
const (
	Inherit    Mode = "inherit"    // as for the folder
	Restricted Mode = "restricted" // only the named members and roles
)

const mostNamed = 1000

// Access restricts the readers of an item and of everything below it. Owners see every item.
type Access struct {
	Mode    Mode       `json:"mode"`
	Members []MemberID `json:"members,omitempty"`
	Roles   []string   `json:"roles,omitempty"`
	// Download permits the content as a file. Without it, the content is only displayed.
	Download bool `json:"download"`
	// Watermark stamps each page with the reader's name, address and time.
	Watermark bool `json:"watermark"`
}

// Viewer is a member who reads the data room.
type Viewer struct {
	Member MemberID
	Roles  []string
	// Owner sees every item. ViewDocuments sees the items that are not restricted.
	Owner, ViewDocuments bool
}

// AccessChanged records the access of an item.
type AccessChanged struct {
	ID     ItemID `json:"id"`
	Access Access `json:"access"`
}

// EventType returns the event's name in the journal.
func (AccessChanged) EventType() string { return "accessChanged" }

// Creates returns nil.
func (AccessChanged) Creates() []captable.Created { return nil }

// Records returns the item.
func (e AccessChanged) Records(t *Tree) []any { return t.itemRecord(e.ID) }

// SetAccess replaces the access of an item.
type SetAccess struct {
	ID ItemID
	Access
}

func (c SetAccess) decide(t *Tree, _ DecideContext) ([]Event, error) {
	if _, err := t.item(c.ID); err != nil {
		return nil, err
	}
	var faults fault.Fields
	switch {
	case c.Mode != Inherit && c.Mode != Restricted:
		faults.Add("/mode", "enum", "mode must be inherit or restricted.")
	case c.Mode == Inherit && len(c.Members)+len(c.Roles) > 0:
		faults.Add("/mode", "inherit", "members and roles need the mode restricted.")
	case len(c.Members)+len(c.Roles) > mostNamed:
		faults.Add("/members", "maxItems", "At most 1,000 members and roles can be named.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{AccessChanged{c.ID, c.Access}}, nil
}

func (e AccessChanged) apply(t *Tree, stamp captable.Stamp) {
	t.changeItem(e.ID, stamp, func(i *Item) {
		i.Access = &e.Access
		if e.Access.Mode == Inherit && e.Access.Download && !e.Access.Watermark {
			i.Access = nil
		}
	})
}

// Access returns the effective access of an item: the readers of the nearest restricted item on the path to the root, and the
// conditions of the nearest item with an access of its own.
func (t *Tree) Access(item *Item) Access {
	effective := Access{Mode: Inherit, Download: true}
	conditions := false
	path := append(t.Path(item), item)
	for _, each := range slices.Backward(path) {
		if each.Access == nil {
			continue
		}
		if !conditions {
			effective.Download, effective.Watermark, conditions = each.Access.Download, each.Access.Watermark, true
		}
		if each.Access.Mode == Restricted {
			effective.Mode, effective.Members, effective.Roles = Restricted, each.Access.Members, each.Access.Roles
			break
		}
	}
	return effective
}

// Sees reports whether the access permits the viewer to read.
func (a Access) Sees(viewer Viewer) bool {
	if viewer.Owner || a.Mode != Restricted {
		return viewer.Owner || viewer.ViewDocuments
	}
	return slices.Contains(a.Members, viewer.Member) ||
		slices.ContainsFunc(viewer.Roles, func(role string) bool { return slices.Contains(a.Roles, role) })
}

// Visible returns the live items of a folder that the viewer may read, folders first, then in the order of their names. They include
// the permitted items in folders below that the viewer may not read.
func (t *Tree) Visible(folder ItemID, viewer Viewer) []*Item {
	var folders, documents []*Item
	list := func(item *Item) {
		if item.Type == Folder {
			folders = append(folders, item)
		} else {
			documents = append(documents, item)
		}
	}
	above, _ := t.items.Get(folder)
	inherited := Access{Mode: Inherit, Download: true}
	if above != nil {
		inherited = t.Access(above)
	}
	var enter func(folder ItemID, inherited Access)
	enter = func(folder ItemID, inherited Access) {
		for item := range t.Children(folder) {
			access := inherited.under(item)
			switch sees := access.Sees(viewer); {
			case sees:
				list(item)
			case item.Type == Folder:
				enter(item.ID, access)
			}
		}
	}
	enter(folder, inherited)
	return append(folders, documents...)
}

// under returns the access of an item in a folder with the access.
func (a Access) under(item *Item) Access {
	switch own := item.Access; {
	case own == nil:
		return a
	case own.Mode == Restricted:
		return *own
	default:
		a.Download, a.Watermark = own.Download, own.Watermark
		return a
	}
}
