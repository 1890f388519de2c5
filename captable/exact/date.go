package exact

import (
	"errors"
	"strconv"
	"time"
)

// Date is a day of the proleptic Gregorian calendar without a time zone, counted
// in days since 1970-01-01 and shifted by one so that the zero Date means none.
// It orders as an integer.
type Date int32

// ErrBadDate says what a date looks like.
var ErrBadDate = errors.New("not a date of the form YYYY-MM-DD that exists in the calendar")

const dayShift = 719_163 // 1970-01-01 as a day count from 0001-01-01, which is Date 1

const secondsPerDay = 24 * 60 * 60

// DateOf gives the day on which t falls in t's own location.
func DateOf(t time.Time) Date {
	day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return Date(day.Unix()/secondsPerDay + dayShift) //nolint:gosec // a year of a clock has few digits
}

// ParseDate reads YYYY-MM-DD, years 0001 to 9999; days that do not exist
// (2023-02-30) are refused.
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

// MustDate reads a date that the program itself wrote; it panics on any other.
func MustDate(text string) Date {
	d, err := ParseDate(text)
	if err != nil {
		panic("exact: " + text + ": " + err.Error())
	}
	return d
}

// Time gives midnight UTC at the beginning of the day.
func (d Date) Time() time.Time {
	return time.Unix((int64(d)-dayShift)*secondsPerDay, 0).UTC()
}

// MaxDate is 9999-12-31, the last day that can be written.
const MaxDate Date = 3_652_059

// IsZero reports whether no day is meant.
func (d Date) IsZero() bool { return d == 0 }

// String returns YYYY-MM-DD, or nothing for no day. A computed day behind MaxDate is
// written as MaxDate.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return min(d, MaxDate).Time().Format(time.DateOnly)
}

// MarshalText gives the text of [Date.String].
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what [ParseDate] reads; an empty text is no day.
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
