package waterfall

import (
	"cmp"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// rest is what rounding down took from a row.
type rest struct {
	row  int
	part *big.Rat
	// key is the part in 2^-62, so that hardly any two need be compared exactly.
	key int64
}

const keyBits = 62

// share rounds the rows to the places such that they sum to their own sum, rounded down:
// each is rounded down, and the units that are missing go to those that lost the most,
// ties to the earlier row. It gives the sum.
func share(rows []row, places int) exact.Decimal {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)) //nolint:mnd // decimal
	whole, total := new(big.Int), zero()
	units := make([]*big.Int, len(rows))
	rests := make([]rest, 0, len(rows))
	for i := range rows {
		scaled := new(big.Rat).Mul(rows[i].exact, unit)
		total.Add(total, scaled)
		units[i] = new(big.Int).Quo(scaled.Num(), scaled.Denom())
		whole.Add(whole, units[i])
		if part := scaled.Sub(scaled, new(big.Rat).SetInt(units[i])); part.Sign() > 0 {
			key := new(big.Int).Lsh(part.Num(), keyBits)
			rests = append(rests, rest{i, part, key.Quo(key, part.Denom()).Int64()})
		}
	}
	slices.SortStableFunc(rests, func(a, b rest) int {
		if order := cmp.Compare(b.key, a.key); order != 0 {
			return order
		}
		return b.part.Cmp(a.part)
	})
	sum := new(big.Int).Quo(total.Num(), total.Denom())
	missing := new(big.Int).Sub(sum, whole).Int64()
	for _, r := range rests[:missing] {
		units[r.row].Add(units[r.row], big.NewInt(1))
	}
	for i := range rows {
		rows[i].payout.Amount = exact.RoundDown(new(big.Rat).Quo(new(big.Rat).SetInt(units[i]), unit), places)
	}
	return exact.RoundDown(new(big.Rat).Quo(new(big.Rat).SetInt(sum), unit), places)
}
