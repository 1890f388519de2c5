package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// key identifies a dependency or output of a step, such as a stock class, a legend, a
// security or a split, by its package id.
type key struct{ kind, id string }

func securityKey(id string) key { return key{toSecurity, id} }
func acceptedKey(id string) key { return key{"accepted", id} }

// transferredKey identifies the end of a transferred grant. The pool has room for the results
// only after that.
func transferredKey(o *Object) key { return key{"transferred", o.ID} }

// step is one command of the import.
type step struct {
	object *Object
	day    captable.Date // zero for objects without a date
	// needs must exist before the step. wants come before the step if they exist at all.
	needs, wants []key
	// gives holds the outputs of the step.
	gives []key
	// command creates the command once all dependencies exist.
	command func(n *names) captable.Command
}

// byRule returns the steps of a day in standard order: issuances first, then package order.
// An acceptance precedes the end of its security by a want of the ending. Otherwise the
// position of an acceptance does not matter, because it changes no quantities.
func byRule(day []*step) []*step {
	rank := func(s *step) int {
		if _, effect := effectOf(s.object.Type); effect == "ISSUANCE" {
			return 0
		}
		return 1
	}
	return ordered(day, true, func(a, b *step) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.object.Order, b.object.Order))
	})
}

// asWritten returns the steps of a day in package order. Exports write them in the order in
// which they were recorded.
func asWritten(day []*step) []*step {
	return ordered(day, false, func(a, b *step) int { return cmp.Compare(a.object.Order, b.object.Order) })
}

// hasNoQuantity reports whether the position of the step within its day changes no quantity.
func (s *step) hasNoQuantity() bool {
	_, effect := effectOf(s.object.Type)
	return effect == "ACCEPTANCE" || s.object.Type == typeVestingStart || s.object.Type == typeVestingEvent
}

// ordered sorts the steps of a day. Each step follows the steps that it needs and, if wanted
// is true, those that it wants. A step without a quantity waits for what it needs, because a grant that was corrected
// after its acceptance may have to follow a split.
func ordered(day []*step, wanted bool, compare func(a, b *step) int) []*step {
	if len(day) == 1 {
		return day
	}
	sorted := slices.SortedStableFunc(slices.Values(day), compare) // one object may have several steps
	makers := map[key]*step{}
	for _, s := range sorted {
		for _, made := range s.gives {
			makers[made] = s
		}
	}
	result := make([]*step, 0, len(sorted))
	seen := make(map[*step]bool, len(sorted))
	waiting := map[*step][]*step{}
	var enter func(s *step)
	enter = func(s *step) {
		if seen[s] {
			return
		}
		seen[s] = true
		before := s.needs
		if wanted {
			before = slices.Concat(s.needs, s.wants)
		}
		for _, needed := range before {
			if maker := makers[needed]; maker != nil {
				enter(maker)
			}
		}
		result = append(result, s)
		for _, next := range waiting[s] {
			enter(next)
		}
	}
	for _, s := range sorted {
		isLater := func(needed key) bool { return makers[needed] != nil && !seen[makers[needed]] }
		if at := slices.IndexFunc(s.needs, isLater); at >= 0 && s.hasNoQuantity() {
			waiting[makers[s.needs[at]]] = append(waiting[makers[s.needs[at]]], s)
			continue
		}
		enter(s)
	}
	return result
}
