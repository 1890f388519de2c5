package properties_test

import (
	"encoding/json"
	"math/big"
	"slices"
)

// number returns a JSON number as text, and any other value unchanged.
func (c *company) number(value any) any {
	if n, is := value.(json.Number); is {
		return n.String()
	}
	return value
}

func contains(of []string, text string) bool { return slices.Contains(of, text) }

// rational returns a decimal of an answer, or 0 if the field is absent.
func rational(value any) *big.Rat {
	if value == nil {
		return new(big.Rat)
	}
	n, ok := new(big.Rat).SetString(text(value))
	if !ok {
		failf("%v is no decimal", value)
	}
	return n
}

func unlimited(value any) bool { return value == "unlimited" }

// sum returns the sum of a field over all records. An absent field counts as 0.
func sum(records []map[string]any, name string) *big.Rat {
	total := new(big.Rat)
	for _, record := range records {
		total.Add(total, rational(record[name]))
	}
	return total
}

func plus(of ...*big.Rat) *big.Rat {
	total := new(big.Rat)
	for _, n := range of {
		total.Add(total, n)
	}
	return total
}

func minus(a *big.Rat, of ...*big.Rat) *big.Rat { return new(big.Rat).Sub(a, plus(of...)) }

// exactly returns an integer, or a decimal with 12 places.
func exactly(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return n.FloatString(12)
}
