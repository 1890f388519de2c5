package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// reprice returns a command to lower the exercise price of the plan's outstanding options, or
// of the given grants only.
func reprice(ref captable.PoolRef, to, on string, only ...captable.GrantID) captable.RepriceGrants {
	return captable.RepriceGrants{Plan: ref.Plan, ExercisePrice: *price(to), Date: exact.MustDate(on), Options: only, Reason: "r"}
}

// costs returns the exercise price of the grant as of the day.
func (b *bundle) costs(id captable.GrantID, day string) string {
	b.Helper()
	was, ok := b.granted(id).AsOf(exact.MustDate(day))
	if !ok {
		b.Fatalf("there was no grant on %s", day)
	}
	return was.ExercisePrice.Amount.String()
}

func TestRepricing(t *testing.T) {
	t.Parallel()
	t.Run("a repricing lowers higher prices with an event each and keeps the previous price", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		first, second := b.grant(option(ada, ref, "10", "2025-01-01")), b.grant(option(bob, ref, "20", "2025-01-01"))
		cheap := option(cleo, ref, "5", "2025-01-01")
		cheap.ExercisePrice = price("0.5")
		units := option(cleo, ref, "5", "2025-01-01")
		units.Type, units.ExercisePrice = captable.GrantRSU, nil
		third := b.grant(cheap)
		b.grant(units)
		later := b.grant(option(ada, ref, "1", today))
		equal(t, "events", len(b.do(reprice(ref, "1", "2025-06-01"))), 2)
		equal(t, "prices", b.costs(first, "2025-05-31")+" "+b.costs(first, "2025-06-01")+" "+b.costs(second, today), "1.5 1 1")
		equal(t, "what costs less", b.costs(third, today), "0.5")
		equal(t, "what was granted later", b.costs(later, today), "1.5")
		equal(t, "past", text(t, b.granted(first).Repricings), `[{"date":"2025-06-01","from":"1.5","to":"1","reason":"r"}]`)
		was, _ := b.granted(first).AsOf(exact.MustDate("2025-05-31"))
		equal(t, "not yet to be seen", len(was.Repricings), 0)
		b.audited()
	})
	t.Run("a repricing of named options changes all of them or is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		first, second := b.grant(option(ada, ref, "10", "2025-01-01")), b.grant(option(bob, ref, "20", "2025-01-01"))
		b.do(reprice(ref, "1", today, first))
		equal(t, "the other", b.costs(second, today), "1.5")
		equal(t, "option", b.refused(reprice(ref, "1", today, second, first), fault.Conflict)["option"], first.String())
		b.refused(reprice(ref, "0.5", today, first, first), fault.Conflict)
		b.refused(reprice(ref, "0.5", today, captable.GrantID{1}), fault.NotFound)
		b.do(captable.CancelGrant{ID: second, Date: exact.MustDate(today), Reason: "r"})
		b.refused(reprice(ref, "1", today, second), fault.Conflict)
	})
	t.Run("a repricing skips lapsed options, and one that names a lapsed option is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		expired := option(ada, ref, "10", "2025-01-01")
		expired.ExpirationDate = exact.MustDate("2025-06-30")
		gone, kept := b.grant(expired), b.grant(option(bob, ref, "20", "2025-01-01"))
		equal(t, "option", b.refused(reprice(ref, "1", "2025-07-01", gone), fault.Conflict)["option"], gone.String())
		equal(t, "events", len(b.do(reprice(ref, "1", "2025-07-01"))), 1)
		equal(t, "prices", b.costs(gone, today)+" "+b.costs(kept, today), "1.5 1")
	})
	t.Run("a repricing changes an option on its last day", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		last := option(ada, ref, "10", "2025-01-01")
		last.ExpirationDate = exact.MustDate("2025-06-30")
		id := b.grant(last)
		b.do(reprice(ref, "1", "2025-06-30"))
		equal(t, "price", b.costs(id, today), "1")
	})
	t.Run("an exercise after a repricing costs the new price", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		b.do(reprice(ref, "1", "2025-06-01"))
		b.refused(captable.ExerciseGrant{ID: id, Quantity: number("5"), Date: exact.MustDate("2025-05-31")}, fault.Invalid, "/date datesOutOfOrder")
		exercised := b.do(captable.ExerciseGrant{ID: id, Quantity: number("5"), Date: exact.MustDate("2025-06-01")})[0].(captable.OptionExercised)
		equal(t, "price", exercised.Result.PricePerShare.Amount.String(), "1")
		b.refused(reprice(ref, "0.5", "2025-05-31"), fault.Conflict)
	})
	t.Run("a split restates a repricing and its previous price", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		b.do(reprice(ref, "1", "2025-06-01"))
		b.refused(split(class, "2", "1", "2025-05-31"), fault.Conflict)
		b.do(split(class, "2", "1", "2025-06-01"))
		b.do(reprice(ref, "0.25", "2025-06-01"))
		equal(t, "prices", b.costs(id, "2025-05-31")+" "+b.costs(id, "2025-06-01"), "1.5 0.25")
		equal(t, "past", b.granted(id).Repricings[0].From.Amount.String()+" "+b.granted(id).Repricings[1].From.Amount.String(), "0.75 0.5")
	})
	t.Run("a repricing that lowers no price is refused, and a refusal names every wrong field", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		b.grant(option(ada, ref, "10", "2025-01-01"))
		equal(t, "price", b.refused(reprice(ref, "1.5", today), fault.Conflict)["exercisePrice"], "1.5")
		command := reprice(ref, "-1", "2030-01-01")
		command.Pool = captable.PoolID{1}
		b.refused(command, fault.Invalid, "/date dateInFuture", "/exercisePrice negative", "/pool unknownReference")
		command.Plan = captable.PlanID{1}
		b.refused(command, fault.NotFound)
	})
	t.Run("a repriced grant cannot be voided", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(option(ada, ref, "10", "2025-01-01"))
		b.do(reprice(ref, "1", today))
		b.refused(captable.VoidGrant{ID: id}, fault.HasResults)
	})
}

func TestRepricedPricesAreRoundedOnceOverSeveralSplits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("100000")
	ref := b.plan(planned(class, "1000"))
	granted, _ := b.do(option(ada, ref, "40", "2025-01-01"))[0].(captable.OptionGranted)
	b.do(captable.RepriceGrants{Plan: ref.Plan, ExercisePrice: *price("0.3333333333"), Date: exact.MustDate("2025-02-01")})
	b.do(split(class, "2", "1", "2025-03-01"))
	b.do(split(class, "2", "1", "2025-04-01"))
	grant, _ := b.state.Grant(granted.ID)
	equal(t, "price", grant.ExercisePrice.Amount.String(), "0.0833333333")
	equal(t, "repriced to", grant.Repricings[0].To.Amount.String(), "0.0833333333")
}
