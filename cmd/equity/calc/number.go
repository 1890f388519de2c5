package calc

import (
	"bytes"
	"strconv"

	"equity/captable/exact"
)

// number is a decimal that a case writes as a JSON number or as a string.
type number struct{ exact.Decimal }

// UnmarshalJSON reads either; null is no number, as if it were left out.
func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return n.UnmarshalText(bytes.Trim(text, `"`))
}

// shares is a quantity as answers print it: a JSON integer when it is whole, else a
// decimal string.
type shares exact.Decimal

// MarshalJSON gives the one or the other.
func (s shares) MarshalJSON() ([]byte, error) {
	d := exact.Decimal(s)
	if d.IsWhole() {
		return []byte(d.String()), nil
	}
	return []byte(strconv.Quote(d.String())), nil
}
