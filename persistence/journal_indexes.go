package persistence

import (
	"encoding/json"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// The index rows that a group moves, each table's at most once: the last word of a group counts, as it would if its
// appends were stored one after the other.
type (
	membershipKey struct {
		user         organization.UserID
		organization organization.ID
	}
	personRow struct {
		entity captable.EntityID
		user   organization.UserID
	}
	stakeKey struct {
		entity       captable.EntityID
		organization organization.ID
	}
	particularKey struct {
		organization organization.ID
		entity       captable.EntityID
		field        string
	}
	particularRow struct {
		particularKey
		value string
	}
	resourceRow struct {
		id           [16]byte
		organization organization.ID
		kind         string
	}
	headRow struct {
		organization organization.ID
		sequence     uint64
		hash         messages.Hash
		recorded     int64
	}
)

// indexes gathers what a group changes beside the journal.
type indexes struct {
	resources   []resourceRow
	memberships changes[membershipKey]
	persons     []personRow // an entity's first counts
	stakes      changes[stakeKey]
	written     []particularRow
	erased      []particularKey
	mails       []Mail
	heads       []headRow
}

// changes are the keys to add to and to remove from a table that holds nothing but keys.
type changes[K comparable] struct{ added, removed []K }

// set notes that the key is there from now on, or is not.
func (c *changes[K]) set(key K, there bool) {
	same := func(k K) bool { return k == key }
	c.added, c.removed = slices.DeleteFunc(c.added, same), slices.DeleteFunc(c.removed, same)
	if there {
		c.added = append(c.added, key)
	} else {
		c.removed = append(c.removed, key)
	}
}

// indexesOf folds the index changes of a group.
func indexesOf(group []messages.Append) indexes {
	var folded indexes
	for i := range group {
		batch := &group[i]
		for _, r := range batch.Resources {
			folded.resources = append(folded.resources, resourceRow{r.ID, batch.Organization, r.Kind})
		}
		for _, m := range batch.Memberships {
			folded.memberships.set(membershipKey{m.User, batch.Organization}, m.Member)
			if m.Member && !m.Entity.IsZero() {
				folded.persons = append(folded.persons, personRow{m.Entity, m.User})
			}
		}
		for _, s := range batch.Stakes {
			folded.stakes.set(stakeKey{s.Entity, batch.Organization}, s.Holds)
		}
		for _, p := range batch.Particulars {
			folded.setParticular(particularKey{batch.Organization, p.Entity, p.Field}, p.Value)
		}
		folded.mails = append(folded.mails, batch.Mails...)
		folded.setHead(batch)
	}
	return folded
}

// setHead notes the last row of the batch. A later batch of the same organization replaces it.
func (x *indexes) setHead(batch *messages.Append) {
	if len(batch.Rows) == 0 {
		return
	}
	last := &batch.Rows[len(batch.Rows)-1]
	head := headRow{last.Organization, last.Sequence, last.Hash, micros(last.RecordedAt)}
	// A group is sorted by organization, so an earlier batch of the same organization is the previous one.
	if n := len(x.heads); n > 0 && x.heads[n-1].organization == head.organization {
		x.heads[n-1] = head
		return
	}
	x.heads = append(x.heads, head)
}

func (x *indexes) setParticular(key particularKey, value json.RawMessage) {
	x.written = slices.DeleteFunc(x.written, func(row particularRow) bool { return row.particularKey == key })
	x.erased = slices.DeleteFunc(x.erased, func(k particularKey) bool { return k == key })
	if len(value) == 0 || string(value) == "null" {
		x.erased = append(x.erased, key)
	} else {
		x.written = append(x.written, particularRow{key, string(value)})
	}
}
