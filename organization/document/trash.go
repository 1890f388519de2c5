package document

import (
	"iter"
	"time"
)

// Restorable is the time in the trash after which an item cannot be restored and its contents are erased.
const Restorable = 30 * 24 * time.Hour

// Deleted returns the items that can be restored at the time: those that were deleted by themselves, not with their folder.
func (t *Tree) Deleted(now time.Time) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		for item := range t.items.All() {
			if item.Deletion.restorable(item.ID, now) && !yield(item) {
				return
			}
		}
	}
}

// restorable reports whether the item with the id was deleted by itself, at most 30 days ago.
func (d *Deletion) restorable(id ItemID, now time.Time) bool {
	return d != nil && d.Root == id && !d.expired(now)
}

func (d *Deletion) expired(now time.Time) bool { return now.Sub(d.At.Time()) > Restorable }

// mostErased bounds the events of one command.
const mostErased = 500

// EraseExpired erases contents of items that were in the trash for 30 days: at most 500 with each command. Contents that other records
// use stay.
type EraseExpired struct{}

func (EraseExpired) decide(t *Tree, m DecideContext) ([]Event, error) { //nolint:unparam // the interface has an error
	var events []Event
	for file, deletion := range t.trashed() {
		if !deletion.expired(m.Now) || len(m.References(file.ID)) > 0 {
			continue
		}
		events = append(events, FileErased{ID: file.ID, Reason: "30 days in the trash"})
		if len(events) == mostErased {
			break
		}
	}
	return events, nil
}

// trashed returns the files with bytes of the items in the trash, with the deletion.
func (t *Tree) trashed() iter.Seq2[*File, *Deletion] {
	return func(yield func(*File, *Deletion) bool) {
		for item := range t.items.All() {
			if item.Deletion == nil {
				continue
			}
			for _, version := range item.Versions {
				file, ok := t.files.Get(version.File)
				if ok && file.ErasedAt == 0 && !yield(file, item.Deletion) {
					return
				}
			}
		}
	}
}

// NextErasure returns the time at which contents of the trash expire next, or false if the trash has no contents.
func (t *Tree) NextErasure() (at time.Time, ok bool) {
	for _, deletion := range t.trashed() {
		if expires := deletion.At.Time().Add(Restorable); !ok || expires.Before(at) {
			at, ok = expires, true
		}
	}
	return at, ok
}
