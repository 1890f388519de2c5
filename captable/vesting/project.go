package vesting

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"equity/captable/exact"
)

// Project returns the schedule of an award under the terms, with the happenings: all past instalments, and the
// future ones if no other event occurs. The error is of type [Faults].
//
// Explicit vestings take precedence over terms. Without either, the whole grant vests on the grant date.
func Project(award Award, terms Terms, happenings []Happening) (Schedule, error) {
	g, faults := newGraph(terms)
	faults.within("", award.check(len(award.Vestings) == 0 && len(terms.Conditions) == 0))
	if len(faults) > 0 {
		return nil, faults
	}
	w := &walker{graph: g, award: award, start: award.Start}
	if faults := w.hear(happenings); len(faults) > 0 {
		return nil, faults
	}
	switch {
	case len(award.Vestings) > 0:
		w.list(award.Vestings)
	case len(terms.Conditions) == 0:
		w.list([]Vesting{{award.GrantDate, award.Quantity}})
	default:
		w.steps = make([]step, 0, g.instalments)
		w.walk()
	}
	w.list(award.Accelerations)
	return w.schedule(terms.Allocation)
}

// hear records the happenings.
func (w *walker) hear(happenings []Happening) Faults {
	var faults Faults
	if len(happenings) == 0 {
		return nil
	}
	w.happenings = make(map[string]Happening, len(happenings))
	for i, h := range happenings {
		pointer := "/happenings/" + strconv.Itoa(i)
		if !w.waits(h.Condition) {
			faults.add(pointer+"/condition", "unknownCondition", fmt.Sprintf("No condition depends on %q.", h.Condition))
		}
		if _, twice := w.happenings[h.Condition]; twice {
			faults.add(pointer+"/condition", "duplicate", fmt.Sprintf("%q has happened once already.", h.Condition))
		}
		if h.Date.IsZero() {
			faults.add(pointer+"/date", "required", "date is required.")
		}
		if !h.Realized.IsZero() && !h.Realized.within01() {
			faults.add(pointer+"/realized", "badFraction", "realized must be a fraction from 0 to 1.")
		}
		w.happenings[h.Condition] = h
	}
	for i := range w.conditions {
		if w.conditions[i].When.Kind == AtStart && w.start.IsZero() {
			w.start = w.happened(i).Date
		}
	}
	return faults
}

// waits reports whether a condition depends on the event.
func (w *walker) waits(name string) bool {
	return slices.ContainsFunc(w.conditions, func(c Condition) bool {
		return (c.When.Kind == OnEvent || c.When.Kind == AtStart) && (c.ID == name || c.When.Event == name)
	})
}

// list adds explicit vestings as steps, each with a stretch of its own.
func (w *walker) list(vestings []Vesting) {
	for _, v := range vestings {
		w.stretches++
		w.add(w.claimOf(Portion{Shares: v.Quantity}, &path{}, nil), step{on: v.Date, order: len(w.conditions)})
	}
}

// schedule settles, rounds and joins the steps.
func (w *walker) schedule(allocation Allocation) (Schedule, error) {
	byDate := func(a, b step) int { return cmp.Or(cmp.Compare(a.on, b.on), cmp.Compare(a.order, b.order)) }
	if !slices.IsSortedFunc(w.steps, byDate) {
		slices.SortStableFunc(w.steps, byDate)
	}
	if n := len(w.steps); n > 0 && w.steps[n-1].on > endOfTime() {
		return nil, Faults{{Code: "outOfRange", Message: "An instalment is after the year 9999."}}
	}
	places := w.award.places(allocation)
	perShare := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	allocate(w.steps, newTally(w.award, w.claims), allocation, perShare)
	w.award.catchUp(w.steps)
	return join(w.steps, places), nil
}

func endOfTime() exact.Date { return exact.MustDate("9999-12-31") }

// places returns the number of decimal places of the grant's smallest unit.
func (a Award) places(allocation Allocation) int {
	if allocation == Fractional {
		return exact.Places
	}
	return max(a.Places, a.Quantity.Scale())
}

// join converts steps to instalments. Joined steps become one instalment, and zero quantities are omitted.
func join(steps []step, places int) Schedule {
	schedule := make(Schedule, 0, len(steps))
	var together, total big.Int
	for i := range steps {
		s := &steps[i]
		together.Add(&together, &s.shares)
		if s.joined && i+1 < len(steps) && steps[i+1].on == s.on || together.Sign() == 0 {
			continue
		}
		total.Add(&total, &together)
		schedule = append(schedule, Instalment{s.on, decimal(&together, places), decimal(&total, places)})
		together.SetInt64(0)
	}
	return schedule
}

// decimal returns n units of 10^-places shares.
func decimal(n *big.Int, places int) exact.Decimal {
	if places == 0 && n.IsInt64() {
		return exact.NewDecimal(n.Int64())
	}
	return exact.RoundDown(new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)), places)
}
