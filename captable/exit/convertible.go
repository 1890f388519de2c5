package exit

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/waterfall"
	"equity/fault"
)

// right is a convertible at a sale, with its terms and its amounts.
type right struct {
	*captable.Instrument
	terms captable.ConvertibleTerms
	name  string
	// rank is the seniority on the scale of the classes. Debts rank above every class.
	rank int
	// converts is the converting amount, due the interest that is always paid in cash, and
	// cashOut the payment if the instrument does not convert.
	converts, due, cashOut *big.Rat
}

// convertibles returns the convertibles that are outstanding on the day of the sale, in the
// order of their issue, with their own or elected terms.
func (e *sale) convertibles() ([]*right, error) {
	var all []*right
	for i := range e.state.Instruments() {
		if !i.IsConvertible() || !i.Status.Outstanding() || i.IssueDate > e.terms.Date {
			continue
		}
		if i.Principal.Currency != e.own {
			return nil, fault.Refuse(fault.Conflict,
				"All amounts of a sale must be in one currency: the sale is in "+e.own+", the holding is in "+i.Principal.Currency+".").
				With("of", i.ID.String())
		}
		all = append(all, &right{Instrument: i.InSharesOf(e.terms.Date), terms: i.ConvertibleTerms})
	}
	slices.SortFunc(all, func(a, b *right) int {
		return cmp.Or(cmp.Compare(a.IssueDate, b.IssueDate), bytes.Compare(a.ID[:], b.ID[:]))
	})
	e.elect(all)
	top := e.top()
	for _, right := range all {
		right.settle(e.terms.Date, top)
	}
	return all, e.faults.Err()
}

// elect applies the elections of holders with most favoured nation rights.
func (e *sale) elect(all []*right) {
	for n, election := range e.terms.Elections {
		at := "/elections/" + strconv.Itoa(n)
		place := slices.IndexFunc(all, func(right *right) bool { return right.ID == election.Holding })
		if place < 0 {
			e.faults.Add(at+"/holding", "notOutstanding", "The holding must be a convertible that is outstanding on the day of the sale.")
			continue
		}
		terms, err := captable.ConvertInstrument{Elects: election.Elects}.Elected(e.state, all[place].Instrument)
		if err != nil {
			e.faults.Add(at+"/elects", "cannotElect", err.Error())
		}
		all[place].terms = terms
	}
}

// top returns the highest seniority of all classes, which is paid first.
func (e *sale) top() (top int) {
	for n, class := range e.stack.Classes {
		if n == 0 || class.Seniority > top {
			top = class.Seniority
		}
	}
	return top
}

