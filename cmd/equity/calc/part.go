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

// parts are SAFEs, either listed with amounts and caps or given as their
// total fraction of the company.
type parts struct {
	bought []struct {
		Amount number `json:"amount"`
		Cap    number `json:"cap"`
	}
	part *number
}

// UnmarshalJSON decodes either form.
func (p *parts) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, &p.bought)
	}
	return json.Unmarshal(text, &p.part)
}

// all returns the fraction of the whole company, 1.
func all() *big.Rat { return big.NewRat(1, 1) }

// want checks that the named fields are present and are fractions in [0, 1).
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
