package sheet

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"equity/captable/exact"
)

const (
	secondsPerDay = 24 * 60 * 60
	// leapDay is day 60 of the 1900 system, 1900-02-29, which never was.
	leapDay = 60
	system  = "1900"
	later   = "1904"
)

// serialDate converts the number of a day to a date and a time, which is empty at midnight. ok is false if there is no such day.
func serialDate(number, dateSystem string) (date, clock string, ok bool) {
	value, valid := new(big.Rat).SetString(number)
	if !valid || value.Sign() < 0 || len(number) > len("2958465")+maxExponent {
		return "", "", false
	}
	value.Mul(value, big.NewRat(secondsPerDay, 1))
	seconds := exact.RoundHalfUp(value, 0).String()
	total, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || total/secondsPerDay > int64(exact.MaxDate) {
		return "", "", false
	}
	day, rest := total/secondsPerDay, total%secondsPerDay
	epoch := exact.MustDate("1904-01-01")
	switch {
	case dateSystem == later:
	case day == leapDay:
		return "", "", false
	case day < leapDay:
		epoch = exact.MustDate("1899-12-31")
	default:
		epoch = exact.MustDate("1899-12-30")
	}
	result := epoch + exact.Date(day) //nolint:gosec // at most the last date, as checked above
	if result > exact.MaxDate {
		return "", "", false
	}
	return result.String(), clockOf(rest), true
}

// clockOf returns the time after a number of seconds, or an empty text for midnight.
func clockOf(seconds int64) string {
	if seconds == 0 {
		return ""
	}
	const minute = 60
	return fmt.Sprintf("%02d:%02d:%02d", seconds/minute/minute, seconds/minute%minute, seconds%minute)
}

// isoDate splits a date with an optional time, such as 2024-01-15T14:30:00.
func isoDate(text string) (date, clock string, ok bool) {
	date, rest := text, ""
	if len(text) > len(time.DateOnly) {
		rest = text[len(time.DateOnly):]
		date = strings.TrimSuffix(text, rest)
	}
	if _, err := exact.ParseDate(date); err != nil {
		return "", "", false
	}
	if rest == "" {
		return date, "", true
	}
	rest = strings.TrimSuffix(strings.TrimLeft(rest, "T "), "Z")
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, rest); err == nil {
			return date, clockOf(int64(at.Hour()*60*60 + at.Minute()*60 + at.Second())), true
		}
	}
	return "", "", false
}
