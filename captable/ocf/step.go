package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// key names something that a step needs or makes: a stock class, a legend, a
// security, or a split, by its id in the package.
type key struct{ kind, id string }

func securityKey(id string) key { return key{toSecurity, id} }
func acceptedKey(id string) key { return key{"accepted", id} }

// transferredKey is there once the transfer of a grant ended it: then its results fit into
// the pool.
func transferredKey(o *Object) key { return key{"transferred", o.ID} }

// step is one command that the package asks of the cap table.
type step struct {
	object *Object
	day    captable.Date // none for what has no date
	// needs must be there before the step; wants come before it if they come at all.
	needs, wants []key
	// gives is there after the step.
	gives []key
	// command is asked for once everything that is needed is there.
	command func(n *names) captable.Command
}

// byRule gives the steps of a day in the order of the rule: issuances first. That an
// acceptance comes before the end of what it accepts is a want of the end; else they
// need no place of their own, as they change nothing that anybody counts.
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

// asWritten gives the steps of a day as they stand in the package: our own exports
// have them as they were recorded.
func asWritten(day []*step) []*step {
	return ordered(day, false, func(a, b *step) int { return cmp.Compare(a.object.Order, b.object.Order) })
}

// ordered sorts the steps of a day, but for what is needed before something else, and
// on request what is wanted before it.
func ordered(day []*step, wanted bool, compare func(a, b *step) int) []*step {
	if len(day) == 1 {
		return day
	}
	sorted := slices.SortedFunc(slices.Values(day), compare)
	makers := map[key]*step{}
	for _, s := range sorted {
		for _, made := range s.gives {
			makers[made] = s
		}
	}
	result := make([]*step, 0, len(sorted))
	seen := make(map[*step]bool, len(sorted))
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
	}
	for _, s := range sorted {
		enter(s)
	}
	return result
}
