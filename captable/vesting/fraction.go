package vesting

import (
	"encoding/json"
	"errors"
	"math/big"
)

// Fraction is a numerator over a denominator, in JSON a pair: [12, 48]. The zero value
// is none; a fraction of nothing is 0 over 1.
type Fraction struct{ Numerator, Denominator int64 }

// MaxDenominator bounds fractions, so that no sum of them grows without measure.
const MaxDenominator = 1_000_000_000_000_000

// errNotPair says what a fraction looks like.
var errNotPair = errors.New("a fraction is a pair of whole numbers such as [1, 48]")

// MarshalJSON gives the pair.
func (f Fraction) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]int64{f.Numerator, f.Denominator})
}

// UnmarshalJSON reads the pair; whether it is a good fraction is for the checks to say.
func (f *Fraction) UnmarshalJSON(text []byte) error {
	var pair []int64
	if err := json.Unmarshal(text, &pair); err != nil || len(pair) != 2 || pair[0] == 0 && pair[1] == 0 {
		return errNotPair
	}
	*f = Fraction{pair[0], pair[1]}
	return nil
}

// fractionOf gives a rational between 0 and 1 whose terms fit.
func fractionOf(r *big.Rat) Fraction { return Fraction{r.Num().Int64(), r.Denom().Int64()} }

// Rat gives the fraction as a rational of the caller's own. The denominator is positive.
func (f Fraction) Rat() *big.Rat { return big.NewRat(f.Numerator, f.Denominator) }

// IsZero reports whether no fraction is given.
func (f Fraction) IsZero() bool { return f == Fraction{} }

// within01 reports whether it is a fraction of a whole: from 0 to 1.
func (f Fraction) within01() bool {
	return f.Denominator > 0 && f.Denominator <= MaxDenominator && f.Numerator >= 0 && f.Numerator <= f.Denominator
}
