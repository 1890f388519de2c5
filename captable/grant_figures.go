package captable

import (
	"slices"

	"equity/captable/vesting"
)

// GrantFigures are the figures of a grant at the end of a day.
type GrantFigures struct {
	GrantQuantities
	// NextVesting is the next instalment if no further event occurs.
	NextVesting *vesting.Vesting `json:"nextVesting,omitempty"`
	// LastDay is the last day of exercise. Zero means no limit.
	LastDay Date `json:"exercisableUntil,omitzero"`

	// lost is the quantity that ended before it vested.
	lost Decimal
}

// amountsOn returns the amounts of the grant in shares of the day.
func (g *Grant) amountsOn(day Date) *GrantAmounts {
	for i := range g.Before {
		if day < g.Before[i].Until {
			return &g.Before[i].GrantAmounts
		}
	}
	return &g.GrantAmounts
}

// Schedule returns all instalments of the grant in shares of the day, by the facts known at its
// end.
func (g *Grant) Schedule(day Date) vesting.Schedule { return g.scheduleOf(g.amountsOn(day), day) }

// scheduleOf returns the instalments for the given amounts, by the facts known at the end of the
// day.
func (g *Grant) scheduleOf(amounts *GrantAmounts, day Date) vesting.Schedule {
	award := vesting.Award{
		Quantity: amounts.Quantity, GrantDate: g.IssueDate, Start: g.VestingStart, Places: max(amounts.Quantity.Scale(), 0),
		Vestings:      amounts.Vestings,
		Accelerations: until(amounts.Accelerations, func(v vesting.Vesting) bool { return v.Date <= day }),
	}
	happened := until(g.Happenings, func(h vesting.Happening) bool { return h.Date <= day })
	schedule, _ := vesting.Project(award, amounts.terms(), happened) // recorded facts were projected before
	return schedule
}

func (a *GrantAmounts) terms() vesting.Terms {
	if a.Terms == nil {
		return vesting.Terms{}
	}
	return *a.Terms
}

// On returns the figures at the end of the day. They are zero before the issue and for a voided or
// retracted grant. Lapsed options count as expired, even if the lapse is not recorded.
func (g *Grant) On(day Date) GrantFigures {
	if day < g.IssueDate || g.undoneOn(day) {
		return GrantFigures{}
	}
	vests, figures := g.VestingAs(day)
	figures.Vested = vests.on(day)
	figures.Unvested = vests.kept.Sub(figures.Vested)
	figures.offer(g, figures.lost, day)
	if !g.TerminatedBy(day) {
		figures.NextVesting = figures.next(vests.schedule, day)
	}
	return figures
}

// next returns the next instalment, or nil if none remains. After the last day of the option only
// exercised shares vest; they vest before the remaining options.
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

// lapse returns the expiry of the unexercised options, dated one day after the last day of
// exercise. It returns false if no options lapse by the end of the day, or if an expiry is
// recorded. Vested units never lapse, because they are owed to the holder. See ruling 16.
func (g *Grant) lapse(day Date) (Deduction, bool) {
	last := g.lastDay(day)
	recorded := func(deduction Deduction) bool { return deduction.Kind == StatusExpired }
	if last.IsZero() || day <= last || slices.ContainsFunc(g.Deductions, recorded) {
		return Deduction{}, false
	}
	figures := g.On(last)
	lapse := Deduction{Kind: StatusExpired, Date: last + 1, Quantity: figures.Outstanding, Unvested: figures.unvestedLeft()}
	if !g.IsOption() {
		lapse.Quantity = lapse.Unvested
	}
	return lapse, !lapse.Quantity.IsZero()
}

// take sums the deductions up to the end of the day and returns the quantity that ended before it
// vested.
func (f *GrantFigures) take(deductions []Deduction, day Date) (lost Decimal) {
	f.Outstanding = f.Quantity
	for _, deduction := range deductions {
		if deduction.Date > day {
			continue
		}
		f.Outstanding = f.Outstanding.Sub(deduction.Quantity)
		switch deduction.Kind { //nolint:exhaustive // the other kinds are cancellations
		case StatusExercised:
			f.Exercised = f.Exercised.Add(deduction.Quantity)
			continue
		case StatusReleased:
			f.Released = f.Released.Add(deduction.Quantity)
			continue
		case StatusExpired:
			f.Expired = f.Expired.Add(deduction.Quantity)
		default:
			f.Cancelled = f.Cancelled.Add(deduction.Quantity)
		}
		lost = lost.Add(deduction.Unvested)
	}
	return lost
}

