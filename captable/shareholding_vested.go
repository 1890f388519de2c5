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
// remaining shares vest in the first instalments. A transfer divides the vested shares of the
// whole in proportion: results first, and the rest for the balance, so that the parts sum to the
// whole on each day. A split multiplies the instalments.
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
			Quantity: h.Shares, GrantDate: h.IssueDate, Places: max(places, h.Shares.Scale()), Vestings: h.listedFor(h.Shares),
			CatchUp: h.catchUp(),
		}, vesting.Terms{}, nil)
		return instalments, err == nil
	}
	id, _ := ParseID[VestingSchedule](h.VestingSchedule) // an invalid id matches no schedule
	schedule, known := s.VestingSchedule(id)
	if !known {
		return nil, false
	}
	first, size := s.shares.awardOf(h)
	if part, divided := partOfVesting(s, first, s.shares.laterSplits(h)); divided {
		return part, true
	}
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
	later := r.laterSplits(h)
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

// laterSplits returns the number of splits after the day as of which the shareholding is read.
func (r *shareRegister) laterSplits(h *Shareholding) int {
	recorded, known := r.records.Get(h.ID)
	if !known {
		return 0
	}
	return len(recorded.Before) - len(h.Before)
}

// beforeSplits returns the shareholding without its last splits.
func (h *Shareholding) beforeSplits(splits int) *Shareholding {
	left := len(h.Before) - splits
	if splits <= 0 || left < 0 {
		return h
	}
	was := *h
	was.Shares, was.FromTreasury, was.Before = h.Before[left].Shares, h.Before[left].FromTreasury, h.Before[:left]
	return &was
}

// countedOn returns the shareholding in shares of the day.
func (h *Shareholding) countedOn(day Date) *Shareholding {
	splits := 0
	for _, count := range h.Before {
		if count.Until > day {
			splits++
		}
	}
	return h.beforeSplits(splits)
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
		faults.Add("/vestings", "ambiguous", "The shares must have either a vesting schedule or listed instalments, not both.")
		return
	}
	_, err := vesting.Project(
		vesting.Award{Quantity: shares, GrantDate: issued, Places: max(shares.Scale(), 0), Vestings: d.Vestings}, vesting.Terms{}, nil,
	)
	addVestingFaults(faults, "", err)
}

// vests reports whether the details have a vesting schedule or listed instalments.
func (d *ShareholdingDetails) vests() bool { return d.VestingSchedule != "" || len(d.Vestings) > 0 }

// partOfVesting returns the instalments of shares that result from others with the same vesting
// through a transfer, a conversion, a reissue or a consolidation: the vested shares of the whole,
// divided among the results in order. It reports false for other shares. Later is the number of
// splits after the day of the read.
func partOfVesting(s *State, h *Shareholding, later int) (vesting.Schedule, bool) {
	origins := s.shares.dividedFrom(h)
	if len(origins) == 0 {
		return nil, false
	}
	whole, wholes := Decimal{}, make([]vesting.Schedule, 0, len(origins))
	var results []ShareholdingID
	for _, from := range origins {
		if results = from.Results; from.Security == h.Security {
			from = from.beforeSplits(later)
		} else {
			from = from.countedOn(from.End.Date)
		}
		schedule, vests := vestingOf(s, from)
		if !vests {
			return nil, false
		}
		whole, wholes = whole.Add(from.Shares), append(wholes, cappedVesting(schedule, from.Shares))
	}
	division := s.shares.divisionAmong(results, h.ID, later)
	return mappedVesting(wholes, func(vested Decimal) Decimal { return division.of(vested, whole, s.SharePlaces(h.Security)) }), true
}

// dividedFrom returns the shareholdings with the same vesting whose vested shares are divided among
// h and others. It returns nil for other shares.
func (r *shareRegister) dividedFrom(h *Shareholding) (all []*Shareholding) {
	if h.Origin == nil || !slices.Contains(
		[]Status{StatusTransferred, StatusConverted, StatusReissued, StatusConsolidated}, h.Origin.Kind,
	) {
		return nil
	}
	for _, id := range h.Origin.From {
		from, known := r.records.Get(id)
		if !known || !from.sameVesting(&h.ShareholdingDetails) {
			return nil
		}
		all = append(all, from)
	}
	return all
}

// divisionOfShares is the division of a whole among results. It holds the shares of all results,
// of those before one result, and of that one.
type divisionOfShares struct {
	all, own Decimal
	before   []Decimal
	last     bool
}

