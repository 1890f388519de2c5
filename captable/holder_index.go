package captable

import (
	"bytes"
	"cmp"
	"iter"

	"github.com/tidwall/btree"
)

// heldKey is the key of a record in an index by holder.
type heldKey[Of any] struct {
	entity EntityID
	id     ID[Of]
}

// The keys of the indexes by holder.
type (
	holderKey = heldKey[Shareholding]
	grantKey  = heldKey[Grant]
	rightKey  = heldKey[Instrument]
)

func (k heldKey[Of]) less(other heldKey[Of]) bool {
	return cmp.Or(bytes.Compare(k.entity[:], other.entity[:]), bytes.Compare(k.id[:], other.id[:])) < 0
}

// holderIndex orders the ids of records by holder.
type holderIndex[Of any] = *btree.BTreeG[heldKey[Of]]

func newHolderIndex[Of any]() holderIndex[Of] {
	return btree.NewBTreeGOptions(heldKey[Of].less, btree.Options{NoLocks: true})
}

// heldBy returns the records of the entity after the given id, in id order.
func heldBy[Of any](index holderIndex[Of], entity EntityID, after ID[Of]) iter.Seq[ID[Of]] {
	return func(yield func(ID[Of]) bool) {
		index.Ascend(heldKey[Of]{entity, after}, func(key heldKey[Of]) bool {
			return key.entity == entity && (key.id == after || yield(key.id))
		})
	}
}
