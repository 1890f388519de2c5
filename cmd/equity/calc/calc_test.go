package calc_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

// answer returns the answer to a valid case.
func answer(t *testing.T, kind, input string) string {
	t.Helper()
	var out bytes.Buffer
	if err := calc.Calculate(kind, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ input, want string }{
		"a clamped day of the month": {`{"base": "2024-01-31", "add": 1, "unit": "months"}`, `"2024-02-29"`},
		"back in time":               {`{"base": "2024-03-31", "add": -1, "unit": "months"}`, `"2024-02-29"`},
		"a leap day's anniversary":   {`{"base": "2024-02-29", "add": 1, "unit": "years"}`, `"2025-02-28"`},
		"before the year 1":          {`{"base": "0001-01-01", "add": -1, "unit": "days"}`, `{ "refused": true, "why": "the date lies outside the years 1 to 9999" }`},
		"beyond counting":            {`{"base": "2024-01-01", "add": 999999999, "unit": "days"}`, `{ "refused": true, "why": "the period is too long" }`},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "date", answer(t, "date", c.input), c.want)
		})
	}
}

func TestVestingRefusals(t *testing.T) {
	t.Parallel()
	const circle = `{"grant": {"date": "2025-01-01", "quantity": 10}, "terms": {"allocation": "FRACTIONAL", "conditions": [
		{"id": "a", "when": {"kind": "event"}, "vests": {"shares": 1}, "next": ["b"]}, {"id": "b", "when": {"kind": "event"}, "next": ["a"]}]}}`
	equal(t, "a circle", answer(t, "vesting", circle), `{ "refused": true, "why": "/conditions/0/next: The conditions lead round in a circle: a, b, a." }`)
}

func TestUnusableInput(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ kind, input string }{
		"no JSON":            {"date", "tomorrow"},
		"nothing":            {"date", ""},
		"another shape":      {"date", "[]"},
		"an unknown kind":    {"horoscope", "{}"},
		"a date of no month": {"date", `{"base": "2024-13-01", "add": 1, "unit": "months"}`},
		"an unknown unit":    {"date", `{"base": "2024-12-01", "add": 1, "unit": "moons"}`},
		"no base":            {"date", `{"add": 1, "unit": "months"}`},
		"no period to add":   {"date", `{"base": "2024-12-01", "n": 1, "unit": "months"}`},
		"no company":         {"round", `{}`},
		"no grants":          {"iso", `{"grant": []}`},
		"no quantity":        {"vesting", `{}`},
		"an unknown policy":  {"vesting", `{"grant": {"quantity": 1}, "grant_date_policy": "never"}`},
		"a number in words":  {"vesting", `{"grant": {"quantity": "ten"}}`},
		"half a fraction":    {"vesting", `{"terms": {"conditions": [{"vests": {"fraction": [1]}}]}}`},
		"a flood":            {"date", `"` + strings.Repeat("x", calc.MaxInput) + `"`},
	} {
		t.Run(claim+" is refused with a sentence", func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := calc.Calculate(c.kind, strings.NewReader(c.input), &out)
			if !errors.Is(err, calc.ErrUnusable) || out.Len() > 0 {
				t.Errorf("got %v and %q", err, out.String())
			}
		})
	}
}

func TestInputErrorsDoNotContainGoTypes(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`[]`:                          "a case is an object, not an array",
		`5`:                           "a case is an object, not a number",
		`{"base": true}`:              `"base" cannot be a truth value`,
		`{"add": "1"}`:                `"add" cannot be a string`,
		`{"add": 1.5}`:                `"add" cannot be a number`,
		`{"add": 1`:                   "unexpected end of JSON input",
		`{"unit": {}}`:                `"unit" cannot be an object`,
		`{"base": "2024", "unit": 1}`: `not a date of the form YYYY-MM-DD that exists in the calendar`,
	} {
		err := calc.Calculate("date", strings.NewReader(input), io.Discard)
		equal(t, input, strings.TrimPrefix(err.Error(), calc.ErrUnusable.Error()+": "), want)
	}
}

// FuzzCalculate runs every kind with arbitrary input.
func FuzzCalculate(f *testing.F) {
	kinds := calc.Kinds()
	seeds := files()
	seeds["ledger"] = []string{"captable/ledger/testdata/ledger.json"}
	for i, kind := range kinds {
		for _, file := range seeds[kind.Name] {
			for _, c := range cases(f, file) {
				f.Add(i, c.input)
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind int, input []byte) {
		if kind < 0 || kind >= len(kinds) {
			return
		}
		err := calc.Calculate(kinds[kind].Name, bytes.NewReader(input), io.Discard)
		if err != nil && !errors.Is(err, calc.ErrUnusable) {
			t.Fatal(err)
		}
	})
}
