package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// Vested is the vested and unvested quantity of a holding, with its next instalment.
type Vested struct {
	Vested   Decimal
	Unvested Decimal
	// Next is the first instalment after the day; nil if the holding is fully vested, or if the
	// rest depends on an event that has not happened.
	Next *vesting.Instalment
}

// VestedOn returns the vested quantity of a shareholding as of the day. It reports false if the
// shares do not vest. Shares of an early exercise vest by their grant, others by their schedule
// or listed instalments.
//
// A cancellation or repurchase of shares with a schedule takes the shares that vest last: the
// remaining shares vest in the first instalments. A transfer divides the instalments in
// proportion, and a split multiplies them.
func (s *State) VestedOn(h *Shareholding, day Date) (Vested, bool) {
	if vested, early := newExerciseVesting(s, day).vestedOn(h); early {
		return vested, true
	}
	return vestedBySchedule(s, h, day)
}

// vestedBySchedule returns the vested quantity of a shareholding by its schedule or listed
// instalments. It reports false if it has neither.
func vestedBySchedule(s *State, h *Shareholding, day Date) (Vested, bool) {
	instalments, ok := vestingOf(s, h)
	if !ok {
		return Vested{}, false
	}
	last := day
	stopped := h.StoppedBy(day)
	if stopped != nil {
		last = stopped.Date
	}
	vested := Vested{Vested: instalments.On(last).Min(h.Shares)}
	vested.Unvested = h.Shares.Sub(vested.Vested)
	if stopped != nil {
		return vested, true
	}
	if next, more := instalments.Next(day); more && !vested.Unvested.IsZero() {
		next.Quantity = next.Quantity.Min(vested.Unvested)
		next.Cumulative = vested.Vested.Add(next.Quantity)
		vested.Next = &next
	}
	return vested, true
}

// vestingOf returns the instalments of the award from which the shares come. The award may be
// larger than the remaining shares.
func vestingOf(s *State, h *Shareholding) (vesting.Schedule, bool) {
	places := s.SharePlaces(h.Security)
	if len(h.Vestings) > 0 {
		instalments, err := vesting.Project(vesting.Award{
			Quantity: h.Shares, GrantDate: h.IssueDate, Places: max(places, h.Shares.Scale()), Vestings: h.listedFor(h.Shares), CatchUp: h.catchUp(),
		}, vesting.Terms{}, nil)
		return instalments, err == nil
	}
	id, _ := ParseID[VestingSchedule](h.VestingSchedule) // an invalid id matches no schedule
	schedule, known := s.VestingSchedule(id)
	if !known {
		return nil, false
	}
	first, size := s.shares.awardOf(h)
	scaled, err := schedule.scaled(new(big.Rat).Quo(size, first.original().Rat()))
	if err != nil {
		return nil, false
	}
	instalments, err := vesting.Project(vesting.Award{
		Quantity: exact.RoundDown(size, places), GrantDate: first.IssueDate, Start: h.VestingStart, Places: places, CatchUp: h.catchUp(),
	}, scaled, nil)
	return instalments, err == nil
}

// catchUp returns the treatment of instalments before the issue. If the vesting stopped before
// the issue, the shares result from stopped ones and the instalments stay on their days.
func (h *Shareholding) catchUp() vesting.CatchUp {
	if h.Termination != nil && h.Termination.Date < h.IssueDate {
		return vesting.AsScheduled
	}
	return vesting.OnGrantDate
}

// awardOf returns the first shareholding of the award, and the size of the whole award in shares
// of h, including the shares that were returned since. If h is read as of a past day, splits
// after that day are removed from the earlier shareholdings too.
func (r *shareRegister) awardOf(h *Shareholding) (first *Shareholding, size *big.Rat) {
	first, size = h, h.Shares.Rat()
	later := 0
	if recorded, known := r.records.Get(h.ID); known {
		later = len(recorded.Before) - len(h.Before)
	}
	for {
		before, ok := r.leftOf(first)
		if !ok {
			return first, size
		}
		before = before.beforeSplits(later)
		// remaining shares : shares before = present award : earlier award
		size.Mul(size, before.atEnd(first).Rat()).Quo(size, first.original().Rat())
		first = before
	}
}

// beforeSplits returns the shareholding without its last splits.
func (h *Shareholding) beforeSplits(splits int) *Shareholding {
	left := len(h.Before) - splits
	if splits <= 0 || left < 0 {
		return h
	}
	was := *h
	was.Shares, was.Before = h.Before[left].Shares, h.Before[:left]
	return &was
}

