package persistence

import (
	"encoding/json"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// The index rows of a group. Each row occurs at most once with its last value, as if the appends had been stored one
// after the other.
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

// indexes collects the changes of a group outside the journal.
type indexes struct {
	resources   []resourceRow
	memberships changes[membershipKey]
	persons     []personRow // the first row of an entity counts
	stakes      changes[stakeKey]
	particulars map[particularKey]json.RawMessage // the last value of each; empty for one that is erased
	written     []particularRow
	erased      []particularKey
	sealed      []sealedRow
	alarms      []alarmRow
	heads       []headRow
}

// changes are the keys to add to and to remove from a table that has no other columns. Only the last change of a key
// counts.
type changes[K comparable] struct {
	added, removed []K

	last  map[K]bool // whether the key is to be in the table
	order []K
}

// set notes whether the key is to be in the table.
func (c *changes[K]) set(key K, there bool) {
	if _, known := c.last[key]; !known {
		c.order = append(c.order, key)
	}
	if c.last == nil {
		c.last = map[K]bool{}
	}
	c.last[key] = there
}

// settle fills added and removed.
func (c *changes[K]) settle() {
	for _, key := range c.order {
		if c.last[key] {
			c.added = append(c.added, key)
		} else {
			c.removed = append(c.removed, key)
		}
	}
}

// indexesOf combines the index changes of a group.
func indexesOf(group []messages.Append) *indexes {
	folded := &indexes{}
	var order []particularKey
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
			folded.setParticular(particularKey{batch.Organization, p.Entity, p.Field}, p.Value, &order)
		}
		folded.addSealed(batch)
		folded.addWakes(batch)
		folded.setHead(batch)
	}
	folded.memberships.settle()
	folded.stakes.settle()
	folded.settleParticulars(order)
	return folded
}

// setHead records the last row of the batch, replacing that of an earlier batch of the same organization.
func (x *indexes) setHead(batch *messages.Append) {
	if len(batch.Rows) == 0 {
		return
	}
	last := &batch.Rows[len(batch.Rows)-1]
	head := headRow{last.Organization, last.Sequence, last.Hash, Micros(last.RecordedAt)}
	// A group is sorted by organization, so an earlier batch of the same organization is the previous one.
	if n := len(x.heads); n > 0 && x.heads[n-1].organization == head.organization {
		x.heads[n-1] = head
		return
	}
	x.heads = append(x.heads, head)
}

func (x *indexes) setParticular(key particularKey, value json.RawMessage, order *[]particularKey) {
	if _, known := x.particulars[key]; !known {
		*order = append(*order, key)
	}
	if x.particulars == nil {
		x.particulars = map[particularKey]json.RawMessage{}
	}
	x.particulars[key] = value
}

// settleParticulars fills written and erased in the order of the keys.
func (x *indexes) settleParticulars(order []particularKey) {
	for _, key := range order {
		if value := x.particulars[key]; len(value) == 0 || string(value) == "null" {
			x.erased = append(x.erased, key)
		} else {
			x.written = append(x.written, particularRow{key, string(value)})
		}
	}
}
