package captable

import (
	"math/big"
	"slices"
)

// Percentages gives each part's fraction of their sum with 10 places, such that
// the fractions sum to exactly 1: each is rounded down, and what is missing goes,
// one unit in the last place each, to the largest remainders (ties to the earlier
// part). All are 0 when the sum is.
func Percentages(parts []Decimal) []Decimal {
	fractions := make([]Decimal, len(parts))
	total := new(big.Rat)
	for _, part := range parts {
		total.Add(total, part.Rat())
	}
	if total.Sign() == 0 {
		return fractions
	}
	units := powerOfTen(Places)
	missing := new(big.Int).Set(units)
	type remainder struct {
		index int
		size  *big.Rat
	}
	remainders := make([]remainder, len(parts))
	floors := make([]*big.Int, len(parts))
	for i, part := range parts {
		exact := new(big.Rat).Quo(part.Rat(), total)
		exact.Mul(exact, new(big.Rat).SetInt(units))
		floors[i] = new(big.Int).Quo(exact.Num(), exact.Denom())
		missing.Sub(missing, floors[i])
		remainders[i] = remainder{i, exact.Sub(exact, new(big.Rat).SetInt(floors[i]))}
	}
	slices.SortStableFunc(remainders, func(a, b remainder) int { return b.size.Cmp(a.size) })
	for _, r := range remainders[:missing.Int64()] {
		floors[r.index].Add(floors[r.index], big.NewInt(1))
	}
	for i, floor := range floors {
		fractions[i] = fromScaled(floor, Places)
	}
	return fractions
}
