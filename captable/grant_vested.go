package captable

import (
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// GrantVesting is the vesting of a grant by the facts known on a day, in shares of that day. The
// figures of the option and of its exercised shares are both computed from it.
type GrantVesting struct {
	schedule vesting.Schedule
	// last is the last day of vesting.
	last Date
	// least is the quantity that had vested before a split, restated by it. Rounding never reduces
	// it.
	Least Decimal
	// kept is the granted quantity without the part that ended before it vested.
	kept Decimal
	// fixed reports whether the holder's service ended before the last split. In that case least
	// is the whole vested quantity.
	Fixed bool
	// settled reports whether all of kept has vested.
	Settled bool
}

// VestingAs returns the vesting of the grant by the facts known on the day. The second result
// holds the sums of the deductions up to the day.
func (g *Grant) VestingAs(day Date) (GrantVesting, GrantFigures) {
	amounts := g.amountsOn(day)
	takings := amounts.Takings
	if lapse, lapsed := g.lapse(day); lapsed {
		takings = append(slices.Clip(takings), lapse)
	}
	figures := GrantFigures{GrantQuantities: GrantQuantities{Quantity: amounts.Quantity}, LastDay: g.lastDay(day)}
	figures.lost = figures.take(takings, day)
	last, split := endOfTime(), -1
	if g.TerminatedBy(day) {
		last = g.Termination.Date
	}
	for split+1 < len(g.Before) && g.Before[split+1].Until <= day {
		split++
	}
	return GrantVesting{
		schedule: g.Schedule(day), last: last, Least: g.vestedBefore(day),
		kept: figures.Quantity.Sub(figures.lost), Settled: g.settled(day), Fixed: g.fixedBy(split),
	}, figures
}

// endOfTime returns the last representable day.
func endOfTime() Date { return exact.MustDate("9999-12-31") }

// on returns the vested quantity at the end of the day.
func (v *GrantVesting) on(day Date) Decimal {
	if v.Settled {
		return v.kept
	}
	vested := v.Least
	if !v.Fixed {
		vested = v.schedule.On(min(day, v.last)).Max(v.Least)
	}
	return vested.Min(v.kept)
}

// vestedBefore returns the quantity that had vested before the last split up to the day, restated
// by that split. It is zero without a split. A split rounds down each part of a grant separately,
// so that the restated schedule may sum to less than before.
func (g *Grant) vestedBefore(day Date) (least Decimal) {
	for i := range g.Before {
		if g.Before[i].Until > day {
			break
		}
		least = g.Before[i].restated(g.vestedWith(i, day, least))
	}
	return least
}

// vestedAtSplit returns the vested quantity at a split, in shares before the split, by the facts
// known on the day.
func (g *Grant) vestedAtSplit(split int, known Date) Decimal {
	least := Decimal{}
	for i := range split {
		least = g.Before[i].restated(g.vestedWith(i, known, least))
	}
	return g.vestedWith(split, known, least)
}

// vestedWith returns the vested quantity at a split. It is at least the vested quantity at the
// previous split.
func (g *Grant) vestedWith(split int, known Date, least Decimal) Decimal {
	past := &g.Before[split]
	kept := past.Quantity
	for _, taking := range past.Takings {
		if !taking.exercise() {
			kept = kept.Sub(taking.Unvested)
		}
	}
	vested := least
	if !g.fixedBy(split - 1) {
		vested = g.scheduleOf(&past.GrantAmounts, known).On(g.VestsUntil(past.Until)).Max(least)
	}
	return vested.Min(kept)
}

// fixedBy reports whether the holder's service had ended before the day of the split. In that case
// the split only restates the vested quantity.
func (g *Grant) fixedBy(split int) bool {
	return split >= 0 && g.Termination != nil && g.Termination.Date < g.Before[split].Until
}

// restated converts a quantity before the split into shares after it.
func (p *GrantPast) restated(quantity Decimal) Decimal {
	if p.Ratio.Denominator.IsZero() {
		return Decimal{}
	}
	return p.Ratio.apply(quantity, max(p.Quantity.Scale(), 0))
}

// exercise reports whether the taking created shares.
func (t *Taking) exercise() bool { return t.Kind == StatusExercised || t.Kind == StatusReleased }

// exercised is one exercise of a grant. Its shares vest with the grant.
type exercised struct {
	// at is the number of splits of the grant before the exercise.
	at int
	// as is the exercise as recorded, in shares of its day.
	as Taking
}

// exerciseOf returns the exercise that created a shareholding. It returns false if all of its
// shares had vested at the exercise.
func (g *Grant) exerciseOf(id ShareholdingID) (exercised, bool) {
	for i := range len(g.Before) + 1 {
		amounts := &g.GrantAmounts
		if i < len(g.Before) {
			amounts = &g.Before[i].GrantAmounts
		}
		for _, taking := range amounts.Takings {
			if taking.Shareholding == id && taking.Kind == StatusExercised {
				return exercised{i, taking}, taking.Unvested.Sign() > 0
			}
		}
	}
	return exercised{}, false
}

// exercisedBefore returns the quantity of the exercise that created the shareholding and the total
// of all earlier exercises, in shares after the given number of splits.
func (g *Grant) exercisedBefore(id ShareholdingID, splits int) (before, quantity Decimal) {
	amounts := &g.GrantAmounts
	if splits < len(g.Before) {
		amounts = &g.Before[splits].GrantAmounts
	}
	for _, taking := range amounts.Takings {
		switch {
		case taking.Kind != StatusExercised:
		case taking.Shareholding == id:
			return before, taking.Quantity
		default:
			before = before.Add(taking.Quantity)
		}
	}
	return before, Decimal{}
}

// sharesVest reports whether exercised shares are unvested on the day, or on the day of the latest
// deduction if that is later.
func (g *Grant) sharesVest(day Date) bool {
	figures := g.On(max(day, g.lastTaking()))
	return figures.Exercised.Cmp(figures.Vested) > 0
}
