package captable

import (
	"bytes"
	"iter"

	"github.com/tidwall/btree"
)

// Records keeps immutable records in the order of their ids, which is that of
// creation. It is copy-on-write, under the terms of [State.Copy].
type Records[Of, R any] struct{ tree *btree.BTreeG[entry[Of, R]] }

// entry has the id beside the record, so that a search reads the tree alone.
type entry[Of, R any] struct {
	id     ID[Of]
	record *R
}

// NewRecords is without any.
func NewRecords[Of, R any]() Records[Of, R] {
	less := func(a, b entry[Of, R]) bool { return bytes.Compare(a.id[:], b.id[:]) < 0 }
	return Records[Of, R]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// Copy gives the same records for somebody else to read or change.
func (r Records[Of, R]) Copy() Records[Of, R] { return Records[Of, R]{r.tree.Copy()} }

// Len counts them.
func (r Records[Of, R]) Len() int { return r.tree.Len() }

// Get finds the record with the id.
func (r Records[Of, R]) Get(id ID[Of]) (*R, bool) {
	found, ok := r.tree.Get(entry[Of, R]{id: id})
	return found.record, ok
}

// Set enters the record in the place of the one that had its id, which it gives.
func (r Records[Of, R]) Set(id ID[Of], record *R) (*R, bool) {
	old, ok := r.tree.Set(entry[Of, R]{id, record})
	return old.record, ok
}

// touch changes a copy of the record by an event, and enters it in the record's place: who
// reads an earlier state goes on seeing the record as it was.
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

// Load is Set for records that come in their order.
func (r Records[Of, R]) Load(id ID[Of], record *R) { r.tree.Load(entry[Of, R]{id, record}) }

// Delete takes the record out.
func (r Records[Of, R]) Delete(id ID[Of]) { r.tree.Delete(entry[Of, R]{id: id}) }

// All lists the records.
func (r Records[Of, R]) All() iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Scan(func(e entry[Of, R]) bool { return yield(e.record) })
	}
}

// After lists the records from behind the id on.
func (r Records[Of, R]) After(id ID[Of]) iter.Seq[*R] {
	return func(yield func(*R) bool) {
		r.tree.Ascend(entry[Of, R]{id: id}, func(e entry[Of, R]) bool { return e.id == id || yield(e.record) })
	}
}