// atEnd returns the shares of an ended shareholding on the day of its end, without the splits
// that restated both it and the result since.
func (h *Shareholding) atEnd(result *Shareholding) Decimal {
	if since := len(result.Before); since > 0 && since <= len(h.Before) {
		return h.Before[len(h.Before)-since].Shares
	}
	return h.Shares
}

// leftOf returns the shareholding whose partial cancellation or repurchase left these shares as
// the balance.
func (r *shareRegister) leftOf(h *Shareholding) (*Shareholding, bool) {
	if h.Origin == nil || h.Origin.Kind != StatusCancelled && h.Origin.Kind != StatusRepurchased {
		return nil, false
	}
	before, known := r.records.Get(h.Origin.From[0])
	return before, known && before.VestingSchedule == h.VestingSchedule
}

// SharePlaces returns the number of decimal places of a quantity of the security.
func (s *State) SharePlaces(id SecurityID) int {
	if security, known := s.Security(id); known {
		return security.Places()
	}
	return 0
}

// scaled returns the terms of the schedule for shares that splits multiplied by the ratio.
func (v *VestingSchedule) scaled(ratio *big.Rat) (vesting.Terms, error) {
	terms, err := v.Compile()
	if err != nil {
		return terms, err
	}
	return terms.Restated(func(shares Decimal) Decimal {
		return exact.RoundDown(new(big.Rat).Mul(shares.Rat(), ratio), exact.Places)
	}), nil
}

// VestsFor reports whether a shareholding or grant of the holder has the schedule, including
// ended ones.
func (s *State) VestsFor(entity EntityID, id VestingScheduleID) bool {
	text := id.String()
	for h := range s.ShareholdingsOf(entity) {
		if h.VestingSchedule == text {
			return true
		}
	}
	for grant := range s.GrantsOf(entity) {
		if grant.VestingSchedule == text {
			return true
		}
	}
	return false
}

// checkVestings adds a fault for listed instalments by which the shares cannot vest.
func (d *ShareholdingDetails) checkVestings(faults *fault.Fields, shares Decimal, issued Date) {
	if len(d.Vestings) == 0 {
		return
	}
	if d.VestingSchedule != "" {
		faults.Add("/vestings", "ambiguous", "Shares vest by either a schedule or listed instalments.")
		return
	}
	_, err := vesting.Project(vesting.Award{Quantity: shares, GrantDate: issued, Places: max(shares.Scale(), 0), Vestings: d.Vestings}, vesting.Terms{}, nil)
	addVestingFaults(faults, "", err)
}

// vests reports whether the details have a vesting schedule or listed instalments.
func (d *ShareholdingDetails) vests() bool { return d.VestingSchedule != "" || len(d.Vestings) > 0 }

// listedFor returns the listed instalments of a part of the present shares, in present shares. The
// cumulative sums of the instalments are divided in proportion and rounded down.
func (h *Shareholding) listedFor(part Decimal) []vesting.Vesting {
	return listed(h.Vestings, quotient(part.Rat(), h.original().Rat()), max(part.Scale(), h.Shares.Scale(), 0))
}

// listedUpTo returns the listed instalments of the given number of shares that vest first.
func (h *Shareholding) listedUpTo(most Decimal) (kept []vesting.Vesting) {
	left := most
	for _, instalment := range h.listedFor(h.Shares) {
		instalment.Quantity = instalment.Quantity.Min(left)
		if left = left.Sub(instalment.Quantity); instalment.Quantity.Sign() > 0 {
			kept = append(kept, instalment)
		}
	}
	return kept
}

// listed multiplies instalments by a factor. It rounds down their cumulative sums to the given
// number of decimal places.
func listed(instalments []vesting.Vesting, by *big.Rat, places int) (multiplied []vesting.Vesting) {
	sum, counted := new(big.Rat), Decimal{}
	for _, instalment := range instalments {
		sum.Add(sum, instalment.Quantity.Rat())
		until := exact.RoundDown(new(big.Rat).Mul(sum, by), places)
		if quantity := until.Sub(counted); quantity.Sign() > 0 {
			multiplied = append(multiplied, vesting.Vesting{Date: instalment.Date, Quantity: quantity})
		}
		counted = until
	}
	return multiplied
}

// sameVesting reports whether both have the same vesting.
func (d *ShareholdingDetails) sameVesting(other *ShareholdingDetails) bool {
	return d.VestingSchedule == other.VestingSchedule && d.VestingStart == other.VestingStart &&
		slices.EqualFunc(d.Vestings, other.Vestings, func(a, b vesting.Vesting) bool { return a.Date == b.Date && a.Quantity.Equal(b.Quantity) })
}
