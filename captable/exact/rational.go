package exact

import "math/big"

// RoundDown returns the number rounded towards zero to the given decimal places. Shares are rounded this way, so
// that no fraction of a share is created.
func RoundDown(r *big.Rat, places int) Decimal {
	return fromScaled(new(big.Int).Quo(scaled(r, places)), places)
}

// Units returns a number of units of the last of the decimal places.
func Units(n *big.Int, places int) Decimal { return fromScaled(n, places) }

// RoundHalfUp returns the nearest number with the given decimal places, halves away from zero. Money and prices
// are rounded this way, once at the end.
func RoundHalfUp(r *big.Rat, places int) Decimal { return RoundFraction(r.Num(), r.Denom(), places) }

// RoundFraction is RoundHalfUp for a fraction that need not be in lowest terms. The denominator must be positive.
func RoundFraction(numerator, denominator *big.Int, places int) Decimal {
	numerator = new(big.Int).Mul(numerator, powerOfTen(places))
	twice := new(big.Int).Lsh(new(big.Int).Abs(numerator), 1)
	twice.Add(twice, denominator).Quo(twice, new(big.Int).Lsh(denominator, 1))
	if numerator.Sign() < 0 {
		twice.Neg(twice)
	}
	return fromScaled(twice, places)
}

// Product returns a*b. [big.Rat.Mul] searches a common divisor of the numerator and the denominator of the product. If one
// factor is short, as an amount is, it is much faster to reduce the factors crosswise before.
func Product(a, b *big.Rat) *big.Rat {
	first, second := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.Num()), b.Denom()), new(big.Int).GCD(
		nil, nil, new(big.Int).Abs(b.Num()), a.Denom(),
	)
	part := func(of, by *big.Int) *big.Int { return new(big.Int).Quo(of, by) }
	product := big.NewRat(1, 2) // Num and Denom of a fraction are references
	product.Num().Mul(part(a.Num(), first), part(b.Num(), second))
	product.Denom().Mul(part(a.Denom(), second), part(b.Denom(), first))
	return product
}

func scaled(r *big.Rat, places int) (numerator, denominator *big.Int) {
	return new(big.Int).Mul(r.Num(), powerOfTen(places)), r.Denom()
}

// digitsOfWord is the maximum exponent of a power of ten that fits an int64.
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
