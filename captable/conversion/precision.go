package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// How many bits the unit of an account has at most, and how many are kept behind the
// point when it would have more: some 600 decimal places.
const (
	exactBits = 1 << 12
	keptBits  = 1 << 11
)

// bound keeps the numbers from growing for ever. The new unit is one that counts the
// principal exactly, and every amount of twice as many places as are shown.
func (a *account) bound() {
	if a.unit.BitLen() <= exactBits {
		return
	}
	places := new(big.Int).Exp(big.NewInt(10), big.NewInt(2*exact.Places), nil) //nolint:mnd // the base of decimal places
	unit := places.Lsh(places, keptBits)
	whole := new(big.Rat).SetFrac(a.principal, a.unit).Denom()
	if whole.BitLen() <= keptBits {
		unit.Mul(unit, whole)
	}
	for _, balance := range []*big.Int{a.principal, a.compounded, a.current} {
		balance.Mul(balance, unit)
		balance.Quo(balance, a.unit)
	}
	a.unit.Set(unit)
}

// power gives the fraction to the power of n, which is positive: exact where it is short
// enough, and otherwise rounded down behind the point.
func power(numerator, denominator *big.Int, n int64) (grown, unit *big.Int) {
	exponent := big.NewInt(n)
	if int64(denominator.BitLen())*n <= exactBits {
		return new(big.Int).Exp(numerator, exponent, nil), new(big.Int).Exp(denominator, exponent, nil)
	}
	unit = new(big.Int).Lsh(big.NewInt(1), exactBits)
	factor := new(big.Int).Mul(numerator, unit)
	factor.Quo(factor, denominator)
	grown = new(big.Int).Set(unit)
	for bit := exponent.BitLen() - 1; bit >= 0; bit-- {
		grown.Rsh(grown.Mul(grown, grown), exactBits)
		if exponent.Bit(bit) == 1 {
			grown.Rsh(grown.Mul(grown, factor), exactBits)
		}
	}
	return grown, unit
}
