package captable

import (
	"math/big"

	"equity/captable/exact"
)

// Ratio is numerator : denominator, both positive: a 2-for-1 split is 2 : 1.
type Ratio struct {
	Numerator   Decimal `json:"numerator"`
	Denominator Decimal `json:"denominator"`
}

// Rat returns the ratio as a new rational number. The denominator must not be zero.
func (r Ratio) Rat() *big.Rat {
	return new(big.Rat).Quo(r.Numerator.Rat(), r.Denominator.Rat())
}

// positive reports whether both parts are more than zero.
func (r Ratio) positive() bool { return r.Numerator.Sign() > 0 && r.Denominator.Sign() > 0 }

// isZero reports whether the ratio is absent.
func (r Ratio) isZero() bool { return r.Numerator.IsZero() && r.Denominator.IsZero() }

// isOne reports whether the ratio is 1.
func (r Ratio) isOne() bool { return r.Numerator.Equal(r.Denominator) }

// RatioOf returns the rational number in lowest terms. It reports false if a part has more digits
// than the contract allows.
func RatioOf(r *big.Rat) (Ratio, bool) {
	whole := func(n *big.Int) Decimal { return exact.RoundDown(new(big.Rat).SetInt(n), 0) }
	ratio := Ratio{Numerator: whole(r.Num()), Denominator: whole(r.Denom())}
	return ratio, ratio.Numerator.Fits() && ratio.Denominator.Fits()
}

// ConversionInto returns the right to convert a share into the given number of shares of the
// security. A fraction with more digits than the contract allows is replaced by its decimal,
// because applying an event must not fail.
func ConversionInto(security SecurityID, each *big.Rat) *Conversion {
	rounded := exact.RoundHalfUp(each, exact.Places)
	fraction, fits := RatioOf(each)
	if !fits {
		fraction, _ = RatioOf(rounded.Rat())
	}
	return &Conversion{Security: security, Ratio: rounded, Fraction: fraction}
}

// Each returns the exact number of shares of the other security per share.
func (c *Conversion) Each() *big.Rat {
	if c.Fraction.positive() {
		return c.Fraction.Rat()
	}
	return c.Ratio.Rat()
}

// text returns the ratio as a decimal if it is exact, else as a fraction such as 2/3.
func (c *Conversion) text() string {
	if c.Ratio.Rat().Cmp(c.Each()) == 0 {
		return c.Ratio.String()
	}
	return c.Fraction.Numerator.String() + "/" + c.Fraction.Denominator.String()
}

// settled returns the right with its decimal and its fraction in lowest terms. An invalid right
// (see [Conversion.faults]) is returned unchanged.
func (c *Conversion) settled() *Conversion {
	if c == nil || c.Ratio.Sign() <= 0 && c.Fraction.isZero() || c.contradicts() || !c.Fraction.isZero() && !c.Fraction.positive() {
		return c
	}
	return ConversionInto(c.Security, c.Each())
}

// contradicts reports whether the decimal and the fraction are both stated and differ.
func (c *Conversion) contradicts() bool {
	return c.Fraction.positive() && !c.Ratio.IsZero() && !exact.RoundHalfUp(c.Fraction.Rat(), exact.Places).Equal(c.Ratio)
}

// faults adds faults for an invalid ratio.
func (c *Conversion) faults(faults *Faults, pointer string) {
	switch {
	case !c.Fraction.isZero() && !c.Fraction.positive():
		faults.Add(pointer+"/fraction", "notPositive", "Numerator and denominator must be more than zero.")
	case c.contradicts():
		faults.Add(pointer+"/ratio", "contradiction", "Ratio and fraction differ: state one of them, or both alike.")
	case c.Ratio.Sign() <= 0:
		faults.Add(pointer+"/ratio", "notPositive", "The ratio must be more than zero.")
	}
}
