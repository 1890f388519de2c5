package captable

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"equity/captable/conversion"
	"equity/fault"
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
	// ShadowSeries determines the classes of converted shares. The default depends on the class of
	// the round: perPrice for a new preferred class, otherwise none.
	ShadowSeries ShadowSeries `json:"shadowSeries,omitempty"`
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
	table     *State
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
func (s *State) PlanRound(terms RoundTerms, m DecideContext, name func(EntityID) string) (RoundOutcome, error) {
	r, err := newRound(s, terms, m, name)
	if err != nil {
		return RoundOutcome{}, err
	}
	solution, err := r.problem.Solve()
	if err != nil {
		return RoundOutcome{}, fault.Refuse(fault.Conflict, err.Error())
	}
	return r.outcome(solution, name), nil
}

// newRound resolves the references of the terms. The error lists all invalid fields.
func newRound(s *State, terms RoundTerms, m DecideContext, name func(EntityID) string) (*round, error) {
	var faults fault.Fields
	r := &round{terms: terms, table: s, currency: m.Currency}
	if terms.Date.IsZero() {
		faults.Add("/date", "required", "A date is required.")
	}
	r.places = terms.Security.places(s, &faults, m, terms.Date)
	terms.checkSeries(s, &faults)
	terms.Pool.check(s, &faults)
	r.investors, r.rights = terms.investors(&faults, m), terms.holders(&faults, m)
	r.converts = s.instruments.converting(terms, &faults, m)
	if n := len(r.converts); n > mostRoundConvertibles {
		faults.Add("/convertibles", "tooMany",
			"At most "+strconv.Itoa(mostRoundConvertibles)+" convertibles can convert in one round; "+strconv.Itoa(n)+" would convert.")
		return nil, faults.Err()
	}
	r.company, r.shares = companyOn(s, terms.Date)
	r.company.OptionsPromised = terms.OptionsPromised
	r.state(name)
	for _, problem := range r.problem.Faults() {
		faults.Add(r.pointer(problem.Pointer), problem.Code, r.message(problem))
	}
	return r, faults.Err()
}

// investors returns the parties that invest new money.
func (t *RoundTerms) investors(faults *fault.Fields, m DecideContext) []party {
	var found []party
	for i, investment := range t.NewMoney {
		investor, at := investment.Investor, "/newMoney/"+strconv.Itoa(i)+"/investor"
		if investor.Member.IsZero() && investor.Entity.IsZero() {
			if strings.TrimSpace(investor.Name) == "" {
				faults.Add(at, "required", "Name the investor by member, entity or name.")
			}
			found = append(found, party{name: investor.Name})
			continue
		}
		found = append(found, investor.party(faults, at, m))
	}
	return found
}

// holders returns the holders who use a pro rata right.
func (t *RoundTerms) holders(faults *fault.Fields, m DecideContext) []party {
	var found []party
	for i, ref := range t.ProRata {
		at := "/proRata/" + strconv.Itoa(i)
		one := ref.party(faults, at, m)
		if slices.Contains(found, one) && !one.entity.IsZero() {
			faults.Add(at, "twice", "List each holder once.")
			continue
		}
		found = append(found, one)
	}
	return found
}

// party returns the holder, or adds faults below the pointer.
func (r HolderRef) party(faults *fault.Fields, pointer string, m DecideContext) party {
	var own fault.Fields
	holder := r.checkHolder(&own, m)
	for _, problem := range own {
		faults.Add(pointer+problem.Pointer, problem.Code, problem.Message)
	}
	return party{entity: holder.Entity, name: holder.Name}
}

