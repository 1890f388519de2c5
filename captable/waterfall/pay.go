package waterfall

import (
	"math/big"

	"equity/captable/exact"
)

// Kind is what a claim is of.
type Kind string

// The kinds of claims.
const (
	OfClass       Kind = "class"
	OfOption      Kind = "option"
	OfConvertible Kind = "convertible"
)

// Outcome is how one price is paid out.
type Outcome struct {
	Value exact.Decimal
	// Costs come first; Remaining is what nobody has a claim to. Value is the sum of both and
	// of all payouts.
	Costs, Remaining exact.Decimal
	// SharePrice is what a common share gets, not rounded.
	SharePrice *big.Rat
	// Claims are the classes, the options and the convertibles in the order of the stack.
	Claims []Claim
	// Payouts are the amounts by holder, in the order of the claims.
	Payouts []Payout
}

// Claim is what one class, option or convertible gets.
type Claim struct {
	Kind Kind
	ID   string
	// Converts is whether preferred shares or a convertible convert, and an option is
	// exercised. Common shares and those that participate in full have nothing to choose.
	Converts bool
	Amount   exact.Decimal
	// Shares is how many common shares it shares as, not rounded; none while it takes
	// something else.
	Shares *big.Rat
}

// Payout is what one holder gets for one claim, in whole units of the currency's last place.
// What an option costs to exercise is taken off.
type Payout struct {
	Kind       Kind
	ID, Holder string
	Shares     exact.Decimal
	Amount     exact.Decimal
}

// Pay pays each of the prices down the stack, which has no [Stack.Faults].
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

// costs are no more than there is, rounded to the currency's places.
func (s *solver) costs(value exact.Decimal) exact.Decimal {
	all := new(big.Rat).Mul(value.Rat(), s.stack.CostRate.Rat())
	return exact.RoundHalfUp(all.Add(all, s.stack.Costs.Rat()), s.stack.Places).Min(value)
}
