package exact

import (
	"math/big"
	"slices"
)

// Percentages gives each part's fraction of their sum with 10 places, such that
// the fractions sum to exactly 1: each is rounded down, and what is missing goes,
// one unit in the last place each, to the largest remainders (ties to the earlier
// part). All are 0 when the sum is. Parts have at most 20 places.
func Percentages(parts []Decimal) []Decimal {
	fractions := make([]Decimal, len(parts))
	total := new(big.Int)
	scaled := make([]big.Int, len(parts))
	for i := range parts {
		parts[i].scale(&scaled[i], 2*Places)
		total.Add(total, &scaled[i])
	}
	if total.Sign() == 0 {
		return fractions
	}
	// All have the same denominator, the total: remainders compare as integers.
	type share struct {
		index       int
		floor, rest big.Int
	}
	units := powerOfTen(Places)
	missing := new(big.Int).Set(units)
	shares := make([]share, len(parts))
	for i := range shares {
		s := &shares[i]
		s.index = i
		s.floor.QuoRem(scaled[i].Mul(&scaled[i], units), total, &s.rest)
		missing.Sub(missing, &s.floor)
	}
	slices.SortStableFunc(shares, func(a, b share) int { return b.rest.Cmp(&a.rest) })
	for i := range missing.Int64() {
		shares[i].floor.Add(&shares[i].floor, big.NewInt(1))
	}
	for i := range shares {
		fractions[shares[i].index] = fromScaled(&shares[i].floor, Places)
	}
	return fractions
}

// scale sets n to the number times a power of ten; what lies behind those places is
// cut off.
func (d Decimal) scale(n *big.Int, places int) {
	n.Set(d.number.Coeff.MathBigInt())
	if d.number.Negative {
		n.Neg(n)
	}
	switch shift := places + int(d.number.Exponent); {
	case shift >= 0:
		n.Mul(n, powerOfTen(shift))
	default:
		n.Quo(n, powerOfTen(-shift))
	}
}
