package captable

import (
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// grantVesting is how a grant vests by the facts that were known on a day, in the shares of
// that day. The option and the shares of its exercises are computed from it alike.
type grantVesting struct {
	schedule vesting.Schedule
	// last is the last day on which anything vests.
	last Date
	// least had vested before a split, restated by it. Rounding takes nothing of it away.
	least Decimal
	// kept is the granted quantity without the part that ended before it vested.
	kept Decimal
	// fixed means that the holder left before the last split: least is all that vested.
	fixed bool
	// settled means that all of kept has vested.
	settled bool
}

// vestingAs returns the vesting of the grant by the facts known on the day. The second
// result sums the takings until the day.
func (g *Grant) vestingAs(day Date) (grantVesting, GrantFigures) {
	amounts := g.amountsOn(day)
	takings := amounts.Takings
	if lapse, lapsed := g.lapse(day); lapsed {
		takings = append(slices.Clip(takings), lapse)
	}
	figures := GrantFigures{GrantQuantities: GrantQuantities{Quantity: amounts.Quantity}, LastDay: g.lastDay(day)}
	figures.lost = figures.take(takings, day)
	last, split := endOfTime(), -1
	if g.terminated(day) {
		last = g.Termination.Date
	}
	for split+1 < len(g.Before) && g.Before[split+1].Until <= day {
		split++
	}
	return grantVesting{
		schedule: g.Schedule(day), last: last, least: g.vestedBefore(day),
		kept: figures.Quantity.Sub(figures.lost), settled: g.settled(day), fixed: g.fixedBy(split),
	}, figures
}

// endOfTime is the last day that can be written.
func endOfTime() Date { return exact.MustDate("9999-12-31") }

// on returns the quantity that has vested at the end of the day.
func (v *grantVesting) on(day Date) Decimal {
	if v.settled {
		return v.kept
	}
	vested := v.least
	if !v.fixed {
		vested = v.schedule.On(min(day, v.last)).Max(v.least)
	}
	return vested.Min(v.kept)
}

// vestedBefore returns the quantity that had vested before the last split until the day,
// restated by that split; zero without one. The parts of a grant are rounded down one by
// one at a split, so that its schedule may come out lower than before.
func (g *Grant) vestedBefore(day Date) (least Decimal) {
	for i := range g.Before {
		if g.Before[i].Until > day {
			break
		}
		least = g.Before[i].restated(g.vestedWith(i, day, least))
	}
	return least
}

// vestedAtSplit returns the quantity that had vested when a split came, in the shares of
// before, by the facts known on the day.
func (g *Grant) vestedAtSplit(split int, known Date) Decimal {
	least := Decimal{}
	for i := range split {
		least = g.Before[i].restated(g.vestedWith(i, known, least))
	}
	return g.vestedWith(split, known, least)
}

// vestedWith returns the quantity that had vested when a split came, no less than had
// before the split ahead of it.
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
		vested = g.scheduleOf(&past.GrantAmounts, known).On(g.vestsUntil(past.Until)).Max(least)
	}
	return vested.Min(kept)
}

// fixedBy reports whether the holder had left before the day of the split: the vested
// quantity of then is only restated by it.
func (g *Grant) fixedBy(split int) bool {
	return split >= 0 && g.Termination != nil && g.Termination.Date < g.Before[split].Until
}

// restated returns a quantity of before in shares of after the split.
func (p *GrantPast) restated(quantity Decimal) Decimal {
	if p.Ratio.Denominator.IsZero() {
		return Decimal{}
	}
	return p.Ratio.apply(quantity, max(p.Quantity.Scale(), 0))
}

// exercise reports whether the taking made shares.
func (t *Taking) exercise() bool { return t.Kind == StatusExercised || t.Kind == StatusReleased }

// exercised is one exercise of a grant: the shares that came of it vest by the grant.
type exercised struct {
	// at is the number of splits of the grant before the exercise.
	at int
	// as is the exercise as it was recorded, in the shares of its day.
	as Taking
}

// exerciseOf finds the exercise that gave a shareholding; false for one all of which had
// vested by then.
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

// exercisedBefore returns the quantity of the exercise that gave the shareholding, and of
// all exercises before it, after so many splits.
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

// sharesVest reports whether shares of an exercise had not vested on the day, or on that of
// the last thing that was taken out of the grant if it is later.
func (g *Grant) sharesVest(day Date) bool {
	figures := g.On(max(day, g.lastTaking()))
	return figures.Exercised.Cmp(figures.Vested) > 0
}
