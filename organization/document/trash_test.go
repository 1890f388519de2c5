package document_test

import (
	"testing"
	"time"

	"equity/organization/document"
)

// erased reports whether the current version of the item is erased.
func (r *room) erased(id document.ItemID) bool {
	r.Helper()
	file, ok := r.tree.File(r.item(id).File())
	if !ok {
		r.Fatal("the document has no file")
	}
	return file.ErasedAt != 0
}

func TestContentsAreErasedAfter30DaysInTheTrash(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Legal")
	below, live, used := r.upload(folder, "a.txt", "a"), r.upload(document.ItemID{}, "b.txt", "b"), r.upload(document.ItemID{}, "c.txt", "c")
	r.do(document.Delete{ID: folder})
	r.do(document.Delete{ID: used})
	r.used[r.item(used).File()] = "a plan"
	deleted := r.now
	r.now = deleted.Add(document.Restorable)
	equal(t, "events within 30 days", len(r.do(document.EraseExpired{})), 0)
	next, ok := r.tree.NextErasure()
	equal(t, "next erasure", next.Equal(deleted.Add(document.Restorable)) && ok, true)
	r.now = r.now.Add(time.Second)
	r.do(document.EraseExpired{})
	equal(t, "deleted with its folder", r.erased(below), true)
	equal(t, "live", r.erased(live), false)
	equal(t, "used by a plan", r.erased(used), false)
	equal(t, "events of a repetition", len(r.do(document.EraseExpired{})), 0)
}

func TestTrashListsRestorableItemsOnly(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Legal")
	r.upload(folder, "a.txt", "a")
	r.do(document.Delete{ID: folder})
	count := func(after time.Duration) (number int) {
		for range r.tree.Deleted(r.now.Add(after)) {
			number++
		}
		return number
	}
	equal(t, "items after 30 days", count(document.Restorable), 1)
	equal(t, "items later", count(document.Restorable+time.Second), 0)
}

func TestOneCommandErasesAtMost500Files(t *testing.T) {
	t.Parallel()
	r := open(t)
	folder := r.folder(document.ItemID{}, "Legal")
	for range 501 {
		r.do(document.AddDocuments{Parent: folder, Files: []document.Content{content("a.txt", "a")}, OnConflict: document.NewVersion})
	}
	r.do(document.Delete{ID: folder})
	r.now = r.now.Add(document.Restorable + time.Second)
	equal(t, "first", len(r.do(document.EraseExpired{})), 500)
	equal(t, "second", len(r.do(document.EraseExpired{})), 1)
}
