package vesting_test

import (
	"testing"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// yearly returns a grant of 300 that vests in three annual instalments, and its terms.
func yearly() (vesting.Award, vesting.Terms) {
	award := vesting.Award{Quantity: number("300"), GrantDate: day("2024-01-31"), Start: day("2024-01-31")}
	return award, vesting.Terms{Allocation: vesting.CumulativeRoundDown, Conditions: []vesting.Condition{
		{ID: "start", When: vesting.When{Kind: vesting.AtStart}, Next: []string{"years"}},
		{
			ID:    "years",
			When:  vesting.When{Kind: vesting.After, Of: "start", Every: vesting.Period{N: 1, Unit: vesting.Years}, Times: 3},
			Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: 3}},
		},
	}}
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	award, terms := yearly()
	schedule := project(t, award, terms)
	for on, vested := range map[string]string{
		"2024-01-31": "0", "2025-01-30": "0", "2025-01-31": "100", "2026-01-30": "100", "2027-01-31": "300", "2099-01-01": "300",
	} {
		t.Run("the vested quantity on "+on+" is "+vested, func(t *testing.T) {
			t.Parallel()
			equal(t, "vested", schedule.On(day(on)).String(), vested)
		})
	}
	t.Run("a schedule has a next instalment until the last", func(t *testing.T) {
		t.Parallel()
		next, ok := schedule.Next(day("2025-01-31"))
		equal(t, "date", next.Date, day("2026-01-31"))
		equal(t, "there is one", ok, true)
		_, ok = schedule.Next(day("2027-01-31"))
		equal(t, "there is one after the last", ok, false)
	})
	t.Run("an empty schedule has a total of zero", func(t *testing.T) {
		t.Parallel()
		equal(t, "total", vesting.Schedule{}.Total(), number("0"))
	})
}

func TestRestatedTerms(t *testing.T) {
	t.Parallel()
	_, terms := yearly()
	terms.Conditions = append(terms.Conditions, vesting.Condition{
		ID: "sale", When: vesting.When{Kind: vesting.OnEvent}, Vests: vesting.Portion{Shares: number("10")},
	})
	restated := terms.Restated(func(shares exact.Decimal) exact.Decimal { return shares.Add(shares) })
	equal(t, "shares are counted anew", restated.Conditions[2].Vests.Shares, number("20"))
	equal(t, "fractions stay", restated.Conditions[1].Vests, terms.Conditions[1].Vests)
	equal(t, "and the terms of before", terms.Conditions[2].Vests.Shares, number("10"))
}
