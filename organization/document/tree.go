package document

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"equity/captable"
	"equity/captable/sorted"
	"equity/fault"
)

// The limits of a data room.
const (
	mostItems = 20_000
	mostDepth = 20
)

// Tree is the data room of an organization with its files. Copies share their contents until one of them changes.
type Tree struct {
	items  captable.Records[Item, Item]
	files  captable.Records[File, File]
	shares captable.Records[Share, Share]
	// names orders the live items by folder and compared name.
	names sorted.Set[place]
	// inside orders all items by folder, with the deleted ones.
	inside sorted.Set[place]
	// hashes counts the stored files of each content.
	hashes sorted.Map[int]
	// stored is the number of bytes of these contents.
	stored int64
	// external orders the live copies of files of other stores by their ids there.
	external sorted.Set[origin]
	live     int
	failed   int // scans
}

// origin is the id of a file in another store, with its copy.
type origin struct {
	external string
	id       ItemID
}

func (o origin) less(other origin) bool {
	return cmp.Or(cmp.Compare(o.external, other.external), bytes.Compare(o.id[:], other.id[:])) < 0
}

// place is the position of an item.
type place struct {
	parent ItemID
	name   string
	id     ItemID
}

func (p place) less(other place) bool {
	return cmp.Or(bytes.Compare(p.parent[:], other.parent[:]), cmp.Compare(p.name, other.name), bytes.Compare(p.id[:], other.id[:])) < 0
}

// NewTree returns an empty data room.
func NewTree() *Tree {
	return &Tree{
		items: captable.NewRecords[Item, Item](), files: captable.NewRecords[File, File](), shares: captable.NewRecords[Share, Share](),
		names: sorted.NewSet(place.less), inside: sorted.NewSet(place.less), hashes: sorted.NewMap[int](),
		external: sorted.NewSet(origin.less),
	}
}

// Copy returns a copy for another goroutine to read or change.
func (t *Tree) Copy() *Tree {
	c := *t
	c.items, c.files, c.shares = t.items.Copy(), t.files.Copy(), t.shares.Copy()
	c.names, c.inside, c.hashes, c.external = t.names.Copy(), t.inside.Copy(), t.hashes.Copy(), t.external.Copy()
	return &c
}

// Len returns the number of live items.
func (t *Tree) Len() int { return t.live }

// Item returns the item with the id, also if it is deleted.
func (t *Tree) Item(id ItemID) (*Item, bool) { return t.items.Get(id) }

// All returns the live and the deleted items in the order of their ids.
func (t *Tree) All() iter.Seq[*Item] { return t.items.All() }

// Children returns the live items of a folder in the order of their names. The zero id is the root.
func (t *Tree) Children(folder ItemID) iter.Seq[*Item] { return t.in(t.names, folder) }

// all returns the live and the deleted items of a folder.
func (t *Tree) all(folder ItemID) iter.Seq[*Item] { return t.in(t.inside, folder) }

func (t *Tree) in(index sorted.Set[place], folder ItemID) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		index.Ascend(place{parent: folder}, func(at place) bool {
			if at.parent != folder {
				return false
			}
			item, ok := t.items.Get(at.id)
			return !ok || yield(item)
		})
	}
}

// Named returns the live item with the name in the folder.
func (t *Tree) Named(folder ItemID, name string) (found *Item, ok bool) {
	key := fold(name)
	t.names.Ascend(place{parent: folder, name: key}, func(at place) bool {
		if at.parent == folder && at.name == key {
			found, ok = t.items.Get(at.id)
		}
		return false
	})
	return found, ok
}

// Copies returns the live documents that are copies of a file of another store.
func (t *Tree) Copies(external string) []*Item {
	var found []*Item
	t.external.Ascend(origin{external: external}, func(at origin) bool {
		if at.external != external {
			return false
		}
		if item, ok := t.items.Get(at.id); ok {
			found = append(found, item)
		}
		return true
	})
	return found
}

// Holders returns the items with a version that is the file.
func (t *Tree) Holders(file FileID) []*Item {
	var holders []*Item
	for item := range t.items.All() {
		if slices.ContainsFunc(item.Versions, func(v Version) bool { return v.File == file }) {
			holders = append(holders, item)
		}
	}
	return holders
}

