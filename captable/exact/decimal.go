package exact

import (
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Decimal is an exact decimal number with at most 19 integer digits and 10 decimal places, the range of the
// contract. It is an immutable value, and the zero Decimal is 0. Its JSON form is a string, never a number, so
// that clients do not convert it to a binary float.
type Decimal struct{ number apd.Decimal }

// Places is the maximum number of decimal places of a Decimal.
const Places = 10

const integerDigits = 19

// ErrBadDecimal is the error of a malformed decimal.
var ErrBadDecimal = errors.New(`not a decimal string such as "1250.5" with at most 19 integer digits and 10 decimal places`)

// exactly returns a context without rounding: a result that does not fit is an error. 120 digits hold any product
// of four Decimals.
func exactly() *apd.Context {
	return &apd.Context{
		Precision:   120,
		MaxExponent: apd.MaxExponent,
		MinExponent: apd.MinExponent,
		Traps:       apd.DefaultTraps | apd.Inexact,
	}
}

// Largest returns the largest number in the range of the contract.
func Largest() Decimal {
	return MustDecimal(strings.Repeat("9", integerDigits) + "." + strings.Repeat("9", Places))
}

// NewDecimal returns the integer n.
func NewDecimal(n int64) Decimal {
	var d Decimal
	d.number.SetInt64(n)
	return d
}

// ParseDecimal parses a decimal string: an optional minus sign, 1 to 19 digits and optionally a point followed by
// 1 to 10 digits. Exponents, plus signs, blanks and names such as NaN are refused.
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

// MustDecimal parses a decimal literal. It panics if the decimal is invalid.
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

// Figures returns the numbers of integer digits and decimal places of a decimal string. ok is false for other
// strings. The caller checks the range.
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

// normal returns the unique representation of the number, without trailing zeros or negative zero. Equal numbers
// are then equal values, which tests, hashes and answers rely on.
func (d Decimal) normal() Decimal {
	var out Decimal
	if d.number.IsZero() {
		return out
	}
	out.number.Reduce(&d.number)
	if out.number.Exponent > 0 { // 1E+3 is formatted as 1000 and fits the small coefficient
		_, _ = exactly().Quantize(&out.number, &out.number, 0)
	}
	return out
}

// String returns the shortest decimal text: "1250.5", "0", "-3".
func (d Decimal) String() string { return d.number.Text('f') }

// MarshalText returns the text of [Decimal.String].
func (d Decimal) MarshalText() ([]byte, error) { return d.number.Append(nil, 'f'), nil }

// UnmarshalText parses the format of [ParseDecimal].
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

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int { return d.number.Sign() }

// IsWhole reports whether the number is an integer.
func (d Decimal) IsWhole() bool { return d.number.Exponent >= 0 }

// Cmp returns -1, 0 or 1 if d is less than, equal to or greater than other.
func (d Decimal) Cmp(other Decimal) int { return d.number.Cmp(&other.number) }

// Equal reports whether both numbers are equal.
func (d Decimal) Equal(other Decimal) bool { return d.Cmp(other) == 0 }

// notSmall is not an integer of [Decimal.small].
const notSmall = math.MinInt64

// small returns the number if it is an integer below 2⁶², so that the sum of two of them fits an int64, and otherwise notSmall. Most
// quantities are. Their sums take a sixth of the time.
func (d Decimal) small() int64 {
	const most = 1 << 62
	if d.number.Form != apd.Finite || d.number.Exponent != 0 || !d.number.Coeff.IsInt64() {
		return notSmall
	}
	switch n := d.number.Coeff.Int64(); {
	case n >= most:
		return notSmall
	case d.number.Negative:
		return -n
	default:
		return n
	}
}

// Add returns d + other, exactly.
func (d Decimal) Add(other Decimal) Decimal {
	if x, y := d.small(), other.small(); x != notSmall && y != notSmall {
		return NewDecimal(x + y)
	}
	var sum Decimal
	must(exactly().Add(&sum.number, &d.number, &other.number))
	return sum.normal()
}

// Sub returns d - other, exactly.
func (d Decimal) Sub(other Decimal) Decimal {
	if x, y := d.small(), other.small(); x != notSmall && y != notSmall {
		return NewDecimal(x - y)
	}
	var difference Decimal
	must(exactly().Sub(&difference.number, &d.number, &other.number))
	return difference.normal()
}

// Mul returns d × other, exactly. The product has up to 20 decimal places.
func (d Decimal) Mul(other Decimal) Decimal {
	var product Decimal
	must(exactly().Mul(&product.number, &d.number, &other.number))
	return product.normal()
}

// Neg returns -d.
func (d Decimal) Neg() Decimal { return Decimal{}.Sub(d) }

// Min returns the lesser number.
func (d Decimal) Min(other Decimal) Decimal {
	if d.Cmp(other) <= 0 {
		return d
	}
	return other
}

// Max returns the greater number.
func (d Decimal) Max(other Decimal) Decimal {
	if d.Cmp(other) >= 0 {
		return d
	}
	return other
}

// Fits reports whether the number is in the range of the contract.
func (d Decimal) Fits() bool { return d.number.Exponent >= -Places && d.whole() <= integerDigits }

// Scale returns the number of decimal places.
func (d Decimal) Scale() int { return -int(d.number.Exponent) }

// whole returns the number of integer digits, which is zero or less for a number below 1.
func (d Decimal) whole() int64 { return d.number.NumDigits() + int64(d.number.Exponent) }

// Rat returns the number as a new rational.
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

// must panics on an inexact result. That cannot occur: both operands are within the contract's range, so the
// result has far fewer than 120 digits.
func must(condition apd.Condition, err error) {
	if err != nil {
		panic("exact: inexact decimal arithmetic: " + condition.String())
	}
}