// offer sets the exercisable or releasable quantity. It is limited by the outstanding quantity
// and, without early exercise, by the vested quantity.
func (f *GrantFigures) offer(g *Grant, lost Decimal, day Date) {
	reach := f.Vested
	if g.EarlyExercise && !g.TerminatedBy(day) {
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

// unvestedLeft returns the unvested part of the outstanding quantity. Shares of early exercises
// vest first.
func (f *GrantFigures) unvestedLeft() Decimal { return f.Unvested.Min(f.Outstanding) }

// TerminatedBy reports whether the holder's service had ended by the end of the day.
func (g *Grant) TerminatedBy(day Date) bool { return g.Termination != nil && g.Termination.Date <= day }

// TakingsOn returns the deductions up to the end of the day, in shares of that day. A lapse that is
// not recorded is the last one.
func (g *Grant) TakingsOn(day Date) []Deduction {
	deductions := until(g.amountsOn(day).Deductions, func(t Deduction) bool { return t.Date <= day })
	if lapse, lapsed := g.lapse(day); lapsed {
		deductions = append(deductions, lapse)
	}
	return deductions
}

// settled reports whether the holder's service had ended by the end of the day and options
// remained after the forfeiture. All of these had vested, even if the instalments sum to less
// after the rounding of a split.
func (g *Grant) settled(day Date) bool {
	if !g.TerminatedBy(day) || !g.ExpirationDate.IsZero() && g.ExpirationDate < g.Termination.Date {
		return false
	}
	amounts := g.amountsOn(day)
	left := amounts.Quantity
	for _, deduction := range amounts.Deductions {
		if deduction.Date <= g.Termination.Date {
			left = left.Sub(deduction.Quantity)
		}
	}
	return left.Sign() > 0
}

// VestsUntil returns the day up to which the schedule counts at the end of a day. Vesting stops at
// a termination.
func (g *Grant) VestsUntil(day Date) Date {
	if g.Termination != nil {
		return min(day, g.Termination.Date)
	}
	return day
}

// lastDay returns the last day of exercise, as known at the end of the day. It is zero for a grant
// without a limit. Vested units are owed to the holder and do not lapse.
func (g *Grant) lastDay(day Date) Date {
	last := g.ExpirationDate
	if g.TerminatedBy(day) && g.IsOption() {
		if ends, ok := g.windowOf(*g.Termination); ok && (last.IsZero() || ends < last) {
			last = ends
		}
	}
	return last
}

// windowOf returns the last day of the window of a termination. It returns false if the reason has
// no window.
func (t *GrantTerms) windowOf(termination Termination) (Date, bool) {
	of := func(w TerminationWindow) bool { return w.Reason == termination.Reason }
	if i := slices.IndexFunc(t.TerminationWindows, of); i >= 0 {
		return t.TerminationWindows[i].Period.Add(termination.Date), true
	}
	return 0, false
}

// lastTaking returns the date of the latest deduction, repricing or split, or zero if none was
// recorded.
func (g *Grant) lastTaking() (last Date) {
	if n := len(g.Before); n > 0 {
		last = g.Before[n-1].Until
	}
	if n := len(g.Repricings); n > 0 {
		last = max(last, g.Repricings[n-1].Date)
	}
	for _, deduction := range g.Deductions {
		last = max(last, deduction.Date)
	}
	return last
}

// AsOf returns the grant as of the end of the day, by the effective dates of its events. It
// returns false if the grant was issued later. A voided grant is voided on every day.
func (g *Grant) AsOf(day Date) (*Grant, bool) {
	if g.IssueDate > day {
		return nil, false
	}
	was := *g
	if g.AcceptedOn > day {
		was.AcceptedOn = 0
	}
	was.Requests = g.requestsOn(day)
	if g.undoneOn(day) {
		return &was, true
	}
	was.RetractedOn = 0
	was.GrantAmounts = *g.amountsOn(day)
	was.ExercisePrice = was.priceOn(day)
	was.Repricings = until(was.Repricings, func(r Repricing) bool { return r.Date <= day })
	was.Deductions = until(was.Deductions, func(t Deduction) bool { return t.Date <= day })
	was.Accelerations = until(was.Accelerations, func(v vesting.Vesting) bool { return v.Date <= day })
	was.Happenings = until(g.Happenings, func(h vesting.Happening) bool { return h.Date <= day })
	was.Before = g.pastOn(day)
	if !g.TerminatedBy(day) {
		was.Termination = nil
	}
	if g.End != nil && g.End.Date > day {
		was.End, was.Status = nil, StatusAccepted
	}
	if was.Status == StatusAccepted && was.AcceptedOn.IsZero() {
		was.Status = StatusActive
	}
	was.lapsed(day)
	return &was, true
}

// pastOn returns the amounts before each split up to the end of the day.
func (g *Grant) pastOn(day Date) []GrantPast {
	return until(g.Before, func(past GrantPast) bool { return past.Until <= day })
}

// requestsOn returns the requests up to the end of the day, with their status on that day and with
// quantities in shares of that day.
func (g *Grant) requestsOn(day Date) []ExerciseRequest {
	var requests []ExerciseRequest
	for _, request := range g.Requests {
		if request.Date <= day {
			requests = append(requests, request.on(day))
		}
	}
	for _, past := range slices.Backward(g.Before) {
		for i := range requests {
			if quantity, restated := past.Requested[requests[i].ID]; restated && day < past.Until {
				requests[i].Quantity = quantity
			}
		}
	}
	return requests
}

// lapsed deducts the options that have lapsed by the day, even if the lapse is not recorded.
func (g *Grant) lapsed(day Date) {
	if lapse, ok := g.lapse(day); ok {
		g.take(lapse, Stamp{})
	}
}

// lastDate returns the date of the latest event of the grant that counts shares. An acceptance counts none.
func (g *Grant) lastDate() Date {
	last := max(g.IssueDate, g.RetractedOn, g.lastTaking())
	for _, happening := range g.Happenings {
		last = max(last, happening.Date)
	}
	for _, acceleration := range g.Accelerations {
		last = max(last, acceleration.Date)
	}
	if g.Termination != nil {
		last = max(last, g.Termination.Date)
	}
	return last
}

// GrantQuantities are the quantities of one or several grants at the end of a day. These equations
// always hold:
//
//	quantity = outstanding + exercised + released + cancelled + expired
//	quantity = vested + unvested + quantity that ended before it vested
type GrantQuantities struct {
	Quantity Decimal `json:"quantity"`
	// Vested includes exercised and released shares.
	Vested   Decimal `json:"vested"`
	Unvested Decimal `json:"unvested"`
	// Exercisable is the quantity that may be exercised on the day. It is zero for units.
	Exercisable Decimal `json:"exercisable"`
	// Releasable is the number of vested units that are not released.
	Releasable Decimal `json:"releasable"`
	Exercised  Decimal `json:"exercised"`
	Released   Decimal `json:"released"`
	// Cancelled includes forfeited and transferred options.
	Cancelled   Decimal `json:"cancelled"`
	Expired     Decimal `json:"expired"`
	Outstanding Decimal `json:"outstanding"`
}

// Add returns the sum of both quantities.
func (q GrantQuantities) Add(other GrantQuantities) GrantQuantities {
	return GrantQuantities{
		Quantity: q.Quantity.Add(other.Quantity), Vested: q.Vested.Add(other.Vested), Unvested: q.Unvested.Add(other.Unvested),
		Exercisable: q.Exercisable.Add(other.Exercisable), Releasable: q.Releasable.Add(other.Releasable),
		Exercised: q.Exercised.Add(other.Exercised), Released: q.Released.Add(other.Released),
		Cancelled: q.Cancelled.Add(other.Cancelled), Expired: q.Expired.Add(other.Expired),
		Outstanding: q.Outstanding.Add(other.Outstanding),
	}
}
