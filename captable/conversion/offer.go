package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// unknown is a variable of the linear system of a round. All issued shares are linear in the unknowns.
type unknown int

const (
	// company is the denominator of post-money caps: outstanding, granted and promised shares, the pool before the
	// round, and all conversions.
	company unknown = iota
	// preMoney is the denominator of pre-money caps: outstanding, granted and promised shares, and the pool with
	// its increase.
	preMoney
	// perDollar is the number of shares per unit of new money.
	perDollar
	// one is the constant 1, the unit of a fixed number of shares.
	one
	unknowns
)

// point contains values of the unknowns.
type point [unknowns]*big.Rat

// offer is the result of one term of an instrument: a rate of shares per unit of an unknown.
type offer struct {
	basis Basis
	of    unknown
	rate  *big.Rat
}

// offers returns the terms of an instrument, including the price of the round unless its shares are fixed. Among
// equal ones, the first names the basis.
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

// at returns the shares of the offer at a point.
func (o offer) at(x point) *big.Rat { return exact.Product(o.rate, x[o.of]) }

// scale is a point with values in a common unit, as integers. Offers are compared without reducing fractions.
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

// more reports whether the offer has more shares than the other.
func (o offer) more(other offer, x scale) bool {
	left := new(big.Int).Mul(o.rate.Num(), other.rate.Denom())
	right := new(big.Int).Mul(other.rate.Num(), o.rate.Denom())
	return left.Mul(left, x[o.of]).Cmp(right.Mul(right, x[other.of])) > 0
}

// best returns the index of the offer with the most shares, the first among equal ones.
func best(offers []offer, x scale) int {
	first := 0
	for i, o := range offers {
		if o.more(offers[first], x) {
			first = i
		}
	}
	return first
}
