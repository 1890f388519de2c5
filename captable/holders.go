package captable

import (
	"bytes"
	"iter"
)

// Holders iterates over the entities with outstanding shares, grants or instruments, each once, in the order of their ids.
func (s *State) Holders() iter.Seq[EntityID] {
	return func(yield func(EntityID) bool) {
		var last EntityID
		for {
			next := earliest(
				entityAfter(s.shares.byHolder, last), entityAfter(s.grants.byHolder, last), entityAfter(s.instruments.byHolder, last))
			if next.IsZero() || s.Holds(next) && !yield(next) {
				return
			}
			last = next
		}
	}
}

// entityAfter returns the first holder in the index after the given one; zero without one.
func entityAfter[Of any](index holderIndex[Of], last EntityID) (next EntityID) {
	pivot := heldKey[Of]{entity: last}
	for i := range pivot.id {
		pivot.id[i] = 0xff
	}
	index.Ascend(pivot, func(key heldKey[Of]) bool {
		if key.entity == last {
			return true
		}
		next = key.entity
		return false
	})
	return next
}

// earliest returns the smallest id that is not zero.
func earliest(ids ...EntityID) (first EntityID) {
	for _, id := range ids {
		if first.IsZero() || !id.IsZero() && bytes.Compare(id[:], first[:]) < 0 {
			first = id
		}
	}
	return first
}
