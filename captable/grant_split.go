package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// splitGrants restates the grants of the class. Each quantity is rounded down separately and the
// total is their sum. The figures of a grant therefore balance, like those of its pool.
func (e SecuritySplit) splitGrants(s *State, security *Security, stamp Stamp) {
	for grant := range s.Copy().Grants() { // iterate over a copy, because the loop changes the grants
		if grant.Security != e.ID || grant.Undone() {
			continue
		}
		if grant.reserved() && grant.Status.Outstanding() {
			after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
			s.classes.reserveFor(grant, after.Left().Sub(grant.Left()), stamp)
		}
		s.changeGrant(grant.ID, stamp, func(g *Grant) { e.changeGrant(g, security.Places(), stamp) })
	}
}

// changeGrant applies the split to one grant. A grant without a remaining share ends, because it is
// paid in cash.
func (e SecuritySplit) changeGrant(g *Grant, places int, stamp Stamp) {
	past := GrantPast{Until: e.Date, Ratio: e.Ratio, GrantAmounts: g.GrantAmounts}
	g.GrantAmounts = e.after(g, places)
	g.Requests = slices.Clone(g.Requests)
	for i := range g.Requests {
		request := &g.Requests[i]
		if past.Requested == nil {
			past.Requested = map[RequestID]Decimal{}
		}
		past.Requested[request.ID] = request.Quantity
		request.Quantity = e.Ratio.apply(request.Quantity, places)
	}
	g.Before = append(slices.Clip(g.Before), past)
	if g.Status.Outstanding() && g.Left().IsZero() { // the rest is less than one share and is paid in cash
		g.Status = StatusCancelled
		g.End = &End{Date: e.Date, Reason: "split", At: stamp.At, By: stamp.By}
	}
}

// after returns the amounts of a grant after the split, with prices computed from the exact ones.
func (e SecuritySplit) after(g *Grant, places int) GrantAmounts {
	after := e.AmountsAfter(&g.GrantAmounts, places)
	after.ExercisePrice = e.Ratio.restatedPrice(g.ExercisePrice, g.pastPrices(func(a *GrantAmounts) *Price { return a.ExercisePrice }))
	after.MarketValue = e.Ratio.restatedPrice(g.MarketValue, g.pastPrices(func(a *GrantAmounts) *Price { return a.MarketValue }))
	for n := range after.Repricings {
		restated := func(price Price, of func(*Repricing) *Price) Price {
			return *e.Ratio.restatedPrice(&price, g.pastPrices(func(a *GrantAmounts) *Price {
				if n >= len(a.Repricings) { // the split precedes the repricing
					return nil
				}
				return of(&a.Repricings[n])
			}))
		}
		repricing := &after.Repricings[n]
		repricing.From = restated(g.Repricings[n].From, func(r *Repricing) *Price { return &r.From })
		repricing.To = restated(g.Repricings[n].To, func(r *Repricing) *Price { return &r.To })
	}
	return after
}

// pastPrices returns a price of the grant before each split.
func (g *Grant) pastPrices(of func(*GrantAmounts) *Price) []pastPrice {
	return pastOf(g.Before, func(past GrantPast) pastPrice { return pastPrice{of(&past.GrantAmounts), past.Ratio} })
}

// ExactPrice returns the unrounded exercise price, or nil for a grant without a price.
func (g *Grant) ExactPrice() *big.Rat {
	return exactPrice(g.ExercisePrice, g.pastPrices(func(a *GrantAmounts) *Price { return a.ExercisePrice }))
}

// paidFor returns the exact cost of the shares if their rounded price does not determine it, and
// nil otherwise.
func (g *Grant) paidFor(shares Decimal) *Consideration {
	price := g.ExercisePrice
	if price == nil || price.Currency != "" || g.ExactPrice().Cmp(price.Amount.Rat()) == 0 {
		return nil
	}
	return &Consideration{Cash: exact.RoundHalfUp(new(big.Rat).Mul(g.ExactPrice(), shares.Rat()), exact.Places)}
}

