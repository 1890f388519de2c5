package exact

import "time"

// AddMonths gives the same day of the month so many months later (earlier when n is
// negative), or the month's last day where it has no such day: January 31 and a month
// is February 28. Count from the first day each time, never from the one before, or
// the 31st is lost for good.
func (d Date) AddMonths(n int) Date { return d.InMonth(n, d.Time().Day()) }

// InMonth gives the day of that number in the month that lies n months after the
// date's own, or the month's last day where it has no such day.
func (d Date) InMonth(n, day int) Date {
	t := d.Time()
	last := time.Date(t.Year(), t.Month()+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC) // the day before the first
	return DateOf(last) + Date(min(day-last.Day(), 0))                              //nolint:gosec // days of a month
}
