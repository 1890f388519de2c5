package sheet

import (
	"slices"
	"strings"
)

// priced returns a price with its currency if that is not the one of the organization, or the code of a fault. The currency is that of the cell,
// else that of the heading, else that of the organization.
func (d *draft) priced(column TableColumn, index int, value string) (text, code string) {
	own := d.question.Currency
	stated := first(column.Read.Codes[index], column.Currency)
	if stated == "" || stated == own {
		return value, ""
	}
	if several, ambiguous := shared()[stated]; ambiguous {
		if !slices.Contains(several, own) {
			return "", "ambiguousCurrency"
		}
		return value, ""
	}
	return value + " " + stated, ""
}

// shared returns the currencies of each sign that several currencies have.
func shared() map[string][]string {
	return map[string][]string{
		dollar: {
			"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "JMD", "BSD", "BBD", "BZD", "BMD", "KYD", "FJD", "GYD", "LRD", "NAD", "SBD",
			"SRD", "TTD", "XCD",
		},
		"yen":   {"JPY", "CNY"},
		"krone": {"NOK", "SEK", "DKK", "ISK"},
	}
}

// SplitPrice returns the amount and the currency of the value of a price. The currency is empty for that of the organization.
func SplitPrice(value string) (amount, currency string) {
	amount, currency, _ = strings.Cut(value, " ")
	return amount, currency
}
