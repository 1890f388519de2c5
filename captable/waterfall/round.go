package waterfall

import (
	"cmp"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// rest is the remainder of rounding a row down: a fraction of a unit.
type rest struct {
	row int
	// the remainder is part over whole
	part, whole *big.Int
	// key is the fraction in multiples of 2^-62, so that exact comparisons are rare.
	key int64
}

const keyBits = 62

// compare orders by decreasing fraction.
func (r rest) compare(other rest) int {
	if order := cmp.Compare(other.key, r.key); order != 0 {
		return order
	}
	return new(big.Int).Mul(other.part, r.whole).Cmp(new(big.Int).Mul(r.part, other.whole))
}

// share rounds the rows to the places such that they sum to the total, which is their exact sum rounded down. Each
// row is rounded down, and the missing units go to the largest remainders, ties to the earlier row. It returns the
// sum. Fractions are not reduced, because that would dominate the cost.
func share(rows []row, total *big.Rat, places int) exact.Decimal {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil) //nolint:mnd // decimal
	given := new(big.Int)
	units := make([]*big.Int, len(rows))
	rests := make([]rest, 0, len(rows))
	for i, row := range rows {
		scaled := new(big.Int).Mul(row.part, unit)
		part := new(big.Int)
		units[i], part = scaled.QuoRem(scaled, row.whole, part)
		given.Add(given, units[i])
		if part.Sign() > 0 {
			key := new(big.Int).Lsh(part, keyBits)
			rests = append(rests, rest{i, part, row.whole, key.Quo(key, row.whole).Int64()})
		}
	}
	slices.SortStableFunc(rests, rest.compare)
	sum := new(big.Int).Mul(total.Num(), unit)
	sum.Quo(sum, total.Denom())
	missing := new(big.Int).Sub(sum, given).Int64()
	for _, r := range rests[:missing] {
		units[r.row].Add(units[r.row], big.NewInt(1))
	}
	for i := range rows {
		rows[i].payout.Amount = exact.RoundDown(new(big.Rat).SetFrac(units[i], unit), places)
	}
	return exact.RoundDown(new(big.Rat).SetFrac(sum, unit), places)
}
