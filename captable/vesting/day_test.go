package vesting_test

import (
	"strings"
	"testing"

	"equity/captable/vesting"
)

// A schedule from the 31st vests on the last day of shorter months, and on the 31st again.
func TestDaysOfInstalments(t *testing.T) {
	t.Parallel()
	for rule, want := range map[vesting.Day]string{
		"":                     "2024-02-29 2024-03-31 2024-04-30",
		vesting.StartDay:       "2024-02-29 2024-03-31 2024-04-30",
		vesting.DayBeforeStart: "2024-02-28 2024-03-30 2024-04-29",
		vesting.FirstDay:       "2024-02-01 2024-03-01 2024-04-01",
		vesting.LastDay:        "2024-02-29 2024-03-31 2024-04-30",
		"30":                   "2024-02-29 2024-03-30 2024-04-30",
		"15":                   "2024-02-15 2024-03-15 2024-04-15",
	} {
		t.Run("instalments from 31 January follow the day rule '"+string(rule)+"'", func(t *testing.T) {
			t.Parallel()
			award := vesting.Award{Quantity: number("3"), GrantDate: day("2024-01-31"), Start: day("2024-01-31")}
			scheme := vesting.Scheme{
				Allocation: vesting.CumulativeRounding, DayRule: rule, Continuous: &vesting.Continuous{Length: months(3), Frequency: months(1)},
			}
			var days []string
			for _, instalment := range project(t, award, compiled(t, scheme)) {
				days = append(days, instalment.Date.String())
			}
			equal(t, "days", strings.Join(days, " "), want)
		})
	}
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		period     vesting.Period
		from, want string
	}{
		{vesting.Period{N: 1, Unit: vesting.Months}, "2023-01-31", "2023-02-28"},
		{vesting.Period{N: 1, Unit: vesting.Years}, "2024-02-29", "2025-02-28"},
		{vesting.Period{N: 4, Unit: vesting.Years}, "2024-02-29", "2028-02-29"},
		{vesting.Period{N: 90, Unit: vesting.Days}, "2023-12-01", "2024-02-29"},
		{vesting.Period{}, "2024-02-29", "2024-02-29"},
	} {
		equal(t, "behind "+c.from, c.period.Add(day(c.from)).String(), c.want)
	}
}
