package captable

import (
	"bytes"
	"iter"

	"github.com/tidwall/btree"
)

// Records contains immutable records in the order of their ids, which is the order of their
// creation. It is copy-on-write, with the rules of [State.Copy].
type Records[Of, R any] struct{ tree *btree.BTreeG[entry[Of, R]] }

// entry stores the id next to the record, so that a search does not access the records.
type entry[Of, R any] struct {
	id     ID[Of]
	record *R
}

// NewRecords returns an empty collection.
func NewRecords[Of, R any]() Records[Of, R] {
	less := func(a, b entry[Of, R]) bool { return bytes.Compare(a.id[:], b.id[:]) < 0 }
	return Records[Of, R]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// Copy returns an independent copy in constant time.
func (r Records[Of, R]) Copy() Records[Of, R] { return Records[Of, R]{r.tree.Copy()} }

// Len returns the number of records.
func (r Records[Of, R]) Len() int { return r.tree.Len() }

// Get returns the record with the id.
func (r Records[Of, R]) Get(id ID[Of]) (*R, bool) {
	found, ok := r.tree.Get(entry[Of, R]{id: id})
	return found.record, ok
}

// Set stores the record under the id and returns the replaced record, if any.
func (r Records[Of, R]) Set(id ID[Of], record *R) (*R, bool) {
	old, ok := r.tree.Set(entry[Of, R]{id, record})
	return old.record, ok
}

// touch applies a change to a copy of the record and stores the copy. Readers of earlier states
// keep the unchanged record.
func touch[Of, R any, P interface {
	*R
	Touch(Stamp)
}](r Records[Of, R], id ID[Of], stamp Stamp, change func(*R)) {
	old, ok := r.Get(id)
	if !ok {
		return
	}
	next := *old
	change(&next)
	P(&next).Touch(stamp)
	r.Set(id, &next)
}

// Load is Set for records in ascending order of their ids.
func (r Records[Of, R]) Load(id ID[Of], record *R) { r.tree.Load(entry[Of, R]{id, record}) }

// Delete removes the record.
func (r Records[Of, R]) Delete(id ID[Of]) { r.tree.Delete(entry[Of, R]{id: id}) }

// All iterates over the records.
func (r Records[Of, R]) All() iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Scan(func(e entry[Of, R]) bool { return yield(e.record) })
	}
}

// After iterates over the records after the given id.
func (r Records[Of, R]) After(id ID[Of]) iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Ascend(entry[Of, R]{id: id}, func(e entry[Of, R]) bool { return e.id == id || yield(e.record) })
	}
}
