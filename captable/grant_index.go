package captable

import (
	"bytes"
	"cmp"

	"github.com/tidwall/btree"
)

// grantKey is where the index of holders has a grant.
type grantKey struct {
	entity EntityID
	id     GrantID
}

func (k grantKey) less(other grantKey) bool {
	return cmp.Or(bytes.Compare(k.entity[:], other.entity[:]), bytes.Compare(k.id[:], other.id[:])) < 0
}

func newGrantIndex() *btree.BTreeG[grantKey] {
	return btree.NewBTreeGOptions(grantKey.less, btree.Options{NoLocks: true})
}

// packGrants packs the grants; the index of their holders follows from them.
func (s *State) packGrants(p *Packer) {
	packFew(p, s.grants, func(r *Grant) GrantID { return r.ID })
	if !p.reading {
		return
	}
	for grant := range s.Grants() {
		s.granted.Set(grantKey{grant.Entity, grant.ID})
	}
}

// holdsGrant reports whether the entity has a grant of which something is left.
func (s *State) holdsGrant(entity EntityID) bool {
	for grant := range s.GrantsOf(entity) {
		if grant.Status.Outstanding() {
			return true
		}
	}
	return false
}
