package vesting

import (
	"sort"

	"equity/captable/exact"
)

// Instalment is what vests on a day.
type Instalment struct {
	Date     exact.Date    `json:"date"`
	Quantity exact.Decimal `json:"quantity"`
	// Cumulative is all that has vested up to and with this instalment.
	Cumulative exact.Decimal `json:"cumulative"`
}

// Schedule lists the instalments of a grant in order of date, none of them of nothing.
// Two conditions met on one day are two instalments.
type Schedule []Instalment

// On gives what has vested up to and including the day.
func (s Schedule) On(day exact.Date) exact.Decimal {
	i := sort.Search(len(s), func(i int) bool { return s[i].Date > day })
	return s[:i].Total()
}

// Total gives what vests in the end.
func (s Schedule) Total() exact.Decimal {
	if len(s) == 0 {
		return exact.Decimal{}
	}
	return s[len(s)-1].Cumulative
}

// Next gives the first instalment after the day; false when there is none.
func (s Schedule) Next(day exact.Date) (Instalment, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].Date > day })
	if i == len(s) {
		return Instalment{}, false
	}
	return s[i], true
}
