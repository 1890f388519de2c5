package waterfall

import (
	"math/big"

	"equity/captable/exact"
)

// settled contains the choices and the resulting payment of every claim.
type settled struct {
	curve  *curve
	choice []byte
	paid   []*big.Rat
	price  *big.Rat
}

// row is a payout before rounding, part over whole, with the index of its claim.
type row struct {
	payout      Payout
	claim       int
	part, whole *big.Int
}

// rowOf returns the row of a number of shares with the same value each.
func rowOf(payout Payout, claim int, each, shares *big.Rat) row {
	return row{payout, claim, new(big.Int).Mul(each.Num(), shares.Num()), new(big.Int).Mul(each.Denom(), shares.Denom())}
}

// rows divides the payments of claims among their holders, and records the claims.
func (s *solver) rows(out *Outcome, done settled) []row {
	var rows []row
	for i, class := range s.stack.Classes {
		rows = append(rows, class.rows(out, done.curve.claims[i], done.paid[i], done.price)...)
	}
	gains := s.gains(done.price)
	for i, option := range s.stack.Options {
		rows = append(rows, option.row(out, gains[i]))
	}
	for i, convertible := range s.stack.Convertibles {
		at := len(s.fixed) + i
		made := Claim{Kind: OfConvertible, ID: convertible.ID, Converts: done.choice[i] == 1, Shares: zero()}
		if made.Converts && done.price.Sign() > 0 {
			made.Shares = new(big.Rat).Quo(done.paid[at], done.price)
		}
		payout := Payout{
			Kind: OfConvertible, ID: convertible.ID, Holder: convertible.Holder, Shares: exact.RoundDown(made.Shares, exact.Places),
		}
		rows = append(rows, rowOf(payout, out.enter(made), done.paid[at], big.NewRat(1, 1)))
	}
	return rows
}

// enter adds a claim and returns its index.
func (o *Outcome) enter(c Claim) int {
	o.Claims = append(o.Claims, c)
	return len(o.Claims) - 1
}

// rows divides the payment of the class by shares.
func (c Class) rows(out *Outcome, claim claim, paid, price *big.Rat) []row {
	shares := claim.converts(price)
	chooses := c.Participation == Capped || c.Participation != Full && claim.floor.Sign() > 0
	made := Claim{Kind: OfClass, ID: c.ID, Converts: shares && chooses, Shares: zero()}
	if shares {
		made.Shares = claim.shares
	}
	at := out.enter(made)
	each := zero()
	if held := c.held(); held.Sign() > 0 {
		each.Quo(paid, held)
	}
	rows := make([]row, 0, len(c.Holdings))
	for _, h := range c.Holdings {
		payout := Payout{Kind: OfClass, ID: c.ID, Holder: h.Holder, Shares: h.Shares}
		rows = append(rows, rowOf(payout, at, each, h.Shares.Rat()))
	}
	return rows
}

// gains returns, for each option, the gain per common share, or zero if the exercise would cost as much.
func (s *solver) gains(price *big.Rat) []*big.Rat {
	gains := make([]*big.Rat, len(s.stack.Options))
	for _, strike := range s.strikes {
		gain := new(big.Rat).Sub(price, strike.price)
		for _, i := range strike.options {
			gains[i] = gain
		}
	}
	return gains
}

// row returns the total gain of an option.
func (o Option) row(out *Outcome, gain *big.Rat) row {
	made := Claim{Kind: OfOption, ID: o.ID, Converts: gain.Sign() > 0 && o.Quantity.Sign() > 0, Shares: zero()}
	payout := Payout{Kind: OfOption, ID: o.ID, Holder: o.Holder}
	if made.Converts {
		made.Shares, payout.Shares = o.Quantity.Rat(), o.Quantity
	}
	return rowOf(payout, out.enter(made), gain, new(big.Rat).Mul(made.Shares, o.ratio()))
}
