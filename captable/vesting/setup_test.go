package vesting_test

import (
	"embed"
	"encoding/json"
	"testing"

	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/vesting"
)

//go:embed testdata/*.json
var files embed.FS

// cases reads the published cases of a file.
func cases[C any](tb testing.TB, file string) []C {
	tb.Helper()
	return captabletest.Cases[C](tb, files, file)
}

// judge is the common interface of tests and properties.
type judge interface {
	Helper()
	Errorf(format string, arguments ...any)
	Fatalf(format string, arguments ...any)
}

func equal[T comparable](tb judge, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// line is an instalment in a published case.
type line struct {
	Date   exact.Date  `json:"date"`
	Shares json.Number `json:"shares"`
}

// vests checks that the schedule has these lines and a correct running total.
func vests(tb judge, schedule vesting.Schedule, lines []line) {
	tb.Helper()
	equal(tb, "number of instalments", len(schedule), len(lines))
	var total exact.Decimal
	for i, instalment := range schedule {
		total = total.Add(instalment.Quantity)
		equal(tb, "running total", instalment.Cumulative, total)
		if i < len(lines) {
			equal(tb, "date", instalment.Date, lines[i].Date)
			equal(tb, lines[i].Date.String(), instalment.Quantity.String(), lines[i].Shares.String())
		}
	}
}

// project returns the schedule of a valid input.
func project(tb judge, award vesting.Award, terms vesting.Terms, happenings ...vesting.Happening) vesting.Schedule {
	tb.Helper()
	schedule, err := vesting.Project(award, terms, happenings)
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return schedule
}

func number(text string) exact.Decimal { return exact.MustDecimal(text) }

func day(text string) exact.Date { return exact.MustDate(text) }
