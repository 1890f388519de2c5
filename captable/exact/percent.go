package exact

import (
	"cmp"
	"math/big"
	"slices"
)

// Percentages returns each part as a fraction of the sum with 10 decimal places, such that the fractions sum to
// exactly 1. Each fraction is rounded down. The difference is distributed in units of the last place to the
// largest remainders (ties to the earlier part). All fractions are 0 if the sum is 0.
func Percentages(parts []Decimal) []Decimal {
	fractions := make([]Decimal, len(parts))
	scaled, total := inOneUnit(parts)
	if total.Sign() == 0 {
		return fractions
	}
	// The denominator is the total for all parts, so remainders compare as integers.
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

// inOneUnit returns the parts and their sum as multiples of the smallest last place.
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

// scale sets n to the number times a power of ten. Further decimal places are truncated.
func (d Decimal) scale(n *big.Int, places int) {
	if coefficient := &d.number.Coeff; coefficient.IsUint64() {
		n.SetUint64(coefficient.Uint64()) // a small coefficient needs no allocation
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