// settle computes the amounts on the day and the rank. Debts rank above all classes, among
// themselves by seniority. Other convertibles without a seniority rank with the class that is
// paid first.
func (r *right) settle(day captable.Date, top int) {
	r.converts, r.due = r.ConvertingAmount(day)
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

func (r *right) claim() Claim {
	cash := rounded(r.cashOut)
	return Claim{Kind: Kind(r.Kind), ID: r.ID.String(), Entity: r.Entity, Name: r.name, CashOut: &cash}
}

// fixedClass returns the class of a convertible with a fixed number of shares, or with a fixed
// price, which determines the number of shares. It returns nil for others.
func (e *sale) fixedClass(r *right) *captable.Security {
	if r.FixedConversion == nil || r.FixedConversion.Fraction != nil || e.onlyCash(r) {
		return nil
	}
	security, _ := e.state.Security(r.FixedConversion.Security)
	return security
}

// onlyCash reports whether the convertible does not convert in this sale: a SAFE in a dissolution.
func (e *sale) onlyCash(r *right) bool { return e.terms.Dissolution && r.Kind == captable.KindSAFE }

// fixedShares returns the number of shares, rounded down.
func (e *sale) fixedShares(r *right) captable.Decimal {
	if price := r.ExactFixedPrice(); price != nil {
		return exact.RoundDown(new(big.Rat).Quo(r.converts, price), e.state.SharePlaces(r.FixedConversion.Security))
	}
	return valueOf(r.FixedConversion.Shares)
}

func (r *right) fixedClaim(shares captable.Decimal, security *captable.Security) Claim {
	line := r.claim()
	line.Terms = "Its terms fix " + shares.String() + " shares of " + security.Name + ": those, or " + line.CashOut.String() + "."
	return line
}

// addFixed adds a convertible with fixed common shares. It takes the shares or the cash payment.
func (e *sale) addFixed(r *right, security *captable.Security) {
	shares := e.fixedShares(r)
	line := r.fixedClaim(shares, security)
	e.stack.Classes = append(e.stack.Classes, waterfall.Class{
		ID: strconv.Itoa(len(e.lines)), Seniority: r.rank, Price: *line.CashOut, Multiple: exact.NewDecimal(1),
		ExactRatio: new(big.Rat).Mul(shares.Rat(), e.ratio(security)),
		Holdings:   []waterfall.Holding{{Holder: r.Entity.String(), Shares: exact.NewDecimal(1)}},
	})
	e.lines = append(e.lines, line)
}

// addFixedPreferred adds a convertible with fixed preferred shares. They have the preference of the
// price that the converting amount pays for each.
func (e *sale) addFixedPreferred(r *right, security *captable.Security) {
	shares := e.fixedShares(r)
	line := r.fixedClaim(shares, security)
	made := waterfall.Convertible{Seniority: r.rank, CashOut: *line.CashOut}
	if shares.Sign() > 0 {
		into := e.classOf(security, new(big.Rat).Quo(r.converts, shares.Rat()))
		into.Holdings = []waterfall.Holding{{Holder: r.Entity.String(), Shares: shares}}
		made.Into = &into
		line.Terms += line.ofPreference(into)
	}
	e.enterConvertible(line, made)
}

// addConvertible adds a convertible that takes its cash payment or converts by a cap, a
// discount or a fraction of the company. Interest that is paid in cash is a separate claim.
func (e *sale) addConvertible(r *right) {
	if r.due.Sign() > 0 {
		line := r.claim()
		line.CashOut = new(rounded(r.due))
		line.Terms = "Interest that is paid in cash: " + line.CashOut.String() + "."
		e.enterConvertible(line, waterfall.Convertible{Seniority: r.rank, CashOut: *line.CashOut})
	}
	if security := e.fixedClass(r); security != nil {
		if security.HasPreference() {
			e.addFixedPreferred(r, security)
		}
		return
	}
	fixed := r.FixedConversion
	line := r.claim()
	made := waterfall.Convertible{Seniority: r.rank, CashOut: *line.CashOut, Amount: rounded(r.converts)}
	switch {
	case e.onlyCash(r):
		fixed = nil
	case fixed != nil: // a fraction of the company converts like that amount at a post-money cap of 1
		made.Amount, made.Cap, made.PostMoney = *fixed.Fraction, exact.NewDecimal(1), true
	default:
		if limit := r.terms.ValuationCap; limit != nil {
			made.Cap, made.PostMoney = limit.Amount, r.terms.CapBasis == string(conversion.PostMoney)
		}
		made.Discount = valueOf(r.terms.Discount)
	}
	line.Terms = line.ofConvertible(made, fixed)
	e.enterConvertible(line, made)
}

func (e *sale) enterConvertible(line Claim, made waterfall.Convertible) {
	made.ID, made.Holder = strconv.Itoa(len(e.lines)), line.Entity.String()
	e.stack.Convertibles, e.lines = append(e.stack.Convertibles, made), append(e.lines, line)
}

// valueOf returns the value, or the zero value if it is nil.
func valueOf[V any](value *V) (zero V) {
	if value == nil {
		return zero
	}
	return *value
}

// rounded rounds an exact number to the decimal places of the contract.
func rounded(number *big.Rat) captable.Decimal { return exact.RoundHalfUp(number, exact.Places) }
