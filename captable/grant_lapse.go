package captable

import (
	"bytes"
	"cmp"
	"iter"
	"math"
)

// lapsedIn returns the changes of pool figures from unrecorded lapses up to the end of the day.
func lapsedIn(s *State, day Date) map[PoolRef]PoolFigures {
	changes := map[PoolRef]PoolFigures{}
	for _, event := range s.Lapses(day) {
		lapse, _ := event.(OptionReduced)
		grant, ok := s.Grant(lapse.ID)
		if !ok { // a warrant has no pool
			continue
		}
		changes[grant.Ref()] = changes[grant.Ref()].Add(lapse.PoolChange())
	}
	return changes
}

// PoolChange returns the change of the pool figures.
func (e OptionReduced) PoolChange() PoolFigures {
	change := PoolFigures{Cancelled: e.Deduction.Quantity}
	if e.Returns {
		change.Returned = e.Deduction.Quantity
	}
	return change
}

// lapseKey is the key of an outstanding grant in the index by the last day on which it can be exercised.
type lapseKey struct {
	last Date
	id   GrantID
}

func (k lapseKey) less(other lapseKey) bool {
	return cmp.Or(cmp.Compare(k.last, other.last), bytes.Compare(k.id[:], other.id[:])) < 0
}

// lapseKey returns the key of the grant. A grant that cannot lapse has no key in the index.
func (g *Grant) lapseKey() lapseKey { return lapseKey{g.lastDay(math.MaxInt32), g.ID} }

// indexLapse adds the grant to the index by lapse if it can lapse.
func (r *grantRegister) indexLapse(grant *Grant) {
	if key := grant.lapseKey(); grant.Status.Outstanding() && !key.last.IsZero() {
		r.byLapse.Set(key)
	}
}

// endedBefore returns the outstanding grants whose last day is before the day. It may return more, because the index has the last day with
// the recorded termination, also for days before the termination.
func (r *grantRegister) endedBefore(day Date) iter.Seq[*Grant] {
	return func(yield func(*Grant) bool) {
		r.byLapse.Scan(func(key lapseKey) bool {
			if key.last >= day {
				return false
			}
			grant, _ := r.records.Get(key.id)
			return yield(grant)
		})
	}
}

// Lapses returns the events of all unrecorded lapses up to the end of the day.
func (s *State) Lapses(day Date) (events []Event) {
	for grant := range s.grants.endedBefore(day) {
		if lapse, lapsed := grant.lapse(day); lapsed {
			events = append(events, OptionReduced{ID: grant.ID, Deduction: lapse, Returns: s.plans.returns(grant, "")})
		}
	}
	for i := range s.Instruments() {
		if i.Status.Outstanding() && i.ExpiredOn(day) {
			events = append(events, InstrumentEnded{Kind: StatusExpired, ID: i.ID, Date: i.ExpirationDate + 1, Size: i.Left})
		}
	}
	return events
}