// AmountsAfter returns the amounts of a grant of the class after the split. Places is the number
// of decimal places of a share. The deducted and the remaining quantities are each rounded down,
// and their sum is the new total.
func (e SecuritySplit) AmountsAfter(a *GrantAmounts, places int) GrantAmounts {
	split := func(shares Decimal) Decimal { return e.Ratio.apply(shares, places) }
	after := GrantAmounts{
		Quantity: split(a.Left()), ExercisePrice: e.Ratio.applyPrice(a.ExercisePrice), MarketValue: e.Ratio.applyPrice(a.MarketValue),
	}
	if a.Terms != nil {
		after.Terms = new(a.Terms.Restated(split))
	}
	after.Repricings = e.repricingsAfter(a.Repricings)
	for _, deduction := range a.Deductions {
		deduction.Quantity, deduction.Unvested = split(deduction.Quantity), split(deduction.Unvested)
		after.Quantity = after.Quantity.Add(deduction.Quantity)
		after.Deductions = append(after.Deductions, deduction)
	}
	after.Vestings, after.Accelerations = vestingsAfter(a.Vestings, after.Quantity, split), vestingsAfter(
		a.Accelerations, after.Quantity, split,
	)
	return after
}

// vestingsAfter restates instalments. Their sum is limited to the total, which may be less than
// the sum of its parts after rounding. Instalments of zero are omitted.
func vestingsAfter(before []vesting.Vesting, whole Decimal, split func(Decimal) Decimal) (after []vesting.Vesting) {
	for _, v := range before {
		v.Quantity = split(v.Quantity).Min(whole)
		whole = whole.Sub(v.Quantity)
		if !v.Quantity.IsZero() {
			after = append(after, v)
		}
	}
	return after
}

// outstandingAfter returns the outstanding quantity of a pool's grants of the class after the split.
func (e SecuritySplit) outstandingAfter(s *State, ref PoolRef, security *Security) Decimal {
	left := Decimal{}
	for grant := range s.Grants() {
		if grant.Ref() == ref && grant.Security == e.ID && grant.Status.Outstanding() {
			left = left.Add(e.Ratio.apply(grant.Left(), security.Places()))
		}
	}
	return left
}

// grantsFit reports whether the restated figures of all grants of the class fit into the number
// format.
func (e SecuritySplit) grantsFit(s *State, security *Security) bool {
	for grant := range s.Grants() {
		if grant.Security != e.ID || grant.Undone() {
			continue
		}
		after := e.AmountsAfter(&grant.GrantAmounts, security.Places())
		if !after.Quantity.Fits() || !after.ExercisePrice.fits() || !after.MarketValue.fits() || len(after.Repricings) > 0 && !after.Repricings[0].From.fits() {
			return false
		}
	}
	return true
}

// Repricing is a change of the exercise price of a grant.
type Repricing struct {
	Date Date `json:"date"`
	// From is the exercise price before Date, and To the price from Date on.
	From   Price  `json:"from"`
	To     Price  `json:"to"`
	Reason string `json:"reason,omitempty"`
}

// RepriceGrants lowers the exercise price of outstanding options of a plan. Without Options, it
// applies to all options issued by the day at a higher price. It never raises a price.
type RepriceGrants struct {
	Plan PlanID `json:"-"`
	// Pool restricts the command to one pool of the plan.
	Pool PoolID `json:"pool,omitzero"`
	// Options lists the ids of the grants to reprice.
	Options       []GrantID `json:"options,omitempty"`
	ExercisePrice Price     `json:"exercisePrice"`
	Date          Date      `json:"date"`
	Reason        string    `json:"reason,omitempty"`
	Source        *Source   `json:"-"`
}

// OptionRepriced records the new exercise price and the previous one.
type OptionRepriced struct {
	ID GrantID `json:"id"`
	Repricing
	Source *Source `json:"source,omitempty"`
}