// Usable reports whether the file has bytes and is not in the trash.
func (t *Tree) Usable(id FileID) bool {
	file, ok := t.files.Get(id)
	if !ok || file.ErasedAt != 0 {
		return false
	}
	holders := t.Holders(id)
	return len(holders) == 0 || slices.ContainsFunc(holders, func(i *Item) bool { return i.Deletion == nil })
}

// Path returns the folders of the item, from the root, without the item.
func (t *Tree) Path(item *Item) []*Item {
	var path []*Item
	for id := item.Parent; !id.IsZero() && len(path) <= mostDepth; {
		folder, ok := t.items.Get(id)
		if !ok {
			break
		}
		path = append([]*Item{folder}, path...)
		id = folder.Parent
	}
	return path
}

// below returns the item and all items below it that the filter accepts. Items below a refused item are not visited.
func (t *Tree) below(item *Item, accept func(*Item) bool) []*Item {
	if !accept(item) {
		return nil
	}
	found := []*Item{item}
	for at := 0; at < len(found); at++ {
		if found[at].Type != Folder {
			continue
		}
		for child := range t.all(found[at].ID) {
			if accept(child) {
				found = append(found, child)
			}
		}
	}
	return found
}

// item returns the live item with the id.
func (t *Tree) item(id ItemID) (*Item, error) {
	item, ok := t.items.Get(id)
	if !ok || item.Deletion != nil {
		return nil, fault.Refuse(fault.NotFound, "The document does not exist.")
	}
	return item, nil
}

// folder checks that the id is the root or a live folder.
func (t *Tree) folder(id ItemID, pointer string) error {
	if id.IsZero() {
		return nil
	}
	switch item, ok := t.items.Get(id); {
	case !ok, item.Deletion != nil:
		return fault.Refuse(fault.NotFound, "The folder does not exist.")
	case item.Type != Folder:
		return fault.InvalidField(pointer, "notFolder", "parentFolder must be a folder.")
	default:
		return nil
	}
}

// depth returns the number of folders above the items of a folder.
func (t *Tree) depth(folder ItemID) int {
	item, ok := t.items.Get(folder)
	if !ok {
		return 0
	}
	return len(t.Path(item)) + 1
}

// setItem stores the item and updates the indexes.
func (t *Tree) setItem(item *Item) {
	old, replaced := t.items.Set(item.ID, item)
	if replaced {
		was := place{old.Parent, fold(old.Name), old.ID}
		t.inside.Delete(was)
		if old.Deletion == nil {
			t.names.Delete(was)
			t.external.Delete(origin{old.Source.ExternalID, old.ID})
			t.live--
		}
	}
	at := place{item.Parent, fold(item.Name), item.ID}
	t.inside.Set(at)
	if item.Deletion == nil {
		t.names.Set(at)
		if item.Source.ExternalID != "" {
			t.external.Set(origin{item.Source.ExternalID, item.ID})
		}
		t.live++
	}
}

func (t *Tree) changeItem(id ItemID, stamp captable.Stamp, change func(*Item)) {
	old, ok := t.items.Get(id)
	if !ok {
		return
	}
	next := *old
	change(&next)
	next.Touch(stamp)
	t.setItem(&next)
}

// setFile stores the file and counts its content.
func (t *Tree) setFile(file *File) {
	if old, replaced := t.files.Set(file.ID, file); replaced {
		t.count(old, -1)
	}
	t.count(file, 1)
}

// count adds the change to the counts of a file with bytes.
func (t *Tree) count(file *File, change int) {
	if file.ErasedAt != 0 {
		return
	}
	if file.Scan == ScanFailed {
		t.failed += change
	}
	before, _ := t.hashes.Get(file.SHA256)
	after := before + change
	if after > 0 {
		t.hashes.Set(file.SHA256, after)
	} else {
		t.hashes.Delete(file.SHA256)
	}
	if (before > 0) != (after > 0) {
		t.stored += int64(change) * file.Size
	}
}
