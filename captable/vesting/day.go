package vesting

import (
	"strconv"

	"equity/captable/exact"
)

// Unit is the unit of a period.
type Unit string

// The units of periods. A year has twelve months.
const (
	Days   Unit = "days"
	Months Unit = "months"
	Years  Unit = "years"
)

// Period is a length of time, such as 3 months. The zero Period has no length.
type Period struct {
	N    int  `json:"n"`
	Unit Unit `json:"unit"`
}

// Times returns k times the period.
func (p Period) Times(k int) Period { return Period{p.N * k, p.Unit} }

const monthsOfYear = 12

// months returns the length in months, or false for a period in days.
func (p Period) months() (int, bool) {
	if p.Unit == Years {
		return p.N * monthsOfYear, true
	}
	return p.N, p.Unit == Months
}

// Add returns the date one period after the given one. In months and years, it has the same day of the month, or
// the last day of a shorter month.
func (p Period) Add(day exact.Date) exact.Date { return p.place(day, day) }

// place adds the period to the base, with the day of the month of another date: instalments of a grant that began
// on the 31st return to the 31st, even if they are counted from February 28.
func (p Period) place(base, day exact.Date) exact.Date {
	n, monthly := p.months()
	if !monthly {
		return base + exact.Date(n) //nolint:gosec // checked against a limit
	}
	return base.InMonth(n, day.Time().Day())
}

// Day is the day of the month of instalments in months: a number from "01" to "31" (the last day in a shorter
// month), or one of the rules below. Empty means [StartDay].
type Day string

// The rules for the day of the month.
const (
	// StartDay is the day of the vesting start, or of the start of the path if there is no vesting start.
	StartDay Day = "START_DAY"
	// BaseDay is the day of the first date of the path.
	BaseDay Day = "BASE_DAY"
	// DayBeforeStart is the day before [StartDay].
	DayBeforeStart Day = "START_DAY_MINUS_ONE"
	// FirstDay is the first day of the month, LastDay the last.
	FirstDay Day = "FIRST_DAY_OF_MONTH"
	LastDay  Day = "LAST_DAY_OF_MONTH"
)

const lastDay = 31

// number returns the fixed day of the rule, or 0.
func (d Day) number() int {
	if d == FirstDay {
		return 1
	}
	if d == LastDay {
		return lastDay
	}
	n, err := strconv.ParseUint(string(d), 10, 8)
	if err != nil || len(d) != 2 || n > lastDay {
		return 0
	}
	return int(n)
}

func (d Day) known() bool {
	return d == "" || d == StartDay || d == BaseDay || d == DayBeforeStart || d.number() > 0
}

// instalment returns the date of one instalment: the base plus the period. start is the vesting start of the
// grant, root the first date of the path.
func (d Day) instalment(after Period, base, start, root exact.Date) exact.Date {
	n, monthly := after.months()
	switch {
	case !monthly:
		return after.place(base, base)
	case d.number() > 0:
		return base.InMonth(n, d.number())
	case d == BaseDay || start.IsZero():
		return after.place(base, root)
	case d == DayBeforeStart:
		return after.place(base, start) - 1
	default:
		return after.place(base, start)
	}
}
