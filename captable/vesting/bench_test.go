package vesting_test

import (
	"strconv"
	"testing"

	"equity/captable/vesting"
)

// monthly returns a monthly schedule over four years with a cliff of one year.
func monthly() vesting.Scheme {
	return vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		Cliff: &vesting.Cliff{After: vesting.Period{N: 1, Unit: vesting.Years}},
	}}
}

// BenchmarkProject projects a thousand grants of 48 instalments per iteration.
func BenchmarkProject(b *testing.B) {
	scheme := monthly()
	scheme.Continuous.Cliff = nil
	terms, err := scheme.Compile()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for i := range 1000 {
			award := vesting.Award{Quantity: number(strconv.Itoa(10_007 + i)), GrantDate: day("2024-01-31"), Start: day("2024-01-31")}
			if schedule := project(b, award, terms); len(schedule) != 48 {
				b.Fatal(len(schedule))
			}
		}
	}
}
