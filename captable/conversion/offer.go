package conversion

import "math/big"

// unknown is one of the numbers that a round is solved for. All that a round
// issues is linear in them.
type unknown int

const (
	// company is the capitalization a post-money cap is divided by: outstanding, granted,
	// promised, the pool as it was, and all that converts.
	company unknown = iota
	// preMoney is the one a pre-money cap is divided by: outstanding, granted, promised,
	// and the pool with its increase.
	preMoney
	// perDollar is how many shares of the round one unit of money buys.
	perDollar
	// one is known: it is what a fixed number of shares is counted in.
	one
	unknowns
)

// point gives the unknowns their values.
type point [unknowns]*big.Rat

// offer is what one term of an instrument gives: so many shares for each of an unknown.
type offer struct {
	basis Basis
	of    unknown
	rate  *big.Rat
}

// offers are the terms of an instrument, the price of the round among them unless its
// shares are fixed: the first of equal ones names the basis.
func (c Convertible) offers() []offer {
	if c.FixedShares != nil {
		return []offer{{FixedShares, one, c.FixedShares}}
	}
	var all []offer
	if c.FixedPercent.Sign() > 0 {
		all = append(all, offer{FixedPercent, company, c.FixedPercent.Rat()})
	}
	if c.Cap.Sign() > 0 {
		of := company
		if c.CapBasis == PreMoney {
			of = preMoney
		}
		all = append(all, offer{Cap, of, new(big.Rat).Quo(c.Amount, c.Cap.Rat())})
	}
	if c.Discount.Sign() > 0 {
		left := new(big.Rat).Sub(big.NewRat(1, 1), c.Discount.Rat())
		return append(all, offer{Discount, perDollar, left.Quo(c.Amount, left)})
	}
	return append(all, offer{RoundPrice, perDollar, c.Amount})
}

// at is how many shares the offer is at a point.
func (o offer) at(x point) *big.Rat { return new(big.Rat).Mul(o.rate, x[o.of]) }

// scale is a point whose values count parts of the same size: integers, with which offers
// are compared without reducing a fraction for each.
type scale [unknowns]*big.Int

func (x point) scaled() scale {
	all := new(big.Int).Set(x[company].Denom())
	for _, value := range x[1:] {
		both := new(big.Int).GCD(nil, nil, all, value.Denom())
		all.Mul(all, both.Quo(value.Denom(), both))
	}
	var out scale
	for i, value := range x {
		parts := new(big.Int).Quo(all, value.Denom())
		out[i] = parts.Mul(parts, value.Num())
	}
	return out
}

// more tells whether the offer is more shares than the other.
func (o offer) more(other offer, x scale) bool {
	left := new(big.Int).Mul(o.rate.Num(), other.rate.Denom())
	right := new(big.Int).Mul(other.rate.Num(), o.rate.Denom())
	return left.Mul(left, x[o.of]).Cmp(right.Mul(right, x[other.of])) > 0
}

// best gives the number of the offer with the most shares, the first of equal ones.
func best(offers []offer, x scale) int {
	first := 0
	for i, o := range offers {
		if o.more(offers[first], x) {
			first = i
		}
	}
	return first
}
