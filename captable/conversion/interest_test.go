package conversion_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

type interestCase struct {
	ID            string            `json:"id"`
	Principal     exact.Decimal     `json:"principal"`
	Rates         []conversion.Rate `json:"rates"`
	DayCount      string            `json:"day_count"`
	Compounding   string            `json:"compounding"`
	AccrualPeriod string            `json:"accrual_period"`
	On            exact.Date        `json:"on"`
	Expect        struct {
		Interest string `json:"interest"`
	} `json:"expect"`
}

func (c interestCase) terms() conversion.Interest {
	dayCount := conversion.Thirty360
	if c.DayCount == "ACTUAL_365" {
		dayCount = conversion.Actual365
	}
	return conversion.Interest{
		Rates: c.Rates, DayCount: dayCount, Compounding: conversion.Compounding(strings.ToLower(c.Compounding)),
		AccrualPeriod: conversion.AccrualPeriod(strings.ToLower(c.AccrualPeriod)),
	}
}

func TestPublishedInterest(t *testing.T) {
	t.Parallel()
	for _, c := range cases[interestCase](t, "note_interest.json") {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			accrued := c.terms().Accrued(c.Principal, c.Rates[0].From, c.On)
			equal(t, "interest", exact.RoundHalfUp(accrued, exact.Places).String(), c.Expect.Interest)
		})
	}
}

// at returns terms with one rate without an end.
func at(rate, from string, change func(*conversion.Interest)) conversion.Interest {
	terms := conversion.Interest{Rates: []conversion.Rate{{Rate: number(rate), From: day(from)}}}
	if change != nil {
		change(&terms)
	}
	return terms
}

func compound(period conversion.AccrualPeriod, count conversion.DayCount) func(*conversion.Interest) {
	return func(terms *conversion.Interest) {
		terms.Compounding, terms.AccrualPeriod, terms.DayCount = conversion.Compound, period, count
	}
}

func TestInterest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim     string
		terms     conversion.Interest
		from, to  string
		principal string
		want      string
	}{
		{"is 0 on the first day", at("0.08", "2022-01-01", nil), "2022-01-01", "2022-01-01", "1000", "0"},
		{"is 0 when the days are the wrong way round", at("0.08", "2022-01-01", nil), "2022-01-02", "2022-01-01", "1000", "0"},
		{"divides by 365 in a leap year too", at("0.0365", "2024-01-01", nil), "2024-01-01", "2025-01-01", "10000", "366"},
		{"begins with the first rate", at("0.0365", "2024-01-11", nil), "2024-01-01", "2024-01-21", "10000", "10"},
		{"begins with the principal", at("0.0365", "2020-01-01", nil), "2024-01-01", "2024-01-11", "10000", "10"},
		{"of a debt without rates is 0", conversion.Interest{}, "2020-01-01", "2030-01-01", "10000", "0"},
		{
			"stops with the last rate",
			conversion.Interest{Rates: []conversion.Rate{{Rate: number("0.0365"), From: day("2024-01-01"), To: day("2024-01-10")}}},
			"2024-01-01", "2026-01-01", "10000", "10",
		},
		{"pauses between two rates", conversion.Interest{Rates: []conversion.Rate{
			{Rate: number("0.0365"), From: day("2024-01-01"), To: day("2024-01-10")},
			{Rate: number("0.073"), From: day("2024-02-01")},
		}}, "2024-01-01", "2024-02-11", "10000", "30"},
		{
			"compounds at the end of a period only", at("0.12", "2023-01-01", compound(conversion.Monthly, conversion.Thirty360)),
			"2023-01-01", "2023-02-16", "10000", "150.5",
		},
		{
			"compounds by the half year", at("0.10", "2023-01-01", compound(conversion.SemiAnnual, conversion.Thirty360)), "2023-01-01",
			"2024-01-01", "10000", "1025",
		},
		{
			"compounds a longer period of days for more", at("0.365", "2023-01-01", compound(conversion.Monthly, conversion.Actual365)),
			"2023-01-01", "2023-03-01", "10000", "598.68",
		},
		{
			"compounds from the day of the month on which it began",
			at("0.12", "2023-01-31", compound(conversion.Monthly, conversion.Thirty360)), "2023-01-31", "2023-03-31", "9000", "174.84",
		},
		{
			"compounds daily by what the day count calls a day", at("0.36", "2023-01-30", compound(conversion.Daily, conversion.Thirty360)),
			"2023-01-30", "2023-02-01", "1000000", "1000",
		},
		{"changes its rate within a period", conversion.Interest{Compounding: conversion.Compound, DayCount: conversion.Thirty360, Rates: []conversion.Rate{
			{Rate: number("0.08"), From: day("2022-01-01"), To: day("2022-06-30")},
			{Rate: number("0.10"), From: day("2022-07-01")},
		}}, "2022-01-01", "2024-01-01", "10000", "1990"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			if faults := c.terms.Faults(); faults != nil {
				t.Fatal(faults)
			}
			same(t, "interest", c.terms.Accrued(number(c.principal), day(c.from), day(c.to)), c.want)
		})
	}
	t.Run("daily compounding over thirty years gives the exact interest", func(t *testing.T) {
		t.Parallel()
		terms := at("0.0812345678", "1990-01-01", compound(conversion.Daily, conversion.Actual365))
		accrued := terms.Accrued(number("100000.01"), day("1990-01-01"), day("2020-01-01"))
		equal(t, "interest", exact.RoundHalfUp(accrued, 2).String(), "1045382.48")
	})
}

