package captable

import (
	"strconv"

	"golang.org/x/text/currency"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// The most that one answer holds: prices, and lines over all of them.
const (
	mostExitValues = 200
	mostExitLines  = 500_000
	// mostExitWork bounds the prices times the square of the convertibles, whose choices
	// depend on one another. A single price is always paid.
	mostExitWork = 2_000_000
)

// ExitTerms are a sale of the company at one of several prices. Money is in the
// organization's currency.
type ExitTerms struct {
	// Date is when the company is sold: interest is owed and options vest until then.
	Date Date `json:"date,omitzero"`
	// Values are the prices; Range gives them by where they begin and end.
	Values []Decimal  `json:"values,omitempty"`
	Range  *ExitRange `json:"range,omitempty"`
	// Costs of the sale come off the price first: an amount, and CostRate, a fraction of the
	// price.
	Costs    Decimal `json:"costs,omitzero"`
	CostRate Decimal `json:"costRate,omitzero"`
	// Acceleration vests at the sale what has not vested by then.
	Acceleration bool `json:"acceleration,omitempty"`
	// Elections are those of most favoured holders.
	Elections []RoundElection `json:"elections,omitempty"`
}

// ExitRange is the prices from the first to the last, by steps.
type ExitRange struct {
	From Decimal `json:"from"`
	To   Decimal `json:"to"`
	Step Decimal `json:"step"`
}

// exit is a sale on its way to an outcome: the stack that is paid, and beside each claim
// of it what the claim is.
type exit struct {
	terms  ExitTerms
	values []Decimal
	state  *State
	own    string // the currency
	stack  waterfall.Stack
	lines  []ExitClaim // the classes, the options and the convertibles, as in the stack
	faults Faults
}

// PlanExit pays the prices down the stack: over the cap table as it is on the day of the
// sale, it tells who gets what at each of them and which classes convert; nothing
// changes. It is refused with every wrong field at once, or as a conflict with what of
// the cap table cannot be paid in one currency. Name gives a holder's name.
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

// checkTerms notes what is wrong with the terms and lists the prices.
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
	for _, fault := range e.stack.Faults() { // of the costs: there is nothing else in it yet
		e.faults.Add(fault.Pointer, fault.Code, fault.Message)
	}
}

// values lists the prices, one more than the most at the most.
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

// checkStack refuses what does not fit one answer, and names the class or the holding
// that cannot be computed with.
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
	if n := len(e.stack.Convertibles); len(e.values) > 1 && len(e.values)*n*n > mostExitWork {
		most := max(1, mostExitWork/(n*n))
		e.faults.Add("/values", "tooMany", "With "+strconv.Itoa(n)+" convertibles, at most "+strconv.Itoa(most)+" prices are paid at once.")
		return e.faults.Err()
	}
	for _, fault := range e.stack.Faults() {
		return Refuse(CodeConflict, fault.Message).With("at", fault.Pointer).With("of", e.claimAt(fault.Pointer))
	}
	return nil
}

// currencyPlaces is how many digits an amount has behind the point: 2 for what is no
// known currency.
func currencyPlaces(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	places, _ := currency.Standard.Rounding(unit)
	return min(places, exact.Places)
}
