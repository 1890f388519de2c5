package document

import (
	"equity/captable"
	"equity/fault"
)

// Copy is a copy of a file of another store. Its bytes are stored before.
type Copy struct {
	Content
	// Source identifies the file in the other store.
	Source Source
	// Document is the existing copy, or zero for a new one.
	Document ItemID
	// Parent is the folder of a new copy.
	Parent ItemID
}

// AddCopies adds new copies of files of another store, and new versions of existing copies: all of them or none. A copy whose current
// version has the same bytes does not change. A new copy whose name is taken gets a number.
type AddCopies struct{ Copies []Copy }

// PlaceCopy moves a copy or a folder to a name in a folder. If the name is taken, it gets a number.
type PlaceCopy struct {
	ID     ItemID
	Name   string
	Parent ItemID
}

func (c AddCopies) decide(t *Tree, m DecideContext) ([]Event, error) {
	scratch := t.Copy()
	var events []Event
	record := func(event Event) {
		events = append(events, event)
		scratch.Apply(event, captable.Stamp{At: captable.InstantOf(m.Now)})
	}
	for _, each := range c.Copies {
		content, err := each.checked("/file")
		if err != nil {
			return nil, err
		}
		if each.Document.IsZero() {
			if err := each.add(scratch, m, content, record); err != nil {
				return nil, err
			}
			continue
		}
		item, err := scratch.item(each.Document)
		if err != nil {
			return nil, err
		}
		if item.Type == Folder {
			return nil, fault.Refuse(CodeIsFolder, "This item is a folder and has no versions. Choose a document.")
		}
		if current, ok := scratch.files.Get(item.File()); ok && current.SHA256 == content.SHA256 {
			continue
		}
		stored := FileStored{ID: m.NewID(), Content: content}
		record(stored)
		record(Versioned{ID: item.ID, File: stored.ID})
	}
	return events, nil
}

// add adds a document.
func (c Copy) add(t *Tree, m DecideContext, content Content, record func(Event)) error {
	if err := t.folder(c.Parent, "/parentFolder"); err != nil {
		return err
	}
	if err := t.fits(1, 0); err != nil {
		return err
	}
	stored := FileStored{ID: m.NewID(), Content: content}
	record(stored)
	record(Added{ID: m.NewID(), Name: t.free(c.Parent, content.Name, ItemID{}), Parent: c.Parent, File: stored.ID, Source: c.Source})
	return nil
}

// free returns the name, with a number if another item of the folder has it.
func (t *Tree) free(folder ItemID, name string, self ItemID) string {
	chosen := name
	for number := 2; ; number++ {
		if taken, ok := t.Named(folder, chosen); !ok || taken.ID == self {
			return chosen
		}
		chosen = numbered(name, number)
	}
}

func (c PlaceCopy) decide(t *Tree, m DecideContext) ([]Event, error) {
	name, err := cleanName(c.Name, "/name")
	if err != nil {
		return nil, err
	}
	if err := t.folder(c.Parent, "/parentFolder"); err != nil {
		return nil, err
	}
	name = t.free(c.Parent, name, c.ID)
	return Move{ID: c.ID, Name: &name, Parent: &c.Parent}.decide(t, m)
}
