package vesting_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// every returns the allocations of the Open Cap Format.
func every() []vesting.Allocation {
	return []vesting.Allocation{
		vesting.CumulativeRounding, vesting.CumulativeRoundDown, vesting.FrontLoaded, vesting.BackLoaded,
		vesting.FrontLoadedToSingleTranche, vesting.BackLoadedToSingleTranche, vesting.Fractional,
	}
}

// instalments formats the quantities of a schedule.
func instalments(schedule vesting.Schedule) string {
	var all []string
	for _, instalment := range schedule {
		all = append(all, instalment.Quantity.String())
	}
	return strings.Join(all, " ")
}

// quarterly returns a schedule of four instalments over a year.
func quarterly(allocation vesting.Allocation, cliff *vesting.Cliff) vesting.Scheme {
	return vesting.Scheme{Allocation: allocation, Continuous: &vesting.Continuous{Length: months(12), Frequency: months(3), Cliff: cliff}}
}

func months(n int) vesting.Period { return vesting.Period{N: n, Unit: vesting.Months} }

// compiled returns the terms of a valid scheme.
func compiled(tb judge, scheme vesting.Scheme) vesting.Terms {
	tb.Helper()
	terms, err := scheme.Compile()
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return terms
}

// The examples are from the documentation of the format: 18 shares in four instalments.
func TestAllocations(t *testing.T) {
	t.Parallel()
	for allocation, want := range map[vesting.Allocation]string{
		vesting.CumulativeRounding:         "5 4 5 4",
		vesting.CumulativeRoundDown:        "4 5 4 5",
		vesting.FrontLoaded:                "5 5 4 4",
		vesting.BackLoaded:                 "4 4 5 5",
		vesting.FrontLoadedToSingleTranche: "6 4 4 4",
		vesting.BackLoadedToSingleTranche:  "4 4 4 6",
		vesting.Fractional:                 "4.5 4.5 4.5 4.5",
	} {
		t.Run(string(allocation), func(t *testing.T) {
			t.Parallel()
			award := vesting.Award{Quantity: number("18"), GrantDate: day("2024-01-15"), Start: day("2024-01-15")}
			equal(t, "instalments", instalments(project(t, award, compiled(t, quarterly(allocation, nil)))), want)
		})
	}
	t.Run("a fractional share has at most its decimal places", func(t *testing.T) {
		t.Parallel()
		award := vesting.Award{Quantity: number("10"), GrantDate: day("2024-01-15"), Start: day("2024-01-15"), Places: 1}
		scheme := vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{Length: months(3), Frequency: months(1)}}
		equal(t, "instalments", instalments(project(t, award, compiled(t, scheme))), "3.3 3.3 3.4")
	})
}

func TestCliffs(t *testing.T) {
	t.Parallel()
	award := vesting.Award{Quantity: number("100"), GrantDate: day("2024-01-15"), Start: day("2024-01-15")}
	for claim, c := range map[string]struct {
		cliff vesting.Cliff
		want  string
	}{
		"a cliff takes what was held back":                               {vesting.Cliff{After: months(6)}, "50 25 25"},
		"on the first instalment it changes nothing":                     {vesting.Cliff{After: months(3)}, "25 25 25 25"},
		"on the last one it takes all":                                   {vesting.Cliff{After: months(12)}, "100"},
		"with a fraction it vests that, and the rest is shared":          {vesting.Cliff{After: months(6), Fraction: new(number("0.1"))}, "10 45 45"},
		"with a fraction of 0 it vests nothing, and the rest shares all": {vesting.Cliff{After: months(6), Fraction: new(number("0"))}, "50 50"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "instalments", instalments(project(t, award, compiled(t, quarterly(vesting.CumulativeRounding, &c.cliff)))), c.want)
		})
	}
}

// Every schedule vests exactly the granted quantity, in order of date.
func TestSchedulesVestTheWholeGrant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		frequency, times := rapid.IntRange(1, 12).Draw(t, "frequency"), rapid.IntRange(1, 60).Draw(t, "times")
		scheme := vesting.Scheme{
			Allocation: rapid.SampledFrom(every()).Draw(t, "allocation"),
			DayRule:    rapid.SampledFrom([]vesting.Day{"", vesting.StartDay, vesting.LastDay, vesting.FirstDay, "31", "15"}).Draw(t, "day"),
			Continuous: &vesting.Continuous{Length: months(frequency * times), Frequency: months(frequency)},
		}
		cliffAt := 0
		if rapid.Bool().Draw(t, "has a cliff") {
			cliffAt = rapid.IntRange(1, times).Draw(t, "cliff")
			scheme.Continuous.Cliff = &vesting.Cliff{After: months(frequency * cliffAt)}
		}
		start := day("2020-01-01") + exact.Date(rapid.IntRange(0, 2000).Draw(t, "start"))
		award := vesting.Award{Quantity: exact.NewDecimal(int64(rapid.IntRange(0, 1_000_000).Draw(t, "quantity"))), GrantDate: start, Start: start}
		schedule := project(t, award, compiled(t, scheme))
		equal(t, "the total of "+award.Quantity.String(), schedule.Total().Cmp(award.Quantity), 0)
		last, sum := exact.Date(0), exact.Decimal{}
		for _, instalment := range schedule {
			sum = sum.Add(instalment.Quantity)
			if instalment.Date < last || instalment.Quantity.Sign() < 0 || !instalment.Cumulative.Equal(sum) {
				t.Fatalf("%s of %s, %s so far, behind %s", instalment.Quantity, instalment.Date, instalment.Cumulative, last)
			}
			last = instalment.Date
		}
		if before := months(frequency*cliffAt).Add(start) - 31; cliffAt > 1 && before > start && !schedule.On(before).IsZero() {
			t.Fatalf("%s vested by %s, a month before the cliff", schedule.On(before), before)
		}
	})
}

// A cliff vests the stated fraction, including 0, and the date of the last instalment is unchanged.
func TestCliffVestsItsFraction(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.IntRange(2, 60).Draw(t, "times")
		cliffAt := rapid.IntRange(1, times-1).Draw(t, "cliff")
		hundredths := rapid.SampledFrom([]int64{0, 0, 1, 25, 99}).Draw(t, "hundredths")
		scheme := vesting.Scheme{
			Allocation: rapid.SampledFrom(every()).Draw(t, "allocation"), Continuous: &vesting.Continuous{
				Length: months(times), Frequency: months(1),
				Cliff: &vesting.Cliff{After: months(cliffAt), Fraction: new(exact.RoundDown(big.NewRat(hundredths, 100), 2))},
			},
		}
		award := vesting.Award{Quantity: exact.NewDecimal(int64(times) * 10_000), GrantDate: day("2020-01-01"), Start: day("2020-01-01")}
		schedule := project(t, award, compiled(t, scheme))
		cliff := day("2020-01-01").AddMonths(cliffAt)
		equal(t, "before the cliff", schedule.On(cliff-1).IsZero(), true)
		if hundredths > 0 && scheme.Allocation != vesting.CumulativeRoundDown { // the other allocations may vest one share earlier
			return
		}
		equal(t, "at the cliff", schedule.On(cliff).String(), exact.NewDecimal(int64(times)*100*hundredths).String())
		equal(t, "in all", schedule.Total().String(), award.Quantity.String())
		equal(t, "the last", schedule[len(schedule)-1].Date, day("2020-01-01").AddMonths(times))
	})
}
