package captable

import (
	"slices"

	"equity/captable/vesting"
)

// GrantFigures are what a grant is at the end of a day.
type GrantFigures struct {
	GrantQuantities
	// NextVesting is the next instalment, should nothing else happen.
	NextVesting *vesting.Vesting `json:"nextVesting,omitempty"`
	// LastDay is the last day on which something may be exercised; none: without end.
	LastDay Date `json:"exercisableUntil,omitzero"`

	// lost is the quantity that ended before it vested.
	lost Decimal
}

// amountsOn gives the amounts in which the grant was counted on the day.
func (g *Grant) amountsOn(day Date) *GrantAmounts {
	for i := range g.Before {
		if day < g.Before[i].Until {
			return &g.Before[i].GrantAmounts
		}
	}
	return &g.GrantAmounts
}

// Schedule returns all instalments of the grant in the amounts of the day, by the facts
// until its end.
func (g *Grant) Schedule(day Date) vesting.Schedule { return g.scheduleOf(g.amountsOn(day), day) }

// scheduleOf returns the instalments in the amounts, by the facts until the end of the day.
func (g *Grant) scheduleOf(amounts *GrantAmounts, day Date) vesting.Schedule {
	award := vesting.Award{
		Quantity: amounts.Quantity, GrantDate: g.IssueDate, Start: g.VestingStart, Places: max(amounts.Quantity.Scale(), 0), Vestings: amounts.Vestings,
		Accelerations: until(amounts.Accelerations, func(v vesting.Vesting) bool { return v.Date <= day }),
	}
	happened := until(g.Happenings, func(h vesting.Happening) bool { return h.Date <= day })
	schedule, _ := vesting.Project(award, amounts.terms(), happened) // what is recorded was projected before
	return schedule
}

func (a *GrantAmounts) terms() vesting.Terms {
	if a.Terms == nil {
		return vesting.Terms{}
	}
	return *a.Terms
}

// On returns the figures at the end of the day: all zero before the grant, and for one
// that was undone. Options that have lapsed count as expired, recorded or not.
func (g *Grant) On(day Date) GrantFigures {
	if day < g.IssueDate || g.undoneOn(day) {
		return GrantFigures{}
	}
	vests, figures := g.vestingAs(day)
	figures.Vested = vests.on(day)
	figures.Unvested = vests.kept.Sub(figures.Vested)
	figures.offer(g, figures.lost, day)
	if !g.terminated(day) {
		figures.NextVesting = figures.next(vests.schedule, day)
	}
	return figures
}

// next returns the next instalment; nil without one. After the last day of the option only
// the shares of its exercises vest, before anything else does.
func (f *GrantFigures) next(schedule vesting.Schedule, day Date) *vesting.Vesting {
	next, more := schedule.Next(day)
	rest := f.Unvested
	if lapses := !f.LastDay.IsZero() && next.Date > f.LastDay; lapses {
		rest = rest.Sub(f.unvestedLeft())
	}
	if !more || rest.Sign() <= 0 {
		return nil
	}
	return &vesting.Vesting{Date: next.Date, Quantity: next.Quantity.Min(rest)}
}

// lapse is what is taken of the grant, the day after its last, by nobody having
// exercised it; false where nothing lapses until the end of the day. Vested units are
// owed and never lapse.
func (g *Grant) lapse(day Date) (Taking, bool) {
	last := g.lastDay(day)
	recorded := func(taking Taking) bool { return taking.Kind == StatusExpired }
	if last.IsZero() || day <= last || slices.ContainsFunc(g.Takings, recorded) {
		return Taking{}, false
	}
	figures := g.On(last)
	lapse := Taking{Kind: StatusExpired, Date: last + 1, Quantity: figures.Outstanding, Unvested: figures.unvestedLeft()}
	if !g.IsOption() {
		lapse.Quantity = lapse.Unvested
	}
	return lapse, !lapse.Quantity.IsZero()
}

