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
		chooses := class.Participation == Capped || !class.participates() && s.fixed[i].floor.Sign() > 0
		rows = append(rows, class.rows(out, done, i, chooses)...)
	}
	each := make([]*big.Rat, len(s.stack.Options))
	for n, strike := range s.strikes {
		gain := zero()
		if strike.quantity.Sign() > 0 {
			gain.Quo(done.paid[len(s.stack.Classes)+n], strike.quantity)
		}
		for _, i := range strike.options {
			each[i] = gain
		}
	}
	for i, option := range s.stack.Options {
		rows = append(rows, option.row(out, each[i]))
	}
	for i, convertible := range s.stack.Convertibles {
		at := len(s.fixed) + i
		made := s.conversion(i, done)
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

// conversion returns the claim of a convertible.
func (s *solver) conversion(i int, done settled) Claim {
	c, at := s.stack.Convertibles[i], len(s.fixed)+i
	made := Claim{Kind: OfConvertible, ID: c.ID, Shares: zero()}
	if n := s.player[i]; n >= 0 && done.choice[n] == in {
		made.Converts = true
		if done.price.Sign() > 0 {
			made.Shares = new(big.Rat).Quo(done.paid[at], done.price)
		}
	}
	if c.Into == nil {
		return made
	}
	paid, into := done.curve.claims[at], c.Into.claim()
	if shares := paid.converts(done.price); shares {
		made.Shares = into.shares
	}
	preferred := paid.rank == c.Into.Seniority && paid.floor.Cmp(into.floor) == 0 && into.floor.Sign() > 0
	cash := paid.rank == c.Seniority && paid.floor.Cmp(c.CashOut.Rat()) == 0
	made.Converts = made.Converts || preferred && !cash
	return made
}

// rows divides the payment of the class by shares.
func (c Class) rows(out *Outcome, done settled, n int, chooses bool) []row {
	claim, paid := done.curve.claims[n], done.paid[n]
	shares := claim.converts(done.price)
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

// row returns the total gain of an option.
func (o Option) row(out *Outcome, each *big.Rat) row {
	made := Claim{Kind: OfOption, ID: o.ID, Converts: each.Sign() > 0 && o.Quantity.Sign() > 0, Shares: zero()}
	payout := Payout{Kind: OfOption, ID: o.ID, Holder: o.Holder}
	if made.Converts {
		made.Shares, payout.Shares = o.Quantity.Rat(), o.Quantity
	}
	return rowOf(payout, out.enter(made), each, made.Shares)
}
