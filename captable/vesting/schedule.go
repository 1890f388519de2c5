package vesting

import (
	"sort"

	"equity/captable/exact"
)

// Instalment is a quantity that vests on a date.
type Instalment struct {
	Date     exact.Date    `json:"date"`
	Quantity exact.Decimal `json:"quantity"`
	// Cumulative is the total vested quantity, including this instalment.
	Cumulative exact.Decimal `json:"cumulative"`
}

// Schedule contains the nonzero instalments of a grant in order of date. Two conditions met on one day are two
// instalments.
type Schedule []Instalment

// On returns the quantity vested up to and including the day.
func (s Schedule) On(day exact.Date) exact.Decimal {
	i := sort.Search(len(s), func(i int) bool { return s[i].Date > day })
	return s[:i].Total()
}

// Total returns the quantity that vests in total.
func (s Schedule) Total() exact.Decimal {
	if len(s) == 0 {
		return exact.Decimal{}
	}
	return s[len(s)-1].Cumulative
}

// Next returns the first instalment after the day.
func (s Schedule) Next(day exact.Date) (Instalment, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].Date > day })
	if i == len(s) {
		return Instalment{}, false
	}
	return s[i], true
}
