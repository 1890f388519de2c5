package exact

import (
	"cmp"
	"math/big"
	"slices"
)

// Percentages gives each part's fraction of their sum with 10 places, such that
// the fractions sum to exactly 1: each is rounded down, and what is missing goes,
// one unit in the last place each, to the largest remainders (ties to the earlier
// part). All are 0 when the sum is.
func Percentages(parts []Decimal) []Decimal {
	fractions := make([]Decimal, len(parts))
	scaled, total := inOneUnit(parts)
	if total.Sign() == 0 {
		return fractions
	}
	// All have the same denominator, the total: remainders compare as integers.
	units := powerOfTen(Places)
	missing := new(big.Int).Set(units)
	floors, rests := make([]big.Int, len(parts)), scaled
	largest := make([]int, len(parts))
	var product big.Int
	for i := range parts {
		floors[i].QuoRem(product.Mul(&scaled[i], units), total, &rests[i])
		missing.Sub(missing, &floors[i])
		largest[i] = i
	}
	slices.SortFunc(largest, func(a, b int) int { return cmp.Or(rests[b].Cmp(&rests[a]), cmp.Compare(a, b)) })
	one := big.NewInt(1)
	for _, i := range largest[:missing.Int64()] {
		floors[i].Add(&floors[i], one)
	}
	for i := range fractions {
		fractions[i] = fromScaled(&floors[i], Places)
	}
	return fractions
}

// inOneUnit gives the parts, and their sum, as multiples of the last place that any of
// them has.
func inOneUnit(parts []Decimal) (scaled []big.Int, total *big.Int) {
	places := 0
	for i := range parts {
		places = max(places, parts[i].Scale())
	}
	scaled, total = make([]big.Int, len(parts)), new(big.Int)
	for i := range parts {
		parts[i].scale(&scaled[i], places)
		total.Add(total, &scaled[i])
	}
	return scaled, total
}

// scale sets n to the number times a power of ten; what lies behind those places is
// cut off.
func (d Decimal) scale(n *big.Int, places int) {
	if coefficient := &d.number.Coeff; coefficient.IsUint64() {
		n.SetUint64(coefficient.Uint64()) // what is small needs no copy of its own
	} else {
		n.Set(coefficient.MathBigInt())
	}
	if d.number.Negative {
		n.Neg(n)
	}
	switch shift := places + int(d.number.Exponent); {
	case shift == 0:
	case shift > 0:
		n.Mul(n, powerOfTen(shift))
	default:
		n.Quo(n, powerOfTen(-shift))
	}
}
