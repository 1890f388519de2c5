package conversion

import (
	"math/big"

	"equity/captable/exact"
)

// The maximum number of bits of an account's unit, and the number of bits kept after the binary point above that:
// some 600 decimal places.
const (
	exactBits = 1 << 12
	keptBits  = 1 << 11
)

// bound limits the size of the numbers. The new unit represents the principal exactly, and every amount with twice
// the decimal places of results. See ruling 26.
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

// power returns the fraction to the power of n > 0: exact if it is short enough, otherwise rounded down after the
// binary point.
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
