package exact

import (
	"errors"
	"strconv"
	"time"
)

// Date is a day of the proleptic Gregorian calendar without a time zone, as days since 1970-01-01 plus one, so
// that the zero Date means no date. Dates are ordered as integers.
type Date int32

// ErrBadDate is the error of a malformed or nonexistent date.
var ErrBadDate = errors.New("not a calendar date of the form YYYY-MM-DD")

const dayShift = 719_163 // 1970-01-01 as a number of days since 0001-01-01, which is Date 1

const secondsPerDay = 24 * 60 * 60

// DateOf returns the date of t in t's own location.
func DateOf(t time.Time) Date {
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return Date(day.Unix()/secondsPerDay + dayShift) //nolint:gosec // a clock's year has few digits
}

// ParseDate parses YYYY-MM-DD with years 0001 to 9999. Nonexistent days such as 2023-02-30 are refused.
func ParseDate(text string) (Date, error) {
	if len(text) != len(time.DateOnly) || text[4] != '-' || text[7] != '-' {
		return 0, ErrBadDate
	}
	year, errYear := strconv.ParseUint(text[0:4], 10, 16)
	month, errMonth := strconv.ParseUint(text[5:7], 10, 8)
	day, errDay := strconv.ParseUint(text[8:10], 10, 8)
	if errors.Join(errYear, errMonth, errDay) != nil || year == 0 {
		return 0, ErrBadDate
	}
	t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	if t.Day() != int(day) || t.Month() != time.Month(month) {
		return 0, ErrBadDate
	}
	return DateOf(t), nil
}

// MustDate parses a date literal. It panics if the date is invalid.
func MustDate(text string) Date {
	d, err := ParseDate(text)
	if err != nil {
		panic("exact: " + text + ": " + err.Error())
	}
	return d
}

// Time returns midnight UTC at the start of the day.
func (d Date) Time() time.Time {
	return time.Unix((int64(d)-dayShift)*secondsPerDay, 0).UTC()
}

// MaxDate is 9999-12-31, the last date with a text form.
const MaxDate Date = 3_652_059

// IsZero reports whether the date is absent.
func (d Date) IsZero() bool { return d == 0 }

// String returns YYYY-MM-DD, or an empty string for the zero Date. A computed date after MaxDate is formatted as
// MaxDate.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return min(d, MaxDate).Time().Format(time.DateOnly)
}

// MarshalText returns the text of [Date.String].
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the formats of [ParseDate]. An empty text is the zero Date.
func (d *Date) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	read, err := ParseDate(string(text))
	if err != nil {
		return err
	}
	*d = read
	return nil
}
