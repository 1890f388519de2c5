package credit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"equity/captable/exact"
)

// Amount is a number of hundredths of a credit.
type Amount int64

// Places is how many digits an amount has behind the point.
const Places = 2

const hundredths = 100

// Most is the largest amount that is booked at once. A hundred million bookings of it still add up without an overflow.
const Most Amount = 1_000_000_000_00

// What is wrong with the text of an amount.
var (
	ErrNotANumber = errors.New("not a number written in digits")
	ErrTooFine    = errors.New("more than 2 digits behind the point")
	ErrTooLarge   = errors.New("more than 1,000,000,000")
)

// Credits gives the amount of whole credits.
func Credits(whole int64) Amount { return Amount(whole * hundredths) }

// ParseAmount reads a decimal number such as 12.5, exactly. It has at most 2 digits behind the point that are not zero.
func ParseAmount(text string) (Amount, error) {
	if _, _, ok := exact.Figures(text); !ok {
		return 0, ErrNotANumber
	}
	whole, behind, _ := strings.Cut(text, ".")
	behind = strings.TrimRight(behind, "0")
	if len(behind) > Places {
		return 0, ErrTooFine
	}
	number, err := strconv.ParseInt(whole+behind+strings.Repeat("0", Places-len(behind)), 10, 64)
	if err != nil || Amount(number) > Most || Amount(number) < -Most {
		return 0, ErrTooLarge
	}
	return Amount(number), nil
}

// String gives the amount with two digits behind the point.
func (a Amount) String() string {
	sign, size := "", a
	if a < 0 {
		sign, size = "-", -a
	}
	return fmt.Sprintf("%s%d.%02d", sign, size/hundredths, size%hundredths)
}

// MarshalText gives the amount as a decimal string.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads a decimal string of any size that MarshalText writes.
func (a *Amount) UnmarshalText(text []byte) error {
	whole, behind, ok := strings.Cut(string(text), ".")
	number, err := strconv.ParseInt(whole+behind, 10, 64)
	if err != nil || !ok || len(behind) != Places {
		return fmt.Errorf("amount %q: %w", text, ErrNotANumber)
	}
	*a = Amount(number)
	return nil
}
