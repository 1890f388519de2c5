package conversion

import "equity/captable/exact"

// year is by how many days the count divides.
func (c DayCount) year() int64 {
	if c == Thirty360 {
		return 360
	}
	return 365
}

// days counts from one day to a later one, the first included and the last not.
func (c DayCount) days(from, to exact.Date) int64 {
	if c == Thirty360 {
		return thirty360(from, to)
	}
	return int64(to - from)
}

// thirty360 is the American rule (30U/360): a month's 31st counts as its 30th where the
// period begins on it, or ends on it after having begun on a 30th; and the last day of
// February counts as a 30th where the period begins on it, and where it ends on one
// after having begun on one.
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

// months is how many months the period has; 0 for a day.
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
