package waterfall

import (
	"math/big"

	"equity/captable/exact"
)

// Kind is the kind of a claim.
type Kind string

// The kinds of claims.
const (
	OfClass       Kind = "class"
	OfOption      Kind = "option"
	OfConvertible Kind = "convertible"
)

// Outcome is the distribution of one price.
type Outcome struct {
	Value exact.Decimal
	// Costs are deducted first. Remaining is the amount without a claim. Value is the sum of both and all payouts.
	Costs, Remaining exact.Decimal
	// SharePrice is the payment per common share, without rounding.
	SharePrice *big.Rat
	// Claims are the classes, the options and the convertibles in the order of the stack.
	Claims []Claim
	// Payouts are the amounts by holder, in the order of the claims.
	Payouts []Payout
}

// Claim is the payment of one class, option or convertible.
type Claim struct {
	Kind Kind
	ID   string
	// Converts reports whether preferred shares or a convertible convert, or an option is exercised. Common shares
	// and full participation have no choice.
	Converts bool
	Amount   exact.Decimal
	// Shares is the number of participating common shares, without rounding, or nil if the claim does not
	// participate.
	Shares *big.Rat
}

// Payout is the payment of one holder for one claim, in whole units of the currency's last decimal place, less the
// exercise price of an option.
type Payout struct {
	Kind       Kind
	ID, Holder string
	Shares     exact.Decimal
	Amount     exact.Decimal
}

// Pay distributes each of the prices. The stack must have no [Stack.Faults].
func (s Stack) Pay(values []exact.Decimal) []Outcome { return s.pay(values, true) }

// PayClaims is Pay without the payouts by holder, which are most of the work in a company with many holders.
func (s Stack) PayClaims(values []exact.Decimal) []Outcome { return s.pay(values, false) }

func (s Stack) pay(values []exact.Decimal, listed bool) []Outcome {
	solver := newSolver(s)
	outcomes := make([]Outcome, len(values))
	for i, value := range values {
		outcomes[i] = solver.pay(value, listed)
	}
	return outcomes
}

func (s *solver) pay(value exact.Decimal, listed bool) Outcome {
	out := Outcome{Value: value, Costs: s.costs(value)}
	amount := value.Sub(out.Costs).Rat()
	curve, choice := s.choose(amount)
	paid, price := curve.pay(amount)
	out.SharePrice = price
	rows := s.rows(&out, settled{curve, choice, paid, price})
	total := zero()
	for _, amount := range paid {
		total.Add(total, amount)
	}
	sum := share(rows, total, s.unit)
	sums, buffer := make([]big.Int, len(out.Claims)), new(big.Int)
	for i := range rows {
		sum := &sums[rows[i].claim]
		sum.Add(sum, rows[i].amount(buffer))
	}
	for i := range out.Claims {
		out.Claims[i].Amount = exact.Units(&sums[i], s.stack.Places)
	}
	if listed {
		out.Payouts = s.list(rows, out.Claims)
	}
	out.Remaining = value.Sub(out.Costs).Sub(exact.Units(sum, s.stack.Places))
	return out
}

// list returns the payouts of the rounded rows.
func (s *solver) list(rows []row, claims []Claim) []Payout {
	payouts, buffer := make([]Payout, len(rows)), new(big.Int)
	for i := range rows {
		row := &rows[i]
		of := claims[row.claim]
		payouts[i] = Payout{of.Kind, of.ID, row.of.Holder, row.of.Shares, exact.Units(row.amount(buffer), s.stack.Places)}
	}
	return payouts
}

// costs returns the costs, limited to the price and rounded to the decimal places of the currency.
func (s *solver) costs(value exact.Decimal) exact.Decimal {
	all := new(big.Rat).Mul(value.Rat(), s.stack.CostRate.Rat())
	return exact.RoundHalfUp(all.Add(all, s.stack.Costs.Rat()), s.stack.Places).Min(value)
}
