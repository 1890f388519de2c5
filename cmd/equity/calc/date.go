package calc

import (
	"errors"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// dateCase is a date and a period to add or subtract.
type dateCase struct {
	Base exact.Date   `json:"base"`
	Add  *int         `json:"add"`
	Unit vesting.Unit `json:"unit"`
}

// years is the maximum distance of dates.
const years = 2000

// dateOf adds months and years to the same day of the month, or to the last day of a shorter month.
func dateOf(c dateCase) (exact.Date, error) {
	farthest := map[vesting.Unit]int{vesting.Days: 366 * years, vesting.Months: 12 * years, vesting.Years: years}[c.Unit]
	switch {
	case farthest == 0:
		return 0, errors.New("a period is counted in days, months or years")
	case c.Base.IsZero():
		return 0, errors.New("a base is needed")
	case c.Add == nil:
		return 0, errors.New("what is added to the base is a whole number of such periods")
	case max(*c.Add, -*c.Add) > farthest:
		return 0, refuse("the period is too long")
	}
	on := vesting.Period{N: *c.Add, Unit: c.Unit}.Add(c.Base)
	if on < exact.MustDate("0001-01-01") || on > exact.MustDate("9999-12-31") {
		return 0, refuse("the date lies outside the years 1 to 9999")
	}
	return on, nil
}