// divisionAmong returns the division of a whole among the results for one of them. Later is the
// number of splits after the day of the read.
func (r *shareRegister) divisionAmong(results []ShareholdingID, of ShareholdingID, later int) (d divisionOfShares) {
	found := false
	for i, id := range results {
		result, known := r.records.Get(id)
		if !known {
			continue
		}
		shares := result.beforeSplits(later).Shares
		d.all = d.all.Add(shares)
		switch {
		case id == of:
			found, d.own, d.last = true, shares, i == len(results)-1
		case !found:
			d.before = append(d.before, shares)
		}
	}
	return d
}

// of returns the part of the result in the vested shares of the whole. Each result before it takes
// its proportional part of the rest, rounded down; the last one takes the rest.
func (d divisionOfShares) of(vested, whole Decimal, places int) Decimal {
	part := func(rest, shares, of Decimal) Decimal {
		return exact.RoundDown(quotient(new(big.Rat).Mul(rest.Rat(), shares.Rat()), of.Rat()), places)
	}
	rest, left := vested, d.all
	if !whole.Equal(d.all) { // a conversion, or the rounding of a split
		rest = part(vested, d.all, whole)
	}
	for _, shares := range d.before {
		rest, left = rest.Sub(part(rest, shares, left)), left.Sub(shares)
	}
	if d.last {
		return rest
	}
	return part(rest, d.own, left)
}

// cappedVesting limits the cumulative quantities of a schedule.
func cappedVesting(schedule vesting.Schedule, most Decimal) vesting.Schedule {
	return mappedVesting([]vesting.Schedule{schedule}, func(vested Decimal) Decimal { return vested.Min(most) })
}

// mappedVesting returns the instalments of the sum of several schedules after a function of the
// cumulative quantity.
func mappedVesting(schedules []vesting.Schedule, of func(vested Decimal) Decimal) (mapped vesting.Schedule) {
	var days []Date
	for _, schedule := range schedules {
		for _, instalment := range schedule {
			days = append(days, instalment.Date)
		}
	}
	slices.Sort(days)
	counted := Decimal{}
	for _, day := range slices.Compact(days) {
		vested := Decimal{}
		for _, schedule := range schedules {
			vested = vested.Add(schedule.On(day))
		}
		if vested = of(vested); vested.Cmp(counted) > 0 {
			mapped = append(mapped, vesting.Instalment{Date: day, Quantity: vested.Sub(counted), Cumulative: vested})
			counted = vested
		}
	}
	return mapped
}

// listedFor returns the listed instalments of a part of the present shares, in present shares. The
// cumulative sums of the instalments are divided in proportion and rounded down.
func (h *Shareholding) listedFor(part Decimal) []vesting.Vesting {
	return listed(h.Vestings, h.listedUntil(part))
}

// listedRest returns the listed instalments that remain after a part with the instalments of
// [Shareholding.listedFor].
func (h *Shareholding) listedRest(part Decimal) []vesting.Vesting {
	all, gone := h.listedUntil(h.Shares), h.listedUntil(part)
	return listed(h.Vestings, func(sum *big.Rat) Decimal { return all(sum).Sub(gone(sum)) })
}

// listedUntil returns the function from the cumulative sum of the listed instalments to that of a
// part of the present shares, rounded down.
func (h *Shareholding) listedUntil(part Decimal) func(sum *big.Rat) Decimal {
	by, places := quotient(part.Rat(), h.original().Rat()), max(part.Scale(), h.Shares.Scale(), 0)
	return func(sum *big.Rat) Decimal { return exact.RoundDown(new(big.Rat).Mul(sum, by), places) }
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

// listed returns the instalments after a function of their cumulative sum.
func listed(instalments []vesting.Vesting, until func(sum *big.Rat) Decimal) (mapped []vesting.Vesting) {
	sum, counted := new(big.Rat), Decimal{}
	for _, instalment := range instalments {
		sum.Add(sum, instalment.Quantity.Rat())
		vested := until(sum)
		if quantity := vested.Sub(counted); quantity.Sign() > 0 {
			mapped = append(mapped, vesting.Vesting{Date: instalment.Date, Quantity: quantity})
			counted = vested
		}
	}
	return mapped
}

// sameVesting reports whether both have the same vesting.
func (d *ShareholdingDetails) sameVesting(other *ShareholdingDetails) bool {
	return d.VestingSchedule == other.VestingSchedule && d.VestingStart == other.VestingStart &&
		slices.EqualFunc(
			d.Vestings, other.Vestings, func(a, b vesting.Vesting) bool { return a.Date == b.Date && a.Quantity.Equal(b.Quantity) },
		)
}
