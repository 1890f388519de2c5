// Package exit plans the sale of the company: it distributes the proceeds to the claims of the cap
// table on the day of the sale. It reads a [captable.State] and changes nothing. Package waterfall
// contains the calculation.
package exit

import (
	"strconv"

	"golang.org/x/text/currency"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/waterfall"
	"equity/fault"
)

// Limits of one answer: the number of prices, and the number of lines over all prices.
const (
	mostValues = 200
	mostLines  = 500_000
	// mostWork limits the number of prices times the square of the number of convertibles,
	// because the choices of convertibles depend on one another. It does not apply to a single
	// price.
	mostWork = 2_000_000
	// mostConvertibles and mostTerms limit the work for a single price to about five
	// seconds. The number of digits grows with the different terms; see [sale.checkConvertibles].
	mostConvertibles = 800
	mostTerms        = 600_000_000
)

// Terms describe a sale of the company at one or several prices. Amounts are in the
// currency of the organization.
type Terms struct {
	// Date is the day of the sale. Interest accrues and options vest until then.
	Date captable.Date `json:"date,omitzero"`
	// Values are the prices. Range is the alternative for prices at regular steps.
	Values []captable.Decimal `json:"values,omitempty"`
	Range  *Range             `json:"range,omitempty"`
	// Costs of the sale are deducted from the price first: a fixed amount, and CostRate, a
	// fraction of the price.
	Costs    captable.Decimal `json:"costs,omitzero"`
	CostRate captable.Decimal `json:"costRate,omitzero"`
	// Acceleration means that all unvested grants vest at the sale.
	Acceleration bool `json:"acceleration,omitempty"`
	// Dissolution means that the company is dissolved, not sold: SAFEs take their cash.
	Dissolution bool `json:"dissolution,omitempty"`
	// Elections are the elections of holders with most favoured nation rights.
	Elections []captable.RoundElection `json:"elections,omitempty"`
	// Holders are the holders whose payments are listed, possibly none. All payments are listed if it is absent (nil).
	Holders []captable.EntityID `json:"holders"`
}

// Range is a series of prices from From to To in increments of Step.
type Range struct {
	From captable.Decimal `json:"from"`
	To   captable.Decimal `json:"to"`
	Step captable.Decimal `json:"step"`
}

// sale is the computation of a sale: the stack of claims, and the description of each claim.
type sale struct {
	terms  Terms
	values []captable.Decimal
	state  *captable.State
	own    string // the currency of the organization
	stack  waterfall.Stack
	// classes contains the id in the stack of each class with holders, by class and price.
	classes map[string]string
	lines   []Claim // the classes, the options and the convertibles, in the order of the stack
	faults  fault.Fields
}

// Plan distributes each price to the claims of the cap table on the day of the sale. It
// returns the payment of each holder and the converting classes for each price. It does not
// change the state. Invalid fields are refused together. A cap table in several currencies is
// refused with [CodeConflict]. Name returns the name of a holder.
func Plan(s *captable.State, terms Terms, m captable.DecideContext, name func(captable.EntityID) string) (Outcome, error) {
	e := &sale{terms: terms, state: s, own: m.Currency, classes: map[string]string{}}
	e.stack = waterfall.Stack{Costs: terms.Costs, CostRate: terms.CostRate, Places: currencyPlaces(m.Currency)}
	e.checkTerms()
	e.checkListed(m.Register)
	if err := e.faults.Err(); err != nil {
		return Outcome{}, err
	}
	if err := e.fill(name); err != nil {
		return Outcome{}, err
	}
	if err := e.checkStack(); err != nil {
		return Outcome{}, err
	}
	pay := e.stack.Pay
	if terms.Holders != nil && len(terms.Holders) == 0 {
		pay = e.stack.PayClaims
	}
	return e.outcome(pay(e.values), name), nil
}

