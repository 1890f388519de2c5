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

// row is a payout before rounding: a number of shares with the same payment each, and the index of its claim.
type row struct {
	claim  int
	of     *Holding
	each   *perShare
	shares quantity
	// units is the rounded payment in units of the last decimal place. large replaces it if it exceeds a word.
	units uint64
	large *big.Int
	// rest is the remainder of the rounding, a multiple of 1/each.d of a unit; not set beside large.
	rest uint64
}

// rows divides the payments of claims among their holders, and records the claims.
func (s *solver) rows(out *Outcome, done settled) []row {
	rows := make([]row, 0, s.payouts)
	for i, class := range s.stack.Classes {
		chooses := class.Participation == Capped || !class.participates() && s.fixed[i].floor.Sign() > 0
		at := out.enter(class.conversion(done, i, chooses))
		each := perShareOf(done.paid[i], s.held[i].all, s.unit)
		for k := range class.Holdings {
			rows = append(rows, row{claim: at, of: &class.Holdings[k], each: each, shares: s.held[i].parts[k]})
		}
	}
	gains := make([]*perShare, len(s.stack.Options))
	for n, strike := range s.strikes {
		gain := perShareOf(done.paid[len(s.stack.Classes)+n], strike.quantity, s.unit)
		for _, i := range strike.options {
			gains[i] = gain
		}
	}
	for i, option := range s.stack.Options {
		rows = append(rows, option.row(out, gains[i]))
	}
	for i, convertible := range s.stack.Convertibles {
		made := s.conversion(i, done)
		of := Holding{convertible.Holder, exact.RoundDown(made.Shares, exact.Places)}
		each := perShareOf(done.paid[len(s.fixed)+i], big.NewRat(1, 1), s.unit)
		rows = append(rows, row{claim: out.enter(made), of: &of, each: each, shares: quantityOf(big.NewRat(1, 1))})
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

// conversion returns the claim of the class, whose index is n.
func (c Class) conversion(done settled, n int, chooses bool) Claim {
	claim := done.curve.claims[n]
	shares := claim.converts(done.price)
	made := Claim{Kind: OfClass, ID: c.ID, Converts: shares && chooses, Shares: zero()}
	if shares {
		made.Shares = claim.shares
	}
	return made
}

// row returns the total gain of an option.
func (o Option) row(out *Outcome, gain *perShare) row {
	made := Claim{Kind: OfOption, ID: o.ID, Converts: gain.part.Sign() > 0 && o.Quantity.Sign() > 0, Shares: zero()}
	of := Holding{Holder: o.Holder}
	if made.Converts {
		made.Shares, of.Shares = o.Quantity.Rat(), o.Quantity
	}
	return row{claim: out.enter(made), of: &of, each: gain, shares: quantityOf(made.Shares)}
}
