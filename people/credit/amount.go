package credit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"equity/captable/exact"
)

// Amount is an amount of credit in hundredths.
type Amount int64

// Places is the number of decimal places of an amount.
const Places = 2

const hundredths = 100

// Most is the largest amount of a booking. The sum of 92 million bookings of it fits an int64.
const Most Amount = 1_000_000_000_00

// The errors of ParseAmount.
var (
	ErrNotANumber    = errors.New("not a number written in digits")
	ErrTooManyPlaces = errors.New("more than 2 decimal places")
	ErrTooLarge      = errors.New("more than 1,000,000,000")
)

// Credits returns an amount of whole credits.
func Credits(whole int64) Amount { return Amount(whole * hundredths) }

// ParseAmount parses a decimal number such as 12.5, exactly. At most 2 decimal places may be nonzero.
func ParseAmount(text string) (Amount, error) {
	if _, _, ok := exact.Figures(text); !ok {
		return 0, ErrNotANumber
	}
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > Places {
		return 0, ErrTooManyPlaces
	}
	number, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", Places-len(fraction)), 10, 64)
	if err != nil || Amount(number) > Most || Amount(number) < -Most {
		return 0, ErrTooLarge
	}
	return Amount(number), nil
}

// String returns the amount with two decimal places.
func (a Amount) String() string {
	sign, size := "", a
	if a < 0 {
		sign, size = "-", -a
	}
	return fmt.Sprintf("%s%d.%02d", sign, size/hundredths, size%hundredths)
}

// MarshalText returns the amount as a decimal string.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText parses the output of MarshalText. Unlike ParseAmount it has no upper limit.
func (a *Amount) UnmarshalText(text []byte) error {
	whole, fraction, ok := strings.Cut(string(text), ".")
	number, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil || !ok || len(fraction) != Places {
		return fmt.Errorf("amount %q: %w", text, ErrNotANumber)
	}
	*a = Amount(number)
	return nil
}