// checkTerms adds the faults of the terms and lists the prices.
func (e *sale) checkTerms() {
	switch last := e.state.LastDate(); {
	case e.terms.Date.IsZero():
		e.faults.Add("/date", "required", "A date is required.")
	case e.terms.Date < last:
		e.faults.Add("/date", "beforeLast", "The date must not be before the last entry of the cap table, "+last.String()+".")
	}
	switch {
	case (len(e.terms.Values) == 0) == (e.terms.Range == nil):
		e.faults.Add("/values", "required", "Either values or a range is required, not both.")
	case e.terms.Range == nil:
		e.values = e.terms.Values
	default:
		e.values = e.terms.Range.values(&e.faults)
	}
	if len(e.values) > mostValues {
		e.faults.Add("/values", "tooMany", "State at most "+strconv.Itoa(mostValues)+" prices.")
	}
	for i, value := range e.terms.Values {
		if value.Sign() < 0 {
			e.faults.Add("/values/"+strconv.Itoa(i), "negative", "The price must not be negative.")
		}
	}
	for _, problem := range e.stack.Faults() { // only the costs are set at this point
		e.faults.Add(problem.Pointer, problem.Code, problem.Message)
	}
}

// checkListed adds a fault for each requested holder that the organization does not know.
func (e *sale) checkListed(register captable.Register) {
	for i, entity := range e.terms.Holders {
		if _, known := register.Holder(captable.HolderRef{Entity: entity}); !known {
			e.faults.Add("/holders/"+strconv.Itoa(i), "unknownReference", "There is no such holder in this organization.")
		}
	}
}

// values returns the prices of the range, at most one more than the limit.
func (r *Range) values(faults *fault.Fields) (all []captable.Decimal) {
	switch {
	case r.From.Sign() < 0:
		faults.Add("/range/from", "negative", "The price must not be negative.")
	case r.To.Cmp(r.From) < 0:
		faults.Add("/range/to", "outOfOrder", "The end of the range must not be below its start.")
	case r.Step.Sign() <= 0:
		faults.Add("/range/step", "notPositive", "The step must be more than zero.")
	default:
		for value := r.From; value.Cmp(r.To) <= 0 && len(all) <= mostValues; value = value.Add(r.Step) {
			all = append(all, value)
		}
	}
	return all
}

// checkStack refuses a computation that exceeds the limits of one answer. It also refuses
// claims with faults, and names the class or the holding.
func (e *sale) checkStack() error {
	holdings := 0
	for _, class := range e.stack.Classes {
		holdings += len(class.Holdings)
	}
	lines := len(e.values) * (holdings + len(e.stack.Options) + len(e.stack.Convertibles))
	if lines > mostLines {
		e.faults.Add(
			"/values", "tooMany",
			"The prices would give "+strconv.Itoa(lines)+" lines; at most "+strconv.Itoa(mostLines)+" are possible: state fewer.",
		)
		return e.faults.Err()
	}
	if e.checkConvertibles(); len(e.faults) > 0 {
		return e.faults.Err()
	}
	for _, problem := range e.stack.Faults() {
		return fault.Refuse(fault.Conflict, problem.Message).With("at", problem.Pointer).With("of", e.claimAt(problem.Pointer))
	}
	return nil
}

// checkConvertibles adds a fault if the convertibles are too many for one answer. The work for a
// price is proportional to the square of their number, to the number of their different terms, and
// to the number of digits of an exact share, which grows with the different terms.
func (e *sale) checkConvertibles() {
	n, terms := len(e.stack.Convertibles), e.stack.Terms()
	if n == 0 {
		return
	}
	work := n * n * terms * (terms + 8)
	if n > mostConvertibles || work > mostTerms {
		e.faults.Add("/values", "tooManyConvertibles", "The sale has "+strconv.Itoa(n)+" convertibles of "+strconv.Itoa(terms)+
			" different terms; at most "+strconv.Itoa(mostConvertibles)+" convertibles are possible, and fewer with many different terms.")
		return
	}
	most := max(1, mostWork/(n*n))
	if work > 0 {
		most = min(most, mostTerms/work)
	}
	if len(e.values) > most {
		e.faults.Add("/values", "tooMany", "State at most "+strconv.Itoa(most)+" prices for a sale with "+strconv.Itoa(n)+" convertibles.")
	}
}

// currencyPlaces returns the number of decimal places of amounts in the currency, or 2 for an
// unknown currency.
func currencyPlaces(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	places, _ := currency.Standard.Rounding(unit)
	return min(places, exact.Places)
}