// decide returns one event per grant. Either all grants are repriced or none.
func (c RepriceGrants) decide(s *State, m DecideContext) ([]Event, error) {
	plan := &Plan{} // for grants outside a plan, which are always listed
	if !c.Plan.IsZero() || len(c.Options) == 0 {
		var err error
		if plan, err = s.plans.plan(c.Plan); err != nil {
			return nil, err
		}
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	checkPrice(&faults, "/exercisePrice", &c.ExercisePrice)
	if _, known := plan.pool(c.Pool); !known && !c.Pool.IsZero() {
		faults.Add("/pool", "unknownReference", "The plan has no such pool.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	price := *c.ExercisePrice.in(m.Currency)
	grants, err := c.chosen(s, &price)
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, grant := range grants {
		if err := grant.checkRepricing(c.Date, &price); err != nil {
			return nil, err
		}
		events = append(events, OptionRepriced{grant.ID, Repricing{c.Date, *grant.ExercisePrice, price, c.Reason}, c.Source})
	}
	if len(events) == 0 {
		return nil, fault.Refuse(
			fault.Conflict, "The new price must be below the exercise price of at least one outstanding option of the plan.",
		).
			With("exercisePrice", price.Amount.String())
	}
	return events, nil
}

// chosen returns the listed grants, or else all grants with a higher price.
func (c RepriceGrants) chosen(s *State, price *Price) (grants []*Grant, err error) {
	mine := func(grant *Grant) bool { return grant.Plan == c.Plan && (c.Pool.IsZero() || grant.Pool == c.Pool) }
	for i, id := range c.Options {
		var grant *Grant
		if grant, err = s.grants.outstanding(id); err != nil {
			return nil, err
		}
		if !mine(grant) || slices.Contains(c.Options[:i], id) {
			return nil, fault.Refuse(
				fault.Conflict, "Each option must be of this plan and pool, and be listed once.",
			).With("option", id.String())
		}
		grants = append(grants, grant)
	}
	if len(c.Options) > 0 {
		return grants, nil
	}
	for grant := range s.Grants() {
		if mine(grant) && grant.Status.Outstanding() && grant.costsMore(price) && !grant.LeftOn(c.Date).IsZero() {
			grants = append(grants, grant)
		}
	}
	return grants, nil
}

// costsMore reports whether the exercise price of the grant is higher, in the same currency.
func (g *Grant) costsMore(price *Price) bool {
	return g.ExercisePrice != nil && g.ExercisePrice.Currency == price.Currency && g.ExercisePrice.Amount.Cmp(price.Amount) > 0
}

// checkRepricing refuses a price that is not lower, and a day before a deduction or repricing at
// the old price.
func (g *Grant) checkRepricing(on Date, price *Price) error {
	if !g.costsMore(price) {
		refusal := fault.Refuse(
			fault.Conflict, "The new price must be below the exercise price of the option, in the same currency.",
		).With("option", g.ID.String())
		if g.ExercisePrice != nil {
			refusal = refusal.With("exercisePrice", g.ExercisePrice.Amount.String())
		}
		return refusal
	}
	if last := max(g.IssueDate, g.lastTaking()); on < last {
		return fault.Refuse(fault.Conflict, "The date must not be before the issue or the last change of the option, "+last.String()+".").
			With("option", g.ID.String()).With("date", last.String())
	}
	if g.LeftOn(on).IsZero() { // the options have lapsed, even if the lapse is not recorded
		return fault.Refuse(
			fault.Conflict, "The option cannot be repriced: no shares of it are outstanding on the day.",
		).With("option", g.ID.String())
	}
	return nil
}

// priceOn returns the exercise price on the day, in shares of these amounts.
func (a *GrantAmounts) priceOn(day Date) *Price {
	for i := range a.Repricings {
		if day < a.Repricings[i].Date {
			return &a.Repricings[i].From
		}
	}
	return a.ExercisePrice
}

// repricingsAfter restates the recorded prices after a split.
func (e SecuritySplit) repricingsAfter(before []Repricing) (after []Repricing) {
	for _, repricing := range before {
		repricing.From, repricing.To = *e.Ratio.applyPrice(&repricing.From), *e.Ratio.applyPrice(&repricing.To)
		after = append(after, repricing)
	}
	return after
}

func (e OptionRepriced) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		g.ExercisePrice = &e.To
		g.Repricings = append(slices.Clip(g.Repricings), e.Repricing)
	})
}

// EventType returns the name of the event in the journal.
func (OptionRepriced) EventType() string { return "optionRepriced" }

// Creates returns nil.
func (OptionRepriced) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionRepriced) Records(s *State) []any { return records(s.Grant(e.ID)) }
