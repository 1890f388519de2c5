package vesting

import (
	"strconv"

	"equity/captable/exact"
)

// Unit is what a period is counted in.
type Unit string

// The units of periods; a year is twelve months.
const (
	Days   Unit = "days"
	Months Unit = "months"
	Years  Unit = "years"
)

// Period is a length of time, such as 3 months. None is no time at all.
type Period struct {
	N    int  `json:"n"`
	Unit Unit `json:"unit"`
}

// Times gives the period k times over.
func (p Period) Times(k int) Period { return Period{p.N * k, p.Unit} }

const monthsOfYear = 12

// months is the period's length in months; false when it is counted in days.
func (p Period) months() (int, bool) {
	if p.Unit == Years {
		return p.N * monthsOfYear, true
	}
	return p.N, p.Unit == Months
}

// Add gives the day that lies the period after the given one. In months and years it
// falls on the same day of the month, or on the month's last where there is no such day.
func (p Period) Add(day exact.Date) exact.Date { return p.place(day, day) }

// place counts the period from the base, and takes the day of the month from another
// date: instalments of a grant that began on the 31st fall on the 31st again, even when
// they are counted from the 28th of February.
func (p Period) place(base, day exact.Date) exact.Date {
	n, monthly := p.months()
	if !monthly {
		return base + exact.Date(n) //nolint:gosec // checked against a bound
	}
	return base.InMonth(n, day.Time().Day())
}

// Day is the day of the month on which instalments counted in months fall: a number
// from "01" to "31", of which a shorter month takes its last day, or one of the rules
// below. Empty is [StartDay].
type Day string

// The rules for the day of the month.
const (
	// StartDay is the day of the vesting start, or of the path's beginning without one.
	StartDay Day = "START_DAY"
	// BaseDay is the day of the date that the path began with.
	BaseDay Day = "BASE_DAY"
	// DayBeforeStart is the day before the one that [StartDay] means.
	DayBeforeStart Day = "START_DAY_MINUS_ONE"
	// FirstDay is the first of the month, LastDay its last day.
	FirstDay Day = "FIRST_DAY_OF_MONTH"
	LastDay  Day = "LAST_DAY_OF_MONTH"
)

const lastDay = 31

// number is the fixed day that the rule names; 0 when it names none.
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

// instalment gives the date of one instalment: the period counted from the base. start
// is the vesting start of the grant, root the date that the path began with.
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