// take sums what was taken until the end of the day and gives what of it was lost
// before it vested.
func (f *GrantFigures) take(takings []Taking, day Date) (lost Decimal) {
	f.Outstanding = f.Quantity
	for _, taking := range takings {
		if taking.Date > day {
			continue
		}
		f.Outstanding = f.Outstanding.Sub(taking.Quantity)
		switch taking.Kind { //nolint:exhaustive // the others are cancellations
		case StatusExercised:
			f.Exercised = f.Exercised.Add(taking.Quantity)
			continue
		case StatusReleased:
			f.Released = f.Released.Add(taking.Quantity)
			continue
		case StatusExpired:
			f.Expired = f.Expired.Add(taking.Quantity)
		default:
			f.Cancelled = f.Cancelled.Add(taking.Quantity)
		}
		lost = lost.Add(taking.Unvested)
	}
	return lost
}

// offer sets what the holder may take: no more than is outstanding, and no more than
// has vested but for early exercise.
func (f *GrantFigures) offer(g *Grant, lost Decimal, day Date) {
	reach := f.Vested
	if g.EarlyExercise && !g.terminated(day) {
		reach = f.Quantity.Sub(lost)
	}
	vestedLost := f.Cancelled.Add(f.Expired).Sub(lost)
	free := reach.Sub(f.Exercised).Sub(f.Released).Sub(vestedLost).Max(Decimal{}).Min(f.Outstanding)
	if g.IsOption() {
		f.Exercisable = free
	} else {
		f.Releasable = free
	}
}

// unvestedLeft is how much of what is outstanding has not vested. What was exercised
// early is the first to vest.
func (f *GrantFigures) unvestedLeft() Decimal { return f.Unvested.Min(f.Outstanding) }

// terminated reports whether the holder had left at the end of the day.
func (g *Grant) terminated(day Date) bool { return g.Termination != nil && g.Termination.Date <= day }

// settled reports whether the holder had left by the end of the day and kept something
// that had not lapsed before. Everything that was not forfeited then had vested, whatever
// the instalments sum to that a split has rounded since.
func (g *Grant) settled(day Date) bool {
	if !g.terminated(day) || !g.ExpirationDate.IsZero() && g.ExpirationDate < g.Termination.Date {
		return false
	}
	amounts := g.amountsOn(day)
	left := amounts.Quantity
	for _, taking := range amounts.Takings {
		if taking.Date <= g.Termination.Date {
			left = left.Sub(taking.Quantity)
		}
	}
	return left.Sign() > 0
}

// vestsUntil is the day up to which a schedule counts at the end of a day: nothing
// vests after the holder left.
func (g *Grant) vestsUntil(day Date) Date {
	if g.Termination != nil {
		return min(day, g.Termination.Date)
	}
	return day
}

// lastDay is the last day on which something may be exercised, as was known at the end
// of the day; zero for a grant without end. Vested units are owed and do not lapse.
func (g *Grant) lastDay(day Date) Date {
	last := g.ExpirationDate
	if g.terminated(day) && g.IsOption() {
		if ends, ok := g.windowOf(*g.Termination); ok && (last.IsZero() || ends < last) {
			last = ends
		}
	}
	return last
}

// windowOf gives the day on which the window of a termination ends; false where none is
// of its reason.
func (t *GrantTerms) windowOf(termination Termination) (Date, bool) {
	of := func(w TerminationWindow) bool { return w.Reason == termination.Reason }
	if i := slices.IndexFunc(t.TerminationWindows, of); i >= 0 {
		return t.TerminationWindows[i].Period.Add(termination.Date), true
	}
	return 0, false
}

// lastTaking is the day of the last taking, repricing or split; none before one.
func (g *Grant) lastTaking() (last Date) {
	if n := len(g.Before); n > 0 {
		last = g.Before[n-1].Until
	}
	if n := len(g.Repricings); n > 0 {
		last = max(last, g.Repricings[n-1].Date)
	}
	for _, taking := range g.Takings {
		last = max(last, taking.Date)
	}
	return last
}
