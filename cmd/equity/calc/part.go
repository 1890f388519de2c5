package calc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"equity/captable/exact"
)

// parts are SAFEs that cases either list, with what was paid at which cap, or give as the
// part of the company that they are together.
type parts struct {
	bought []struct {
		Amount number `json:"amount"`
		Cap    number `json:"cap"`
	}
	part *number
}

// UnmarshalJSON reads either.
func (p *parts) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, &p.bought)
	}
	return json.Unmarshal(text, &p.part)
}

// all is the whole company.
func all() *big.Rat { return big.NewRat(1, 1) }

// want checks that the named fields are there, and are parts: zero or more and below one.
func (c ownershipCase) want(fields map[string]*number) error {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		switch part := fields[name]; {
		case part == nil:
			return fmt.Errorf("a case of %s has %s", c.Kind, name)
		case part.Sign() < 0 || part.Cmp(exact.NewDecimal(1)) >= 0:
			return refuse(name + " is a part of the company, from 0 to below 1")
		}
	}
	return nil
}
