package captable

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/waterfall"
)

// exitRight is a convertible at a sale: by which terms, and what of it there is.
type exitRight struct {
	*Instrument
	terms ConvertibleTerms
	name  string
	// rank is its seniority on the scale of the classes; debts are above every class.
	rank int
	// converts is what becomes shares, due the interest that is paid in cash whatever becomes
	// of the rest, and cashOut what is paid instead of shares.
	converts, due, cashOut *big.Rat
}

// convertibles lists those of the day of the sale, in the order of their issue, by the
// terms that their holders have or elect.
func (e *exit) convertibles() ([]*exitRight, error) {
	var all []*exitRight
	for i := range e.state.Instruments() {
		if !i.convertible() || !i.Status.Outstanding() || i.IssueDate > e.terms.Date {
			continue
		}
		if i.Principal.Currency != e.own {
			return nil, Refuse(CodeConflict, "The sale is in "+e.own+", the holding in "+i.Principal.Currency+".").With("of", i.ID.String())
		}
		all = append(all, &exitRight{Instrument: i.inSharesOf(e.terms.Date), terms: i.ConvertibleTerms})
	}
	slices.SortFunc(all, func(a, b *exitRight) int {
		return cmp.Or(cmp.Compare(a.IssueDate, b.IssueDate), bytes.Compare(a.ID[:], b.ID[:]))
	})
	e.elect(all)
	top := e.top()
	for _, right := range all {
		right.settle(e.terms.Date, top)
	}
	return all, e.faults.Err()
}

// elect gives most favoured holders the terms that they elect.
func (e *exit) elect(all []*exitRight) {
	for n, election := range e.terms.Elections {
		at := "/elections/" + strconv.Itoa(n)
		place := slices.IndexFunc(all, func(right *exitRight) bool { return right.ID == election.Holding })
		if place < 0 {
			e.faults.Add(at+"/holding", "notOutstanding", "It is no convertible that is outstanding on the day of the sale.")
			continue
		}
		terms, err := ConvertInstrument{Elects: election.Elects}.elected(e.state, all[place].Instrument)
		if err != nil {
			e.faults.Add(at+"/elects", "cannotElect", err.Error())
		}
		all[place].terms = terms
	}
}

// top is the seniority of the class that is paid first.
func (e *exit) top() (top int) {
	for n, class := range e.stack.Classes {
		if n == 0 || class.Seniority > top {
			top = class.Seniority
		}
	}
	return top
}

// settle counts what is owed on the day, and ranks it: beside the class that is paid
// first where nothing is said, and debts above it, among themselves by seniority.
func (r *exitRight) settle(day Date, top int) {
	r.converts, r.due = r.converting(day)
	r.cashOut = r.converts
	if multiple := r.ExitMultiple; multiple != nil {
		if least := multiple.Rat(); least.Mul(least, r.Owed(day).Principal).Cmp(r.cashOut) > 0 {
			r.cashOut = least
		}
	}
	switch {
	case r.IsDebt():
		r.rank = top + 1 + max(0, valueOf(r.Seniority))
	case r.Seniority != nil:
		r.rank = *r.Seniority
	default:
		r.rank = top
	}
}

func (r *exitRight) claim() ExitClaim {
	cash := figure(r.cashOut)
	return ExitClaim{Kind: ExitKind(r.Kind), ID: r.ID.String(), Entity: r.Entity, Name: r.name, CashOut: &cash}
}

// addFixed enters one whose shares its terms fix: it takes its cash or these, down to
// whole ones.
func (e *exit) addFixed(r *exitRight) {
	security, _ := e.state.Security(r.FixedConversion.Security)
	shares := value(r.FixedConversion.Shares)
	if price := r.exactFixedPrice(); price != nil {
		shares = exact.RoundDown(new(big.Rat).Quo(r.converts, price), e.state.placesOf(security.ID))
	}
	line := r.claim()
	line.Terms = "Its terms fix " + shares.String() + " shares of " + security.Name + ": those, or " + line.CashOut.String() + "."
	e.stack.Classes = append(e.stack.Classes, waterfall.Class{
		ID: strconv.Itoa(len(e.lines)), Seniority: r.rank, Price: *line.CashOut, Multiple: exact.NewDecimal(1), ExactRatio: new(big.Rat).Mul(shares.Rat(), e.ratio(security)),
		Holdings: []waterfall.Holding{{Holder: r.Entity.String(), Shares: exact.NewDecimal(1)}},
	})
	e.lines = append(e.lines, line)
}

// addConvertible enters what takes its cash or converts by a cap, a discount or a part of
// the company; and apart from that, interest that is paid in cash.
func (e *exit) addConvertible(r *exitRight) {
	if r.due.Sign() > 0 {
		line := r.claim()
		line.CashOut = new(figure(r.due))
		line.Terms = "Interest that is paid in cash: " + line.CashOut.String() + "."
		e.enterConvertible(line, waterfall.Convertible{Seniority: r.rank, CashOut: *line.CashOut})
	}
	fixed := r.FixedConversion
	if fixed != nil && fixed.Fraction == nil {
		return
	}
	line := r.claim()
	made := waterfall.Convertible{Seniority: r.rank, CashOut: *line.CashOut, Amount: figure(r.converts)}
	switch {
	case fixed != nil: // a part of everything is a cap of which the amount is that part
		made.Amount, made.Cap, made.PostMoney = *fixed.Fraction, exact.NewDecimal(1), true
	default:
		if limit := r.terms.ValuationCap; limit != nil {
			made.Cap, made.PostMoney = limit.Amount, r.terms.CapBasis == string(conversion.PostMoney)
		}
		made.Discount = value(r.terms.Discount)
	}
	line.Terms = line.ofConvertible(made, fixed)
	e.enterConvertible(line, made)
}

func (e *exit) enterConvertible(line ExitClaim, made waterfall.Convertible) {
	made.ID, made.Holder = strconv.Itoa(len(e.lines)), line.Entity.String()
	e.stack.Convertibles, e.lines = append(e.stack.Convertibles, made), append(e.lines, line)
}

// valueOf reads a number that may be absent.
func valueOf(number *int) int {
	if number == nil {
		return 0
	}
	return *number
}
