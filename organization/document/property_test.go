package document_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/organization/document"
)

// command draws a command about the items created so far.
func command(t *rapid.T, ids []document.ItemID) document.Command {
	id := func(label string) document.ItemID { return rapid.SampledFrom(ids).Draw(t, label) }
	name := rapid.SampledFrom([]string{"a", "A", "b", "c", "d", "e"})
	switch rapid.IntRange(0, 6).Draw(t, "command") {
	case 0:
		return document.CreateFolder{Name: name.Draw(t, "name"), Parent: id("parent")}
	case 1, 2:
		return document.AddDocuments{
			Parent: id("parent"), Path: rapid.SliceOfN(name, 0, 2).Draw(t, "path"), Files: []document.Content{content(name.Draw(t, "name"), "x")},
			OnConflict: rapid.SampledFrom([]document.OnConflict{document.NewVersion, document.Rename, document.RefuseName}).Draw(t, "conflict"),
		}
	case 3:
		return document.Move{ID: id("item"), Name: new(name.Draw(t, "name")), Parent: new(id("parent"))}
	case 4:
		return document.Delete{ID: id("item")}
	case 5:
		return document.Restore{ID: id("item")}
	default:
		return document.SetAccess{ID: id("item"), Access: document.Access{Mode: document.Inherit, Watermark: true}}
	}
}

// consistent checks the rules of every data room.
func consistent(t *rapid.T, tree *document.Tree, ids []document.ItemID) {
	names, live := map[string]document.ItemID{}, 0
	for _, id := range ids[1:] {
		item, _ := tree.Item(id)
		if item.Deletion != nil {
			continue
		}
		live++
		key := item.Parent.String() + strings.ToLower(item.Name)
		if other, taken := names[key]; taken {
			t.Fatalf("%s and %s have the name %s", other, id, item.Name)
		}
		names[key] = id
		path := tree.Path(item)
		if len(path) > 20 || len(path) == 0 && !item.Parent.IsZero() {
			t.Fatalf("%s has a path of %d", id, len(path))
		}
		for _, folder := range path {
			if folder.Type != document.Folder || folder.Deletion != nil {
				t.Fatalf("%s is in %+v", id, folder)
			}
		}
		if found, ok := tree.Named(item.Parent, item.Name); !ok || found.ID != id {
			t.Fatalf("%s is not found by its name", id)
		}
	}
	if tree.Len() != live {
		t.Fatalf("%d items are live, the data room counts %d", live, tree.Len())
	}
}

// Every history leaves unique names, live paths and a snapshot that restores it.
func TestEveryHistoryLeavesAConsistentDataRoom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tree, now, number := document.NewTree(), time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), uint64(0)
		ids := []document.ItemID{{}}
		for range rapid.IntRange(1, 60).Draw(t, "length") {
			before := tree.Copy()
			m := document.DecideContext{Now: now, NewID: func() [16]byte {
				number++
				return [16]byte([]byte(strconv.FormatUint(1e15+number, 10)))
			}, References: func(document.FileID) []string { return nil }}
			events, err := document.Decide(tree, command(t, ids), m)
			if err != nil {
				continue
			}
			for i, event := range events {
				tree.Apply(event, captable.Stamp{Sequence: number + uint64(i), At: captable.InstantOf(now)})
				for _, created := range event.Creates() {
					if created.Kind == "document" {
						ids = append(ids, created.ID)
					}
				}
			}
			consistent(t, tree, ids)
			consistentCopy(t, before)
			now = now.Add(time.Hour)
		}
		first, second := captable.NewPacker(), captable.NewPacker()
		tree.Pack(first)
		again := document.NewTree()
		again.Pack(captable.NewUnpacker(first.Bytes()))
		again.Pack(second)
		if string(first.Bytes()) != string(second.Bytes()) {
			t.Fatal("the snapshot does not restore the data room")
		}
		consistent(t, again, ids)
	})
}

// consistentCopy checks that later changes leave an earlier copy unchanged.
func consistentCopy(t *rapid.T, copied *document.Tree) {
	var ids []document.ItemID
	var enter func(folder document.ItemID)
	enter = func(folder document.ItemID) {
		for item := range copied.Children(folder) {
			ids = append(ids, item.ID)
			enter(item.ID)
		}
	}
	enter(document.ItemID{})
	if len(ids) != copied.Len() {
		t.Fatalf("the copy lists %d of %d items", len(ids), copied.Len())
	}
}
