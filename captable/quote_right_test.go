package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

func TestRights(t *testing.T) {
	t.Parallel()
	// valued creates a class with a valuation of 4 per share from 2025 on.
	valued := func(t *testing.T) (*bundle, captable.SecurityID) {
		t.Helper()
		b := setup(t)
		class := b.common("1000")
		b.do(captable.PutValuation{ValuationTerms: captable.ValuationTerms{
			Security: class, Type: "409A", EffectiveDate: exact.MustDate("2025-01-01"), PricePerShare: dollars("4"),
		}})
		return b, class
	}
	value := func(t *testing.T, right captable.Right) string {
		t.Helper()
		worth, known := right.Value()
		if !known {
			return "unknown"
		}
		return worth.Amount.String()
	}
	t.Run("the value of options is that of the exercisable ones above their exercise price", func(t *testing.T) {
		t.Parallel()
		b, class := valued(t)
		ref := b.plan(planned(class, "300"))
		command := option(ada, ref, "100", "2025-01-02")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-06-01"), Quantity: number("40")}, {Date: exact.MustDate("2030-01-01"), Quantity: number("60")},
		}
		b.grant(command)
		under := option(ada, ref, "10", "2025-01-02")
		under.ExercisePrice = price("9")
		b.grant(under)
		units := option(ada, ref, "5", "2025-01-02")
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		b.grant(units)

		rights := b.state.RightsOn(ada, exact.MustDate(today), "USD")

		equal(t, "rights", len(rights), 3)
		equal(t, "shares", rights[0].Shares.String()+" "+rights[0].Reach.String(), "100 40")
		equal(t, "in the money", value(t, rights[0]), "100")
		equal(t, "under water", value(t, rights[1]), "0")
		equal(t, "units", value(t, rights[2]), "20")
		equal(t, "before they were granted", len(b.state.RightsOn(ada, exact.MustDate("2025-01-01"), "USD")), 0)
	})
	t.Run("the value of a warrant is unknown if its shares are unknown", func(t *testing.T) {
		t.Parallel()
		b, class := valued(t)
		b.instrument(warrant(ada, class, "10", today))
		unknown := warrant(ada, captable.SecurityID{}, "0", today)
		unknown.Coverage = figure("0.25")
		b.instrument(unknown)
		rights := b.state.RightsOn(ada, exact.MustDate(today), "USD")
		equal(t, "known", value(t, rights[0]), "25")
		equal(t, "unknown", value(t, rights[1]), "unknown")
	})
	t.Run("the value of a convertible is its balance, until it ends", func(t *testing.T) {
		t.Parallel()
		b, _ := valued(t)
		id := b.instrument(note(ada, "2026-01-05"))
		rights := b.state.RightsOn(ada, exact.MustDate(today), "USD")
		equal(t, "owed", rights[0].Principal.Amount.String()+" "+value(t, rights[0]), "10000 10010")
		b.do(cancelInstrument(id, today))
		equal(t, "ended", len(b.state.RightsOn(ada, exact.MustDate(today), "USD")), 0)
	})
}
