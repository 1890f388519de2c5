package exact

import "time"

// AddMonths returns the same day of the month n months later (earlier if n is negative), or the last day of a
// shorter month: one month after January 31 is February 28. Count from the first date each time, never from the
// previous result, or the 31st is lost.
func (d Date) AddMonths(n int) Date { return d.InMonth(n, d.Time().Day()) }

// InMonth returns the day of the month that is n months after the date's own, or the last day of a shorter month.
func (d Date) InMonth(n, day int) Date {
	t := d.Time()
	last := time.Date(t.Year(), t.Month()+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC) // the last day of the month: the day before the next first
	return DateOf(last) + Date(min(day-last.Day(), 0))                              //nolint:gosec // at most 31 in absolute value
}
