package captable

import "slices"

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
func (c RepriceGrants) decide(s *State, m Moment) ([]Event, error) {
	plan := &Plan{} // for grants outside a plan, which are always listed
	if !c.Plan.IsZero() || len(c.Options) == 0 {
		var err error
		if plan, err = s.plans.plan(c.Plan); err != nil {
			return nil, err
		}
	}
	var faults Faults
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
		return nil, Refuse(CodeConflict, "No outstanding option of the plan costs more.").With("exercisePrice", price.Amount.String())
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
			return nil, Refuse(CodeConflict, "The option is not of this plan and pool, or named twice.").With("option", id.String())
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
		refusal := Refuse(CodeConflict, "The option costs no more than that, or in another currency.").With("option", g.ID.String())
		if g.ExercisePrice != nil {
			refusal = refusal.With("exercisePrice", g.ExercisePrice.Amount.String())
		}
		return refusal
	}
	if last := max(g.IssueDate, g.lastTaking()); on < last {
		return Refuse(CodeConflict, "Something happened to the option at its old price after the day.").
			With("option", g.ID.String()).With("date", last.String())
	}
	if g.LeftOn(on).IsZero() { // the options have lapsed, even if the lapse is not recorded
		return Refuse(CodeConflict, "Nothing was left of the option on the day.").With("option", g.ID.String())
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