// converting returns the converting instruments in the order of their issue.
func (r *instrumentRegister) converting(t RoundTerms, faults *fault.Fields, m DecideContext) []*Instrument {
	var found []*Instrument
	if t.Convertibles == nil {
		found = r.convertibles(t.Date)
	}
	for n, election := range t.Convertibles {
		at := "/convertibles/" + strconv.Itoa(n) + "/holding"
		i, known := r.records.Get(election.Holding)
		if !known {
			faults.Add(at, "unknownReference", "There is no such holding.")
			continue
		}
		was, outstanding := i.convertibleOn(t.Date)
		switch {
		case !outstanding:
			faults.Add(at, "notOutstanding", "The holding must be a convertible that is outstanding on the day of the round.")
		case slices.ContainsFunc(found, func(other *Instrument) bool { return other.ID == i.ID }):
			faults.Add(at, "twice", "List each holding once.")
		default:
			found = append(found, was)
		}
	}
	for n, i := range found {
		if i.Principal.Currency != m.Currency {
			faults.Add("/convertibles/"+strconv.Itoa(n), "otherCurrency",
				"The holding "+i.ID.String()+" must be in the currency of the round, "+m.Currency+"; it is in "+i.Principal.Currency+".")
		}
	}
	slices.SortStableFunc(found, func(a, b *Instrument) int {
		return cmp.Or(cmp.Compare(a.IssueDate, b.IssueDate), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return found
}

// state sets the problem to solve. The labels of instruments contain their ids and are unique.
func (r *round) state(name func(EntityID) string) {
	r.problem = conversion.Round{
		Company:  r.company,
		PreMoney: value(r.terms.PreMoney), PostMoney: value(r.terms.PostMoney), PricePerShare: value(r.terms.PricePerShare),
		Convention: r.terms.Convention, Fractional: true,
	}
	if pool := r.terms.Pool; pool != nil {
		r.problem.Pool = conversion.Pool{Target: value(pool.Target), Increase: value(pool.Increase)}
	}
	for i, investment := range r.terms.NewMoney {
		r.problem.NewMoney = append(r.problem.NewMoney, conversion.Investment{ID: r.investors[i].name, Amount: investment.Amount})
	}
	for _, instrument := range r.converts {
		r.problem.Convertibles = append(r.problem.Convertibles, r.convertible(instrument, name))
	}
	for _, holder := range r.rights {
		r.problem.ProRata = append(r.problem.ProRata, r.right(holder, name))
	}
}

// value returns the number, or zero if it is absent.
func value(number *Decimal) Decimal {
	if number == nil {
		return Decimal{}
	}
	return *number
}

// label returns the label of an instrument: the name of its holder and its id, which makes the
// label unique.
func label(i *Instrument, name func(EntityID) string) string {
	return strings.TrimSpace(name(i.Entity) + " " + i.ID.String())
}

// convertible returns the terms of the instrument. The balance on the day converts, except
// interest that is paid in cash.
func (r *round) convertible(i *Instrument, name func(EntityID) string) conversion.Convertible {
	amount, _ := i.ConvertingAmount(r.terms.Date)
	out := i.inRoundAs(i.ConvertibleTerms, amount)
	out.ID = label(i, name)
	for _, election := range r.terms.Convertibles {
		if election.Holding != i.ID || election.Elects.IsZero() {
			continue
		}
		out.Elects = election.Elects.String()
		for _, other := range r.converts {
			if other.ID == election.Elects {
				out.Elects = label(other, name)
			}
		}
	}
	return out
}

// right returns a holder's pro rata right, based on the present shares and the converting
// instruments.
func (r *round) right(holder party, name func(EntityID) string) conversion.Participation {
	right := conversion.Participation{ID: holder.name, Shares: r.shares[holder.entity]}
	for _, i := range r.converts {
		if i.Entity == holder.entity {
			right.Convertibles = append(right.Convertibles, label(i, name))
		}
	}
	return right
}

// pointer maps the pointer of a fault in the problem to a field of the request body. The body has
// no elements for convertibles that were not listed.
func (r *round) pointer(of string) string {
	_, listed := r.instrument(of)
	switch {
	case listed && r.terms.Convertibles == nil:
		return "/convertibles"
	case strings.HasPrefix(of, "/company/optionsPromised"):
		return "/optionsPromised"
	case strings.HasPrefix(of, "/company"):
		return ""
	default:
		return of
	}
}

// message returns the message of the fault with the affected holding.
func (r *round) message(problem conversion.Fault) string {
	if i, ok := r.instrument(problem.Pointer); ok {
		return problem.Message + " (holding " + i.ID.String() + ")"
	}
	return problem.Message
}

// instrument returns the convertible to which a pointer of the problem refers.
func (r *round) instrument(pointer string) (*Instrument, bool) {
	rest, found := strings.CutPrefix(pointer, "/convertibles/")
	digits, _, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(digits)
	if !found || err != nil || n >= len(r.converts) {
		return nil, false
	}
	return r.converts[n], true
}