// drawTerms generates valid terms: up to three rates with gaps between them.
func drawTerms(t *rapid.T) conversion.Interest {
	terms := conversion.Interest{
		DayCount:    rapid.SampledFrom([]conversion.DayCount{conversion.Actual365, conversion.Thirty360}).Draw(t, "day count"),
		Compounding: rapid.SampledFrom([]conversion.Compounding{conversion.Simple, conversion.Compound}).Draw(t, "compounding"),
		AccrualPeriod: rapid.SampledFrom(
			[]conversion.AccrualPeriod{conversion.Monthly, conversion.Quarterly, conversion.Annual, conversion.Daily},
		).Draw(t, "period"),
	}
	from := day("2020-01-01")
	for range rapid.IntRange(1, 3).Draw(t, "rates") {
		from += exact.Date(rapid.Int32Range(0, 60).Draw(t, "gap"))
		to := from + exact.Date(rapid.Int32Range(0, 500).Draw(t, "length"))
		rate := exact.RoundDown(big.NewRat(rapid.Int64Range(0, 3000).Draw(t, "rate"), 10_000), 4)
		terms.Rates = append(terms.Rates, conversion.Rate{Rate: rate, From: from, To: to})
		from = to + 1
	}
	return terms
}

func drawDay(t *rapid.T, label string) exact.Date {
	return day("2019-12-01") + exact.Date(rapid.Int32Range(0, 2000).Draw(t, label))
}

func TestInterestProperties(t *testing.T) {
	t.Parallel()
	t.Run("interest is proportional to the principal", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			terms, from, to := drawTerms(t), drawDay(t, "from"), drawDay(t, "to")
			one := terms.Accrued(number("1"), from, to)
			many := terms.Accrued(number("1234.56"), from, to)
			if want := new(big.Rat).Mul(one, number("1234.56").Rat()); !alike(many, want) {
				t.Fatalf("got %v, want %v", many, want)
			}
		})
	})
	t.Run("interest never decreases with time", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			terms, from, to := drawTerms(t), drawDay(t, "from"), drawDay(t, "to")
			terms.DayCount = conversion.Actual365
			if less(terms.Accrued(number("100"), from, to+1), terms.Accrued(number("100"), from, to)) {
				t.Fatal("it fell")
			}
		})
	})
	t.Run("compounding is never less than simple", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			terms, from, to := drawTerms(t), drawDay(t, "from"), drawDay(t, "to")
			terms.DayCount, terms.Compounding = conversion.Actual365, conversion.Compound
			simple := terms
			simple.Compounding = conversion.Simple
			if less(terms.Accrued(number("100"), from, to), simple.Accrued(number("100"), from, to)) {
				t.Fatal("it is less")
			}
		})
	})
	t.Run("simple interest is the sum over its days", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			terms, from, to := drawTerms(t), drawDay(t, "from"), drawDay(t, "to")
			terms.DayCount, terms.Compounding = conversion.Actual365, conversion.Simple
			sum := new(big.Rat)
			for d := from; d < to; d++ {
				for _, rate := range terms.Rates {
					if rate.From <= d && d <= rate.To {
						sum.Add(sum, new(big.Rat).Mul(rate.Rate.Rat(), big.NewRat(100, 365)))
					}
				}
			}
			same(t, "interest", terms.Accrued(number("100"), from, to), sum.RatString())
		})
	})
	t.Run("random terms are valid", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			if faults := drawTerms(t).Faults(); faults != nil {
				t.Fatal(faults)
			}
		})
	})
}

func TestInterestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim string
		terms conversion.Interest
		want  string
	}{
		{"a rate below zero", at("-0.01", "2022-01-01", nil), "/rates/0/rate negative"},
		{"a percentage that was not divided", at("12", "2022-01-01", nil), "/rates/0/rate tooLarge"},
		{"a rate without a beginning", conversion.Interest{Rates: []conversion.Rate{{Rate: number("0.08")}}}, "/rates/0/from required"},
		{"a rate that ends before it begins", rates("2022-01-02 2022-01-01"), "/rates/0/to datesOutOfOrder"},
		{"rates that share a day", rates("2022-01-01 2022-06-30", "2022-06-30 "), "/rates/1/from overlappingRates"},
		{"a rate after one without end", rates("2022-01-01 ", "2023-01-01 "), "/rates/1/from overlappingRates"},
		{"rates in the wrong order", rates("2023-01-01 2023-02-01", "2022-01-01 2022-02-01"), "/rates/1/from datesOutOfOrder"},
		{
			"unknown words",
			conversion.Interest{DayCount: "a", Compounding: "b", AccrualPeriod: "c", Payout: "d"},
			"/dayCount unknownTerm, /compounding unknownTerm, /accrualPeriod unknownTerm, /payout unknownTerm",
		},
		{"nothing in rates that touch", rates("2022-01-01 2022-06-30", "2022-07-01 "), ""},
	} {
		t.Run("the check of the terms finds "+c.claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "faults", told(c.terms.Faults()), c.want)
		})
	}
}

// rates returns terms with rates from texts of the form "FROM TO".
func rates(spans ...string) (terms conversion.Interest) {
	for _, span := range spans {
		from, to, _ := strings.Cut(span, " ")
		rate := conversion.Rate{Rate: number("0.08"), From: day(from)}
		if to != "" {
			rate.To = day(to)
		}
		terms.Rates = append(terms.Rates, rate)
	}
	return terms
}

func told(faults []conversion.Fault) string {
	texts := make([]string, 0, len(faults))
	for _, fault := range faults {
		texts = append(texts, fault.Pointer+" "+fault.Code)
	}
	return strings.Join(texts, ", ")
}
