package exact

import "math/big"

// RoundDown gives the number towards zero with the given places behind the point:
// how shares are rounded (a fraction of a share is never made up).
func RoundDown(r *big.Rat, places int) Decimal {
	return fromScaled(new(big.Int).Quo(scaled(r, places)), places)
}

// RoundHalfUp gives the nearest number with the given places, a half away from
// zero: how money and prices are rounded, once and at the end.
func RoundHalfUp(r *big.Rat, places int) Decimal {
	numerator, denominator := scaled(r, places)
	twice := new(big.Int).Lsh(new(big.Int).Abs(numerator), 1)
	twice.Add(twice, denominator).Quo(twice, new(big.Int).Lsh(denominator, 1))
	if numerator.Sign() < 0 {
		twice.Neg(twice)
	}
	return fromScaled(twice, places)
}

func scaled(r *big.Rat, places int) (numerator, denominator *big.Int) {
	return new(big.Int).Mul(r.Num(), powerOfTen(places)), r.Denom()
}

// digitsOfWord is how many zeros a power of ten has at most that fits an int64.
const digitsOfWord = 18

func powerOfTen(n int) *big.Int {
	if n <= digitsOfWord {
		power := int64(1)
		for range n {
			power *= 10
		}
		return big.NewInt(power)
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

func fromScaled(n *big.Int, places int) Decimal {
	var d Decimal
	d.number.Coeff.SetMathBigInt(n)
	d.number.Coeff.Abs(&d.number.Coeff)
	d.number.Negative = n.Sign() < 0
	d.number.Exponent = -int32(places) //nolint:gosec // places is at most 20
	return d.normal()
}
