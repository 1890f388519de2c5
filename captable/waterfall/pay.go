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
func (s Stack) Pay(values []exact.Decimal) []Outcome {
	solver := newSolver(s)
	outcomes := make([]Outcome, len(values))
	for i, value := range values {
		outcomes[i] = solver.pay(value)
	}
	return outcomes
}

func (s *solver) pay(value exact.Decimal) Outcome {
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
	sum := share(rows, total, s.stack.Places)
	for i := range rows {
		out.Payouts = append(out.Payouts, rows[i].payout)
		at := &out.Claims[rows[i].claim]
		at.Amount = at.Amount.Add(rows[i].payout.Amount)
	}
	out.Remaining = value.Sub(out.Costs).Sub(sum)
	return out
}

// costs returns the costs, limited to the price and rounded to the decimal places of the currency.
func (s *solver) costs(value exact.Decimal) exact.Decimal {
	all := new(big.Rat).Mul(value.Rat(), s.stack.CostRate.Rat())
	return exact.RoundHalfUp(all.Add(all, s.stack.Costs.Rat()), s.stack.Places).Min(value)
}
