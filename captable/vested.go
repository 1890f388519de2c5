package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// Vested is how much of what somebody holds is theirs for good, and what comes next.
type Vested struct {
	Vested   Decimal
	Unvested Decimal
	// Next is the first instalment after the day; nil when all has vested, or when the
	// rest waits for something that has not happened.
	Next *vesting.Instalment
}

// VestedOn returns how much of a shareholding, as it stood on the day, had vested; false
// when it does not vest. Shares of an early exercise vest by their grant, others by the
// schedule that they name.
//
// Of shares that vest by a schedule, a cancellation or a repurchase takes those that vest
// last: the remaining shares vest as the first so many of those before. A transfer divides
// them in proportion, and a split stretches the whole.
func (s *State) VestedOn(h *Shareholding, day Date) (Vested, bool) {
	if vested, early := s.exerciseVesting(day).vestedOn(h); early {
		return vested, true
	}
	return s.vestedBySchedule(h, day)
}

// vestedBySchedule returns how much of a shareholding had vested by the schedule that it
// names; false when it names none.
func (s *State) vestedBySchedule(h *Shareholding, day Date) (Vested, bool) {
	instalments, ok := s.vestingOf(h)
	if !ok {
		return Vested{}, false
	}
	last := day
	stopped := h.stoppedBy(day)
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

// vestingOf gives the instalments of the award that the shares are of: it may have been
// for more than there are left.
func (s *State) vestingOf(h *Shareholding) (vesting.Schedule, bool) {
	places := s.placesOf(h.Security)
	if len(h.Vestings) > 0 {
		instalments, err := vesting.Project(vesting.Award{
			Quantity: h.Shares, GrantDate: h.IssueDate, Places: max(places, h.Shares.Scale()), Vestings: h.listedFor(h.Shares), CatchUp: h.catchUp(),
		}, vesting.Terms{}, nil)
		return instalments, err == nil
	}
	id, _ := ParseID[VestingSchedule](h.VestingSchedule) // of another text there is none
	schedule, known := s.VestingSchedule(id)
	if !known {
		return nil, false
	}
	first, size := s.awardOf(h)
	scaled, err := schedule.scaled(new(big.Rat).Quo(size, first.original().Rat()))
	if err != nil {
		return nil, false
	}
	instalments, err := vesting.Project(vesting.Award{
		Quantity: exact.RoundDown(size, places), GrantDate: first.IssueDate, Start: h.VestingStart, Places: places, CatchUp: h.catchUp(),
	}, scaled, nil)
	return instalments, err == nil
}

// catchUp leaves instalments on their days if the vesting stopped before the shares were
// issued: they result from stopped shares.
func (h *Shareholding) catchUp() vesting.CatchUp {
	if h.Termination != nil && h.Termination.Date < h.IssueDate {
		return vesting.AsScheduled
	}
	return vesting.OnGrantDate
}

// awardOf returns the first shareholding of the award, and the size of the whole award in the
// shares of h, with the shares that were given back since. If h is read as of a past day, the
// shareholdings before it are read without the splits after that day too.
func (s *State) awardOf(h *Shareholding) (first *Shareholding, size *big.Rat) {
	first, size = h, h.Shares.Rat()
	later := 0
	if recorded, known := s.Shareholding(h.ID); known {
		later = len(recorded.Before) - len(h.Before)
	}
	for {
		before, ok := s.leftOf(first)
		if !ok {
			return first, size
		}
		before = before.beforeSplits(later)
		// What was left is to what there was before as the award today is to what it was.
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

// atEnd returns the shares of an ended shareholding on the day of its end, of which others
// came: a split since then restated both.
func (h *Shareholding) atEnd(result *Shareholding) Decimal {
	if since := len(result.Before); since > 0 && since <= len(h.Before) {
		return h.Before[len(h.Before)-since].Shares
	}
	return h.Shares
}

// leftOf finds the shares of which a part was given back, and these were left.
func (s *State) leftOf(h *Shareholding) (*Shareholding, bool) {
	if h.Origin == nil || h.Origin.Kind != StatusCancelled && h.Origin.Kind != StatusRepurchased {
		return nil, false
	}
	before, known := s.Shareholding(h.Origin.From[0])
	return before, known && before.VestingSchedule == h.VestingSchedule
}

// placesOf is into how many places a share of the security is divided.
func (s *State) placesOf(id SecurityID) int {
	if security, known := s.Security(id); known {
		return security.Places()
	}
	return 0
}

// scaled gives the terms of the schedule for shares that were split by the ratio.
func (v *VestingSchedule) scaled(ratio *big.Rat) (vesting.Terms, error) {
	terms, err := v.Compile()
	if err != nil {
		return terms, err
	}
	return terms.Restated(func(shares Decimal) Decimal {
		return exact.RoundDown(new(big.Rat).Mul(shares.Rat(), ratio), exact.Places)
	}), nil
}

// VestsFor reports whether something of the holder vests by the schedule, or ever did.
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
