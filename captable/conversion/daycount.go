package conversion

import "equity/captable/exact"

// year returns the number of days in a year of the day count.
func (c DayCount) year() int64 {
	if c == Thirty360 {
		return 360
	}
	return 365
}

// days returns the number of days from one date to a later one, the first included and the last excluded.
func (c DayCount) days(from, to exact.Date) int64 {
	if c == Thirty360 {
		return thirty360(from, to)
	}
	return int64(to - from)
}

// thirty360 implements the American rule (30U/360). A start on the 31st counts as the 30th, and so does an end on
// the 31st after a start on the 30th or 31st. A start on the last day of February counts as the 30th, and so does
// an end on it after such a start.
func thirty360(from, to exact.Date) int64 {
	a, b := from.Time(), to.Time()
	first, last := a.Day(), b.Day()
	if endsFebruary(from) {
		if endsFebruary(to) {
			last = 30
		}
		first = 30
	}
	if last == 31 && first >= 30 {
		last = 30
	}
	first = min(first, 30)
	months := (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())
	return int64(months*30 + last - first)
}

func endsFebruary(day exact.Date) bool {
	const february = 2
	return day.Time().Month() == february && (day+1).Time().Day() == 1
}

// months returns the length of the period in months, or 0 for a day.
func (p AccrualPeriod) months() int {
	switch p {
	case Daily:
		return 0
	case Monthly:
		return 1
	case Quarterly:
		return 3
	case SemiAnnual:
		return 6
	case Annual:
	}
	return 12
}
