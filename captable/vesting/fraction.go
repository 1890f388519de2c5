package vesting

import (
	"encoding/json"
	"errors"
	"math/big"
)

// Fraction is a numerator over a denominator. Its JSON form is a pair: [12, 48]. The zero value means absent; a
// fraction of zero is 0 over 1.
type Fraction struct{ Numerator, Denominator int64 }

// MaxDenominator limits fractions, so that their sums have a bounded size.
const MaxDenominator = 1_000_000_000_000_000

// errNotPair is the error of a malformed fraction.
var errNotPair = errors.New("a fraction must be a pair of integers such as [1, 48]")

// MarshalJSON returns the pair.
func (f Fraction) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]int64{f.Numerator, f.Denominator})
}

// UnmarshalJSON decodes the pair. The checks validate it later.
func (f *Fraction) UnmarshalJSON(text []byte) error {
	var pair []int64
	if err := json.Unmarshal(text, &pair); err != nil || len(pair) != 2 || pair[0] == 0 && pair[1] == 0 {
		return errNotPair
	}
	*f = Fraction{pair[0], pair[1]}
	return nil
}

// fractionOf converts a rational between 0 and 1 with 64-bit terms.
func fractionOf(r *big.Rat) Fraction { return Fraction{r.Num().Int64(), r.Denom().Int64()} }

// Rat returns the fraction as a new rational. The denominator must be positive.
func (f Fraction) Rat() *big.Rat { return big.NewRat(f.Numerator, f.Denominator) }

// IsZero reports whether the fraction is absent.
func (f Fraction) IsZero() bool { return f == Fraction{} }

// within01 reports whether the fraction is from 0 to 1.
func (f Fraction) within01() bool {
	return f.Denominator > 0 && f.Denominator <= MaxDenominator && f.Numerator >= 0 && f.Numerator <= f.Denominator
}
