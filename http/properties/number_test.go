package properties_test

import (
	"encoding/json"
	"math/big"
	"slices"
)

// number is a JSON number as text.
func (c *company) number(value any) any {
	if n, is := value.(json.Number); is {
		return n.String()
	}
	return value
}

func contains(of []string, text string) bool { return slices.Contains(of, text) }

// rational is a decimal of an answer; 0 if the field is absent.
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

// unlimited reports whether the figure is unlimited.
func unlimited(value any) bool { return value == "unlimited" }

// sum adds a field of all records; it may be absent.
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

// exactly is the shortest decimal of a rational.
func exactly(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return n.FloatString(12)
}
