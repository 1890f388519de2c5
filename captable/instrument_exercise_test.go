package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func exerciseWarrant(id captable.InstrumentID, quantity, on string) captable.ExerciseWarrant {
	return captable.ExerciseWarrant{ID: id, Quantity: number(quantity), Date: exact.MustDate(on), Payment: captable.PayCash}
}

func TestExercisingWarrants(t *testing.T) {
	t.Parallel()
	t.Run("exercises of a warrant take shares from its reserve until none remain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		event := b.do(exerciseWarrant(id, "4", "2025-02-01"))[0].(captable.WarrantExercised)
		held := b.holding(event.Result.ID)
		equal(t, "shares", held.Shares.String()+" at "+held.PricePerShare.Amount.String()+", paid "+held.Invested().String(), "4 at 1.5, paid 6")
		equal(t, "origin", text(t, held.Origin), `{"kind":"exercised","holding":"`+id.String()+`"}`)
		equal(t, "reserved", b.class(class).Reserved.String(), "6")
		equal(t, "left", b.right(id).Left.String(), "6")
		b.do(exerciseWarrant(id, "6", "2025-03-01"))
		equal(t, "status", b.right(id).Status, captable.StatusExercised)
		b.totals(class, "10", "10", "0", "0")
		for on, left := range map[string]string{"2025-01-31": "10", "2025-02-01": "6", "2025-02-28": "6", "2025-03-01": "0"} {
			equal(t, "left on "+on, b.right(id).LeftOn(exact.MustDate(on)).String(), left)
		}
		was, _ := b.right(id).On(exact.MustDate("2025-02-15"))
		equal(t, "then", string(was.Status)+" "+was.Left.String(), "active 6")
		equal(t, "exercises then", len(was.Exercises), 1)
		equal(t, "audit", len(b.state.Audit()), 0)
	})
	t.Run("a changed exercise price counts on each day since the last split", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		b.do(exerciseWarrant(id, "2", "2025-02-01"))
		b.do(split(class, "3", "1", "2025-03-01"))
		b.do(exerciseWarrant(id, "3", "2025-04-01"))
		b.do(captable.AmendInstrument{ID: id, Patch: []byte(`{"exercisePrice":"0.7"}`)})
		for on, price := range map[string]string{
			"2025-01-31": "1.5", "2025-02-28": "1.5", "2025-03-01": "0.7", "2025-03-31": "0.7", "2025-04-01": "0.7",
		} {
			was, _ := b.right(id).On(exact.MustDate(on))
			equal(t, "price on "+on, was.ExercisePrice.Amount.String(), price)
		}
	})
	t.Run("an exercise beyond the quantity, after expiry or of another instrument is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := warrant(ada, b.common("10"), "10", "2025-01-01")
		command.ExpirationDate = exact.MustDate("2025-06-30")
		id := b.instrument(command)
		equal(t, "available", b.refused(exerciseWarrant(id, "11", "2025-06-30"), fault.InsufficientShares)["available"], "10")
		equal(t, "expired", b.refused(exerciseWarrant(id, "1", "2025-07-01"), fault.Conflict)["expirationDate"], "2025-06-30")
		equal(t, "kind", b.refused(exerciseWarrant(b.instrument(safe(ada, "1", today)), "1", today), fault.Conflict)["kind"], "safe")
		b.do(exerciseWarrant(id, "1", "2025-06-30"))
		b.refused(captable.VoidInstrument{ID: id}, fault.HasResults)
		b.refused(exerciseWarrant(id, "1", "2025-06-29"), fault.Invalid, "/date datesOutOfOrder")
	})
	t.Run("a net exercise gives the gain in shares and pays fractions in cash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, class, "100", "2025-01-01"))
		command := exerciseWarrant(id, "100", "2025-02-01")
		command.Payment = captable.PayNet
		b.refused(command, fault.Conflict) // the market value is unknown
		command.MarketValue = price("1.5")
		equal(t, "market value", b.refused(command, fault.Conflict)["marketValue"], "1.5")
		command.MarketValue = price("4")
		event := b.do(command)[0].(captable.WarrantExercised) // 100 x 2.5 / 4 = 62.5
		equal(t, "shares", event.Result.Shares.String()+" and "+event.Cash.String(), "62 and 2")
		equal(t, "invested", b.holding(event.Result.ID).Invested().String(), "0")
		b.totals(class, "62", "62", "0", "38")
		equal(t, "status", b.right(id).Status, captable.StatusExercised)
	})
	t.Run("a net exercise uses the valuation in force", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.do(valued(class, "3", "2025-01-15"))
		id := b.instrument(warrant(ada, class, "100", "2025-01-01"))
		command := exerciseWarrant(id, "10", "2025-02-01")
		command.Payment = captable.PayNet
		equal(t, "shares", b.do(command)[0].(captable.WarrantExercised).Result.Shares.String(), "5")
		command.Quantity = number("1")
		b.refused(command, fault.Conflict) // the net result is less than one share
	})
	t.Run("a refused exercise names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(warrant(ada, captable.SecurityID{}, "10", "2025-01-01"))
		command := exerciseWarrant(id, "0", "2024-12-31")
		command.Payment = "barter"
		b.refused(command, fault.Invalid, "/date beforeIssue", "/security required", "/quantity notPositive", "/payment enum")
		class, other := b.common("10"), b.security(preferred("Preferred"))
		command = exerciseWarrant(id, "1", today)
		command.Security, command.MarketValue = class, price("9")
		b.refused(command, fault.Invalid, "/marketValue notOfThisKind")
		command.MarketValue = nil
		b.do(command)
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
		named := exerciseWarrant(b.instrument(warrant(ada, class, "1", today)), "1", today)
		named.Security = other
		b.refused(named, fault.Invalid, "/security otherSecurity")
	})
}
