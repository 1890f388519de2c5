package captable

import (
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
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
	deductions := amounts.Deductions
	if lapse, lapsed := g.lapse(day); lapsed {
		deductions = append(slices.Clip(deductions), lapse)
	}
	figures := GrantFigures{GrantQuantities: GrantQuantities{Quantity: amounts.Quantity}, LastDay: g.lastDay(day)}
	figures.lost = figures.take(deductions, day)
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
	for _, deduction := range past.Deductions {
		if !deduction.exercise() {
			kept = kept.Sub(deduction.Unvested)
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

// exercise reports whether the deduction created shares.
func (t *Deduction) exercise() bool { return t.Kind == StatusExercised || t.Kind == StatusReleased }

// exercised is one exercise of a grant. Its shares vest with the grant.
type exercised struct {
	// at is the number of splits of the grant before the exercise.
	at int
	// as is the exercise as recorded, in shares of its day.
	as Deduction
}

// exerciseOf returns the exercise that created a shareholding. It returns false if all of its
// shares had vested at the exercise.
func (g *Grant) exerciseOf(id ShareholdingID) (exercised, bool) {
	for i := range len(g.Before) + 1 {
		amounts := &g.GrantAmounts
		if i < len(g.Before) {
			amounts = &g.Before[i].GrantAmounts
		}
		for _, deduction := range amounts.Deductions {
			if deduction.Shareholding == id && deduction.Kind == StatusExercised {
				return exercised{i, deduction}, deduction.Unvested.Sign() > 0
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
	for _, deduction := range amounts.Deductions {
		switch {
		case deduction.Kind != StatusExercised:
		case deduction.Shareholding == id:
			return before, deduction.Quantity
		default:
			before = before.Add(deduction.Quantity)
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

// The commands that change the vesting of a grant.
type (
	// HappenGrant records the occurrence of a vesting event or milestone.
	HappenGrant struct {
		ID GrantID `json:"-"`
		vesting.Happening
		Source *Source `json:"-"`
	}
	// AccelerateGrant vests a part of the grant ahead of its schedule.
	AccelerateGrant struct {
		ID GrantID `json:"-"`
		// Quantity defaults to the unvested quantity.
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		Reason   string   `json:"reason,omitempty"`
		Source   *Source  `json:"-"`
	}
)

// OptionVestingChanged records a change of the vesting of a grant.
type OptionVestingChanged struct {
	ID           GrantID            `json:"id"`
	Happening    *vesting.Happening `json:"happening,omitempty"`
	Acceleration *vesting.Vesting   `json:"acceleration,omitempty"`
	Reason       string             `json:"reason,omitempty"`
	Source       *Source            `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (OptionVestingChanged) EventType() string { return "optionVestingChanged" }

// Creates returns nil.
func (OptionVestingChanged) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionVestingChanged) Records(s *State) []any { return records(s.Grant(e.ID)) }

func (c HappenGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.vesting(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := grant.checkVests(c.Date); err != nil {
		return nil, err
	}
	next := *grant
	next.Happenings = []vesting.Happening{c.Happening}
	if next.vestingFaults(&faults); len(faults) > 0 { // faults of the occurrence alone point at the fields of the body
		return nil, faults.Within("/happenings/0").Err()
	}
	next.Happenings = append(slices.Clone(grant.Happenings), c.Happening)
	if next.vestingFaults(&faults); len(faults) > 0 {
		return nil, fault.Refuse(fault.Conflict, faults[0].Message)
	}
	happening := c.Happening
	return []Event{OptionVestingChanged{ID: c.ID, Happening: &happening, Source: c.Source}}, nil
}

// decide checks an acceleration. The default quantity is the whole unvested quantity. The dates of
// the instalments do not change; the vesting only ends sooner.
func (c AccelerateGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.vesting(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	checkTaking(s, &faults, m, grant, c.Date)
	security, _ := s.Security(grant.Security)
	if c.Quantity != nil {
		checkShares(&faults, "/quantity", *c.Quantity, security)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := grant.checkVests(c.Date); err != nil {
		return nil, err
	}
	unvested := grant.On(c.Date).Unvested
	if c.Quantity == nil {
		c.Quantity = &unvested
	}
	if unvested.IsZero() && !s.classes.unlimited {
		return nil, fault.Refuse(
			fault.Conflict, "No shares can be accelerated: all have vested by that day.",
		).With("vested", grant.On(c.Date).Vested.String())
	}
	if unvested.Cmp(*c.Quantity) < 0 && !s.classes.unlimited {
		return nil, insufficient(
			unvested.String()+" shares are unvested; "+c.Quantity.String()+" were requested.", AuthorizedOf(unvested), *c.Quantity,
		)
	}
	acceleration := vesting.Vesting{Date: c.Date, Quantity: *c.Quantity}
	return []Event{OptionVestingChanged{ID: c.ID, Acceleration: &acceleration, Reason: c.Reason, Source: c.Source}}, nil
}

// vesting returns a grant that may still vest.
func (r *grantRegister) vesting(id GrantID) (*Grant, error) {
	grant, err := r.grant(id)
	switch {
	case err != nil:
		return nil, err
	case grant.Undone():
		return nil, fault.Refuse(
			fault.Conflict, "The vesting cannot change: the grant is "+string(grant.Status)+".",
		).With("status", string(grant.Status))
	case grant.Termination != nil:
		return nil, fault.Refuse(
			fault.Conflict, "The vesting cannot change: the holder's service ended on "+grant.Termination.Date.String()+".",
		).
			With("date", grant.Termination.Date.String())
	}
	return grant, nil
}

func (e OptionVestingChanged) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		if e.Happening != nil {
			g.Happenings = append(slices.Clip(g.Happenings), *e.Happening)
		}
		if e.Acceleration != nil {
			g.Accelerations = append(slices.Clip(g.Accelerations), *e.Acceleration)
		}
	})
}
