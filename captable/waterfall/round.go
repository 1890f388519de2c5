package waterfall

import (
	"cmp"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// rest is what rounding down took from a row: a part of a unit.
type rest struct {
	row int
	// part over whole is the part.
	part, whole *big.Int
	// key is the part in 2^-62, so that hardly any two need be compared exactly.
	key int64
}

const keyBits = 62

// compare orders by the larger part.
func (r rest) compare(other rest) int {
	if order := cmp.Compare(other.key, r.key); order != 0 {
		return order
	}
	return new(big.Int).Mul(other.part, r.whole).Cmp(new(big.Int).Mul(r.part, other.whole))
}

// share rounds the rows to the places such that they sum to the total, which is their
// own sum, rounded down: each is rounded down, and the units that are missing go to those
// that lost the most, ties to the earlier row. It gives the sum. Fractions stay as they
// are, since reducing one takes longer than everything else that is done with it.
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
