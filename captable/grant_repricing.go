package captable

import "slices"

// Repricing is one change of what a share of a grant costs.
type Repricing struct {
	Date Date `json:"date"`
	// From is the exercise price until the day before, To the one from the day on.
	From   Price  `json:"from"`
	To     Price  `json:"to"`
	Reason string `json:"reason,omitempty"`
}

// RepriceGrants asks to lower the exercise price of a plan's outstanding options: of
// those that are named, else of all that were made by the day and cost more. What costs
// less already is never raised by it.
type RepriceGrants struct {
	Plan PlanID `json:"-"`
	// Pool leaves out the other pools of the plan.
	Pool PoolID `json:"pool,omitzero"`
	// Options names the grants.
	Options       []GrantID `json:"options,omitempty"`
	ExercisePrice Price     `json:"exercisePrice"`
	Date          Date      `json:"date"`
	Reason        string    `json:"reason,omitempty"`
	Source        *Source   `json:"-"`
}

// OptionRepriced records another exercise price, and the one before.
type OptionRepriced struct {
	ID GrantID `json:"id"`
	Repricing
	Source *Source `json:"source,omitempty"`
}

// decide gives an event for each grant. All of them are repriced or none.
func (c RepriceGrants) decide(s *State, m Moment) ([]Event, error) {
	plan := &Plan{} // of grants outside a plan, which are always named
	if !c.Plan.IsZero() || len(c.Options) == 0 {
		var err error
		if plan, err = s.plan(c.Plan); err != nil {
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

// chosen gives the grants that are named, or those that cost more than the price.
func (c RepriceGrants) chosen(s *State, price *Price) (grants []*Grant, err error) {
	mine := func(grant *Grant) bool { return grant.Plan == c.Plan && (c.Pool.IsZero() || grant.Pool == c.Pool) }
	for i, id := range c.Options {
		var grant *Grant
		if grant, err = s.outstandingGrant(id); err != nil {
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
		if mine(grant) && grant.Status.Outstanding() && grant.costsMore(price) && !grant.leftOn(c.Date).IsZero() {
			grants = append(grants, grant)
		}
	}
	return grants, nil
}

// costsMore reports whether a share of the grant costs more, in the same currency.
func (g *Grant) costsMore(price *Price) bool {
	return g.ExercisePrice != nil && g.ExercisePrice.Currency == price.Currency && g.ExercisePrice.Amount.Cmp(price.Amount) > 0
}

// checkRepricing refuses a price that is no lower, and a day before something that was
// done at the old one.
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
	if g.leftOn(on).IsZero() { // it has lapsed, whether that is recorded already or not
		return Refuse(CodeConflict, "Nothing was left of the option on the day.").With("option", g.ID.String())
	}
	return nil
}

// priceOn is what a share cost on the day, in the amounts that these are.
func (a *GrantAmounts) priceOn(day Date) *Price {
	for i := range a.Repricings {
		if day < a.Repricings[i].Date {
			return &a.Repricings[i].From
		}
	}
	return a.ExercisePrice
}

// repricingsAfter restates the prices of the past after a split.
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

// EventType names the event in the journal.
func (OptionRepriced) EventType() string { return "optionRepriced" }

// Creates gives nothing.
func (OptionRepriced) Creates() []Created { return nil }

// Records gives the grant.
func (e OptionRepriced) Records(s *State) []any { return records(s.Grant(e.ID)) }
