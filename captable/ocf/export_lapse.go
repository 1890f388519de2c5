package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// addLapses writes the unrecorded lapses of options after their termination window. A lapse counts
// without a record, but the format has no terminations from which readers could derive it. A lapse
// on the expiration date needs no transaction.
func (e *export) addLapses() {
	var lapsed []*grant
	for _, g := range e.grants {
		if day := g.lapsesOn(); !g.voided && !day.IsZero() && e.happened(day) {
			lapsed = append(lapsed, g)
		}
	}
	slices.SortFunc(lapsed, func(a, b *grant) int {
		return cmp.Or(cmp.Compare(a.place.batch, b.place.batch), cmp.Compare(a.place.order, b.place.order))
	})
	for i, g := range lapsed {
		left := g.live.Left()
		e.add(fileTransactions, place{2*e.imports + 1, e.placed + 1 + i}, recordOf(endingObject{
			ID: g.current() + "-" + string(captable.StatusExpired), Type: typeGrantPrefix + "CANCELLATION", Date: g.lapsesOn(),
			Security: g.current(),
			Quantity: &left, Reason: "Ended: " + string(captable.StatusExpired) + ".",
		}).json())
	}
}

// lapsedBefore reports whether the remaining options had lapsed before the day, after the
// termination or the expiration date, although the lapse is not recorded.
func (g *grant) lapsedBefore(day captable.Date) bool {
	if !g.now.IsOption() || g.live.Left().Sign() <= 0 {
		return false
	}
	lapse, end := g.lapsesOn(), g.now.ExpirationDate
	return !lapse.IsZero() && day >= lapse || !end.IsZero() && day > end
}

// lapsesOn returns the day on which the remaining options lapse after the termination. It is zero
// without a window, and for a lapse that is recorded or follows from the expiration date.
func (g *grant) lapsesOn() captable.Date {
	if g.termination == nil || !g.now.IsOption() || g.live.Left().Sign() <= 0 {
		return 0
	}
	for _, window := range g.now.TerminationWindows {
		if window.Reason != g.termination.Reason {
			continue
		}
		last := window.Period.Add(g.termination.Date)
		if end := g.now.ExpirationDate; end.IsZero() || last < end {
			return last + 1
		}
		return 0
	}
	return 0
}
