package captable

import (
	"strconv"

	"golang.org/x/text/currency"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// Limits of one answer: the number of prices, and the number of lines over all prices.
const (
	mostExitValues = 200
	mostExitLines  = 500_000
	// mostExitWork limits the number of prices times the square of the number of convertibles,
	// because the choices of convertibles depend on one another. It does not apply to a single
	// price.
	mostExitWork = 2_000_000
	// mostExitConvertibles and mostExitTerms limit the work for a single price to about five
	// seconds. The number of digits grows with the different terms; see [exit.checkConvertibles].
	mostExitConvertibles = 800
	mostExitTerms        = 600_000_000
)

// ExitTerms describe a sale of the company at one or several prices. Amounts are in the
// currency of the organization.
type ExitTerms struct {
	// Date is the day of the sale. Interest accrues and options vest until then.
	Date Date `json:"date,omitzero"`
	// Values are the prices. Range is the alternative for prices at regular steps.
	Values []Decimal  `json:"values,omitempty"`
	Range  *ExitRange `json:"range,omitempty"`
	// Costs of the sale are deducted from the price first: a fixed amount, and CostRate, a
	// fraction of the price.
	Costs    Decimal `json:"costs,omitzero"`
	CostRate Decimal `json:"costRate,omitzero"`
	// Acceleration means that all unvested grants vest at the sale.
	Acceleration bool `json:"acceleration,omitempty"`
	// Elections are the elections of holders with most favoured nation rights.
	Elections []RoundElection `json:"elections,omitempty"`
}

// ExitRange is a series of prices from From to To in increments of Step.
type ExitRange struct {
	From Decimal `json:"from"`
	To   Decimal `json:"to"`
	Step Decimal `json:"step"`
}

// exit is the computation of a sale: the stack of claims, and the description of each claim.
type exit struct {
	terms  ExitTerms
	values []Decimal
	state  *State
	own    string // the currency of the organization
	stack  waterfall.Stack
	lines  []ExitClaim // the classes, the options and the convertibles, in the order of the stack
	faults Faults
}

// PlanExit distributes each price to the claims of the cap table on the day of the sale. It
// returns the payment of each holder and the converting classes for each price. It does not
// change the state. Invalid fields are refused together. A cap table in several currencies is
// refused with [CodeConflict]. Name returns the name of a holder.
func (s *State) PlanExit(terms ExitTerms, m Moment, name func(EntityID) string) (ExitOutcome, error) {
	e := &exit{terms: terms, state: s, own: m.Currency}
	e.stack = waterfall.Stack{Costs: terms.Costs, CostRate: terms.CostRate, Places: currencyPlaces(m.Currency)}
	e.checkTerms()
	if err := e.faults.Err(); err != nil {
		return ExitOutcome{}, err
	}
	if err := e.fill(name); err != nil {
		return ExitOutcome{}, err
	}
	if err := e.checkStack(); err != nil {
		return ExitOutcome{}, err
	}
	return e.outcome(e.stack.Pay(e.values), name), nil
}

// checkTerms adds the faults of the terms and lists the prices.
func (e *exit) checkTerms() {
	switch last := e.state.LastDate(); {
	case e.terms.Date.IsZero():
		e.faults.Add("/date", "required", "A date is required.")
	case e.terms.Date < last:
		e.faults.Add("/date", "beforeLast", "A sale is planned over the cap table as it is: not before its last entry, "+last.String()+".")
	}
	switch {
	case (len(e.terms.Values) == 0) == (e.terms.Range == nil):
		e.faults.Add("/values", "required", "The prices are given by either values or a range.")
	case e.terms.Range == nil:
		e.values = e.terms.Values
	default:
		e.values = e.terms.Range.values(&e.faults)
	}
	if len(e.values) > mostExitValues {
		e.faults.Add("/values", "tooMany", "No more than "+strconv.Itoa(mostExitValues)+" prices are paid at once.")
	}
	for i, value := range e.terms.Values {
		if value.Sign() < 0 {
			e.faults.Add("/values/"+strconv.Itoa(i), "negative", "A price is not negative.")
		}
	}
	for _, fault := range e.stack.Faults() { // only the costs are set at this point
		e.faults.Add(fault.Pointer, fault.Code, fault.Message)
	}
}

// values returns the prices of the range, at most one more than the limit.
func (r *ExitRange) values(faults *Faults) (all []Decimal) {
	switch {
	case r.From.Sign() < 0:
		faults.Add("/range/from", "negative", "A price is not negative.")
	case r.To.Cmp(r.From) < 0:
		faults.Add("/range/to", "outOfOrder", "The range ends before it begins.")
	case r.Step.Sign() <= 0:
		faults.Add("/range/step", "notPositive", "It must be more than zero.")
	default:
		for value := r.From; value.Cmp(r.To) <= 0 && len(all) <= mostExitValues; value = value.Add(r.Step) {
			all = append(all, value)
		}
	}
	return all
}

// checkStack refuses a computation that exceeds the limits of one answer. It also refuses
// claims with faults, and names the class or the holding.
func (e *exit) checkStack() error {
	holdings := 0
	for _, class := range e.stack.Classes {
		holdings += len(class.Holdings)
	}
	lines := len(e.values) * (holdings + len(e.stack.Options) + len(e.stack.Convertibles))
	if lines > mostExitLines {
		e.faults.Add("/values", "tooMany", "So many prices over so many holdings are more lines than one answer holds.")
		return e.faults.Err()
	}
	if e.checkConvertibles(); len(e.faults) > 0 {
		return e.faults.Err()
	}
	for _, fault := range e.stack.Faults() {
		return Refuse(CodeConflict, fault.Message).With("at", fault.Pointer).With("of", e.claimAt(fault.Pointer))
	}
	return nil
}

// checkConvertibles adds a fault if the convertibles are too many for one answer. The work for a
// price is proportional to the square of their number, to the number of their different terms, and
// to the number of digits of an exact share, which grows with the different terms.
func (e *exit) checkConvertibles() {
	n, terms := len(e.stack.Convertibles), e.stack.Terms()
	if n == 0 {
		return
	}
	work := n * n * terms * (terms + 8)
	if n > mostExitConvertibles || work > mostExitTerms {
		e.faults.Add("/values", "tooManyConvertibles", "A sale with "+strconv.Itoa(n)+" convertibles of "+strconv.Itoa(terms)+
			" different terms exceeds the limit of one answer: at most "+strconv.Itoa(mostExitConvertibles)+" convertibles, fewer with many different terms.")
		return
	}
	most := max(1, mostExitWork/(n*n))
	if work > 0 {
		most = min(most, mostExitTerms/work)
	}
	if len(e.values) > most {
		e.faults.Add("/values", "tooMany", "With "+strconv.Itoa(n)+" convertibles, at most "+strconv.Itoa(most)+" prices are paid at once.")
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
