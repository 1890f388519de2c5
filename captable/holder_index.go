package captable

import (
	"bytes"
	"cmp"
	"iter"

	"github.com/tidwall/btree"
)

// heldKey is where an index of holders has a record.
type heldKey[Of any] struct {
	entity EntityID
	id     ID[Of]
}

// The keys of what is held.
type (
	holderKey = heldKey[Shareholding]
	grantKey  = heldKey[Grant]
	rightKey  = heldKey[Instrument]
)

func (k heldKey[Of]) less(other heldKey[Of]) bool {
	return cmp.Or(bytes.Compare(k.entity[:], other.entity[:]), bytes.Compare(k.id[:], other.id[:])) < 0
}

// holderIndex finds what a holder has, in the order of its ids.
type holderIndex[Of any] = *btree.BTreeG[heldKey[Of]]

func newHolderIndex[Of any]() holderIndex[Of] {
	return btree.NewBTreeGOptions(heldKey[Of].less, btree.Options{NoLocks: true})
}

// heldBy lists what the entity has from behind the given id on.
func heldBy[Of any](index holderIndex[Of], entity EntityID, after ID[Of]) iter.Seq[ID[Of]] {
	return func(yield func(ID[Of]) bool) {
		index.Ascend(heldKey[Of]{entity, after}, func(key heldKey[Of]) bool {
			return key.entity == entity && (key.id == after || yield(key.id))
		})
	}
}
