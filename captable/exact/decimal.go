package exact

import (
	"errors"
	"math/big"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Decimal is an exact decimal number with at most 19 digits before the point and
// at most 10 behind it, the range of the contract. It is an immutable value; the
// zero Decimal is 0. In JSON it is a string, never a number, so that no client
// can pass it through a binary float.
type Decimal struct{ number apd.Decimal }

// Places is the number of digits a Decimal may have behind the point.
const Places = 10

const integerDigits = 19

// ErrBadDecimal says what a decimal looks like.
var ErrBadDecimal = errors.New(`not a decimal string such as "1250.5" with at most 19 digits before and 10 behind the point`)

// exactly computes without rounding: what does not fit is trapped, not lost.
// 120 digits hold any product of four Decimals.
func exactly() *apd.Context {
	return &apd.Context{
		Precision:   120,
		MaxExponent: apd.MaxExponent,
		MinExponent: apd.MinExponent,
		Traps:       apd.DefaultTraps | apd.Inexact,
	}
}

// Largest gives the largest number that lies within the range of the contract.
func Largest() Decimal {
	return MustDecimal(strings.Repeat("9", integerDigits) + "." + strings.Repeat("9", Places))
}

// NewDecimal gives the whole number n.
func NewDecimal(n int64) Decimal {
	var d Decimal
	d.number.SetInt64(n)
	return d
}

// ParseDecimal reads a decimal string: an optional minus sign, 1 to 19 digits and
// optionally a point followed by 1 to 10 digits. Exponents, plus signs, blanks and
// names such as NaN are refused.
func ParseDecimal(text string) (Decimal, error) {
	if !isDecimal(text) {
		return Decimal{}, ErrBadDecimal
	}
	var d Decimal
	if _, _, err := d.number.SetString(text); err != nil {
		return Decimal{}, ErrBadDecimal
	}
	return d.normal(), nil
}

// MustDecimal reads a decimal that the program itself wrote; it panics on any other.
func MustDecimal(text string) Decimal {
	d, err := ParseDecimal(text)
	if err != nil {
		panic("exact: " + text + ": " + err.Error())
	}
	return d
}

func isDecimal(text string) bool {
	whole, behind, ok := Figures(text)
	return ok && whole <= integerDigits && behind <= Places
}

// Figures counts the digits before and behind the point of a number that is written
// as a decimal; ok is false when it is not. Whether it is in range, they tell.
func Figures(text string) (whole, behind int, ok bool) {
	text = strings.TrimPrefix(text, "-")
	point := false
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9' && point:
			behind++
		case c >= '0' && c <= '9':
			whole++
		case c == '.' && !point:
			point = true
		default:
			return 0, 0, false
		}
	}
	return whole, behind, whole > 0 && (behind > 0) == point
}

// normal gives the one representation of the number: no trailing zeros, no
// negative zero. Equal numbers are then equal values, which tests, hashes and
// answers rely on.
func (d Decimal) normal() Decimal {
	var out Decimal
	if d.number.IsZero() {
		return out
	}
	out.number.Reduce(&d.number)
	if out.number.Exponent > 0 { // 1E+3 prints as 1000 and fits the small coefficient
		_, _ = exactly().Quantize(&out.number, &out.number, 0)
	}
	return out
}

// String gives the shortest decimal text: "1250.5", "0", "-3".
func (d Decimal) String() string { return d.number.Text('f') }

// MarshalText gives the text of [Decimal.String].
func (d Decimal) MarshalText() ([]byte, error) { return d.number.Append(nil, 'f'), nil }

// UnmarshalText reads what [ParseDecimal] reads.
func (d *Decimal) UnmarshalText(text []byte) error {
	read, err := ParseDecimal(string(text))
	if err != nil {
		return err
	}
	*d = read
	return nil
}

// IsZero reports whether the number is 0.
func (d Decimal) IsZero() bool { return d.number.IsZero() }

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int { return d.number.Sign() }

// IsWhole reports whether nothing stands behind the point.
func (d Decimal) IsWhole() bool { return d.number.Exponent >= 0 }

// Cmp is -1, 0 or 1 as d is less than, equal to or greater than other.
func (d Decimal) Cmp(other Decimal) int { return d.number.Cmp(&other.number) }

// Equal reports whether both are the same number.
func (d Decimal) Equal(other Decimal) bool { return d.Cmp(other) == 0 }

// Add gives d + other, exactly.
func (d Decimal) Add(other Decimal) Decimal {
	var sum Decimal
	must(exactly().Add(&sum.number, &d.number, &other.number))
	return sum.normal()
}

// Sub gives d - other, exactly.
func (d Decimal) Sub(other Decimal) Decimal {
	var difference Decimal
	must(exactly().Sub(&difference.number, &d.number, &other.number))
	return difference.normal()
}

// Mul gives d × other, exactly; the product may have up to 20 places.
func (d Decimal) Mul(other Decimal) Decimal {
	var product Decimal
	must(exactly().Mul(&product.number, &d.number, &other.number))
	return product.normal()
}

// Neg gives -d.
func (d Decimal) Neg() Decimal { return Decimal{}.Sub(d) }

// Min gives the lesser of both.
func (d Decimal) Min(other Decimal) Decimal {
	if d.Cmp(other) <= 0 {
		return d
	}
	return other
}

// Max gives the greater of both.
func (d Decimal) Max(other Decimal) Decimal {
	if d.Cmp(other) >= 0 {
		return d
	}
	return other
}

// Fits reports whether the number lies within the range of the contract.
func (d Decimal) Fits() bool { return d.number.Exponent >= -Places && d.whole() <= integerDigits }

// Scale is how many digits stand behind the point.
func (d Decimal) Scale() int { return -int(d.number.Exponent) }

// whole is how many digits stand before the point; none or fewer for a number below 1.
func (d Decimal) whole() int64 { return d.number.NumDigits() + int64(d.number.Exponent) }

// Rat gives the number as a rational of the caller's own.
func (d Decimal) Rat() *big.Rat {
	n := new(big.Int)
	if d.IsWhole() {
		d.scale(n, 0)
		return new(big.Rat).SetInt(n)
	}
	places := -int(d.number.Exponent)
	d.scale(n, places)
	return new(big.Rat).SetFrac(n, powerOfTen(places))
}

// must marks a calculation that cannot leave the exact context: both operands are
// within the contract's range, so the result has far fewer than 120 digits.
func must(condition apd.Condition, err error) {
	if err != nil {
		panic("exact: inexact decimal arithmetic: " + condition.String())
	}
}
