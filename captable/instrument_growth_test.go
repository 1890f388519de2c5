package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// usury returns the issue of a note with interest of 1,000 % from the day, compounded daily.
func usury(from string) captable.IssueInstrument {
	made := note(ada, from)
	made.Interest = &conversion.Interest{
		Rates:       []conversion.Rate{{Rate: number("10"), From: exact.MustDate(from)}},
		Compounding: conversion.Compound, AccrualPeriod: conversion.Daily,
	}
	return made
}

func TestADebtGrowsNoFurtherThanNumbersDo(t *testing.T) {
	t.Parallel()
	t.Run("a debt that already exceeds the largest number is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(usury("1000-01-01"), fault.Invalid, "/interest range")
		id := b.instrument(note(ada, "1000-01-01"))
		b.refused(captable.AmendInstrument{
			ID: id, Patch: []byte(`{"interest":{"rates":[{"rate":"10","from":"1000-01-01"}],"compounding":"compounding","accrualPeriod":"daily"}}`),
		}, fault.Invalid, "/interest range")
	})
	t.Run("a balance stops at the largest number, so that the table can be summed on any day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.instrument(usury(today))
		b.instrument(note(ada, today))
		sums := b.on("9999-12-31").Totals.Convertibles
		equal(t, "balance", sums[0].Balance, exact.Largest().Add(number("2922428")))
	})
}
