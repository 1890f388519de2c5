package calc

import (
	"bytes"
	"strconv"

	"equity/captable/exact"
)

// number is a decimal, written as a JSON number or as a string.
type number struct{ exact.Decimal }

// UnmarshalJSON decodes either form. null counts as missing.
func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return n.UnmarshalText(bytes.Trim(text, `"`))
}

// shares is a quantity in an answer: a JSON integer if it is whole, otherwise a
// decimal string.
type shares exact.Decimal

// MarshalJSON encodes an integer or a string.
func (s shares) MarshalJSON() ([]byte, error) {
	d := exact.Decimal(s)
	if d.IsWhole() {
		return []byte(d.String()), nil
	}
	return []byte(strconv.Quote(d.String())), nil
}
