package captable

import (
	"strconv"

	"equity/captable/conversion"
)

// mostRoundConvertibles limits the work for a round: 2,000 convertibles with different terms take
// half a second.
const mostRoundConvertibles = 2_000

// RoundTerms are the terms of a priced round over the present cap table. Amounts are in the
// organization's currency.
type RoundTerms struct {
	// Date is the closing date. Interest on notes accrues until then.
	Date Date `json:"date,omitzero"`
	// PreMoney, PostMoney or PricePerShare sets the price. Exactly one of them is present.
	PreMoney      *Decimal `json:"preMoney,omitempty"`
	PostMoney     *Decimal `json:"postMoney,omitempty"`
	PricePerShare *Decimal `json:"pricePerShare,omitempty"`
	// Convention determines the divisor of the valuation.
	Convention conversion.Convention `json:"convention,omitempty"`
	NewMoney   []RoundInvestment     `json:"newMoney,omitempty"`
	Pool       *RoundPool            `json:"pool,omitempty"`
	// OptionsPromised is the number of promised shares that the pools do not contain.
	OptionsPromised Decimal `json:"optionsPromised,omitzero"`
	// Convertibles are the converting instruments with their elections; nil for all outstanding
	// ones without elections.
	Convertibles []RoundElection `json:"convertibles,omitzero"`
	Security     RoundSecurity   `json:"security"`
	// ProRata are the holders who use their pro rata right.
	ProRata []HolderRef `json:"proRata,omitempty"`
}

// RoundInvestment is the new money of one investor.
type RoundInvestment struct {
	Investor RoundInvestor `json:"investor"`
	Amount   Decimal       `json:"amount"`
}

// RoundInvestor is a holder, or a new investor with a name only.
type RoundInvestor struct {
	HolderRef
	Name string `json:"name,omitempty"`
	// Kind is individual or institution, for a new investor.
	Kind string `json:"kind,omitempty"`
}

// RoundPool is the size of the available pool after the round. Target is a fraction of all
// shares; Increase is added to the present size.
type RoundPool struct {
	Target   *Decimal `json:"target,omitempty"`
	Increase *Decimal `json:"increase,omitempty"`
	// Of is the pool to increase, and NewPlan a plan to create for it. Both may be absent if the
	// organization has exactly one pool.
	Of      *PoolRef      `json:"of,omitempty"`
	NewPlan *RoundNewPlan `json:"newPlan,omitempty"`
}

// RoundNewPlan is a plan with one pool of the same name.
type RoundNewPlan struct {
	Name     string     `json:"name"`
	Security SecurityID `json:"security"`
}

// RoundElection is a convertible in the round. Elects is the later convertible whose terms it
// adopts under its most favoured nation right.
type RoundElection struct {
	Holding InstrumentID `json:"holding"`
	Elects  InstrumentID `json:"elects,omitzero"`
}

// RoundSecurity is the class that the round issues: an existing one by its id, or a new one by
// its name and other terms.
type RoundSecurity struct {
	ID SecurityID `json:"id,omitzero"`
	SecurityTerms
}

// party is a participant of a round: a holder, or a new investor with a name only.
type party struct {
	entity EntityID
	name   string
}

// round contains the terms of a round with the records to which they refer.
type round struct {
	terms     RoundTerms
	currency  string
	places    int // decimal places of the shares that the round issues
	investors []party
	rights    []party
	converts  []*Instrument
	shares    map[EntityID]Decimal // before the round, as converted, with options and warrants
	company   conversion.Company
	problem   conversion.Round
}

// PlanRound computes the outcome of a round over the cap table at the end of its day. It changes
// no state. The error lists every invalid field, or reports a conflict between terms. The
// function name returns the name of a holder.
func (s *State) PlanRound(terms RoundTerms, m Moment, name func(EntityID) string) (RoundOutcome, error) {
	r, err := s.round(terms, m, name)
	if err != nil {
		return RoundOutcome{}, err
	}
	solution, err := r.problem.Solve()
	if err != nil {
		return RoundOutcome{}, Refuse(CodeConflict, err.Error())
	}
	return r.outcome(solution, name), nil
}

// round resolves the references of the terms. The error lists all invalid fields.
func (s *State) round(terms RoundTerms, m Moment, name func(EntityID) string) (*round, error) {
	var faults Faults
	r := &round{terms: terms, currency: m.Currency}
	if terms.Date.IsZero() {
		faults.Add("/date", "required", "A date is required.")
	}
	r.places = terms.Security.places(s, &faults, m)
	terms.Pool.check(s, &faults)
	r.investors, r.rights = terms.investors(&faults, m), terms.holders(&faults, m)
	r.converts = s.converting(terms, &faults, m)
	if n := len(r.converts); n > mostRoundConvertibles {
		faults.Add("/convertibles", "tooMany", strconv.Itoa(n)+" convertibles would convert. At most "+strconv.Itoa(mostRoundConvertibles)+" convert in one round.")
		return nil, faults.Err()
	}
	r.company, r.shares = s.companyOn(terms.Date)
	r.company.OptionsPromised = terms.OptionsPromised
	r.state(name)
	for _, fault := range r.problem.Faults() {
		faults.Add(r.pointer(fault.Pointer), fault.Code, r.message(fault))
	}
	return r, faults.Err()
}
