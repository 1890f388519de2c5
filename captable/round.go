package captable

import "equity/captable/conversion"

// RoundTerms are a priced round over the cap table as it is: what its investors offer
// and on which terms. Money is in the organization's currency.
type RoundTerms struct {
	// Date is when it closes: interest on notes is counted until then.
	Date Date `json:"date,omitzero"`
	// PreMoney, PostMoney or PricePerShare prices the round: exactly one of them.
	PreMoney      *Decimal `json:"preMoney,omitempty"`
	PostMoney     *Decimal `json:"postMoney,omitempty"`
	PricePerShare *Decimal `json:"pricePerShare,omitempty"`
	// Convention says what the valuation is divided by.
	Convention conversion.Convention `json:"convention,omitempty"`
	NewMoney   []RoundInvestment     `json:"newMoney,omitempty"`
	Pool       *RoundPool            `json:"pool,omitempty"`
	// OptionsPromised are shares promised beyond what the pools have.
	OptionsPromised Decimal `json:"optionsPromised,omitzero"`
	// Convertibles are those that convert, with their elections; absent for all that are
	// outstanding, without any.
	Convertibles []RoundElection `json:"convertibles,omitzero"`
	Security     RoundSecurity   `json:"security"`
	// ProRata are the holders who buy of the round what they own of the company.
	ProRata []HolderRef `json:"proRata,omitempty"`
}

// RoundInvestment is the new money of one investor.
type RoundInvestment struct {
	Investor RoundInvestor `json:"investor"`
	Amount   Decimal       `json:"amount"`
}

// RoundInvestor is a holder, or somebody who is none yet and has a name only.
type RoundInvestor struct {
	HolderRef
	Name string `json:"name,omitempty"`
	// Kind is individual or institution, of somebody who is no holder yet.
	Kind string `json:"kind,omitempty"`
}

// RoundPool says how much is left to grant after the round: a part of all shares, or what
// there is and an increase.
type RoundPool struct {
	Target   *Decimal `json:"target,omitempty"`
	Increase *Decimal `json:"increase,omitempty"`
	// Of is the pool that grows, NewPlan a plan that is made for it; neither where there is
	// one pool only.
	Of      *PoolRef      `json:"of,omitempty"`
	NewPlan *RoundNewPlan `json:"newPlan,omitempty"`
}

// RoundNewPlan is a plan with one pool, both of the name.
type RoundNewPlan struct {
	Name     string     `json:"name"`
	Security SecurityID `json:"security"`
}

// RoundElection is a convertible in the round, and the later one whose terms it takes by
// its right as a most favoured nation.
type RoundElection struct {
	Holding InstrumentID `json:"holding"`
	Elects  InstrumentID `json:"elects,omitzero"`
}

// RoundSecurity is what the round issues: a class that there is, or a new one by its name
// and whatever else its terms say.
type RoundSecurity struct {
	ID SecurityID `json:"id,omitzero"`
	SecurityTerms
}

// party is somebody in a round: a holder, or a newcomer with a name.
type party struct {
	entity EntityID
	name   string
}

// round is a round on its way to an outcome: its terms with everything they name found.
type round struct {
	terms     RoundTerms
	currency  string
	places    int // of the shares that it issues
	investors []party
	rights    []party
	converts  []*Instrument
	shares    map[EntityID]Decimal // held before, as converted, with options and warrants
	company   conversion.Company
	problem   conversion.Round
}

// PlanRound solves a round over the cap table at the end of its day and tells what would
// come of it; nothing changes. It is refused with every wrong field at once, or as a
// conflict with the terms that contradict one another. Name gives a holder's name.
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

// round finds what the terms name, or notes what is wrong with them.
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
	r.company, r.shares = s.companyOn(terms.Date)
	r.company.OptionsPromised = terms.OptionsPromised
	r.state(name)
	for _, fault := range r.problem.Faults() {
		faults.Add(r.pointer(fault.Pointer), fault.Code, r.message(fault))
	}
	return r, faults.Err()
}
