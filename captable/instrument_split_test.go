package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func TestSplittingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("a split multiplies the quantity of a warrant and divides its price from its date on", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, class, "10", "2025-01-01"))
		b.do(split(class, "3", "1", "2025-06-01"))
		i := b.right(id)
		equal(t, "after", i.Quantity.String()+" "+i.Left.String()+" at "+i.ExercisePrice.Amount.String(), "30 30 at 0.5")
		equal(t, "reserved", b.class(class).Reserved.String(), "30")
		was, _ := i.On(exact.MustDate("2025-05-31"))
		equal(t, "before", was.Quantity.String()+" at "+was.ExercisePrice.Amount.String(), "10 at 1.5")
		equal(t, "reserved before", b.on("2025-05-31").Securities[0].Reserved.String(), "10")
		equal(t, "audit", len(b.state.Audit()), 0)
	})
	t.Run("a split that leaves a warrant less than a share ends it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, class, "9", "2025-01-01"))
		b.do(split(class, "1", "10", "2025-06-01"))
		equal(t, "status", b.right(id).Status, captable.StatusCancelled)
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
	})
	t.Run("a split restates the fixed price or shares of a convertible", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		priced, counted := safe(ada, "1", today), safe(ada, "1", today)
		priced.FixedConversion = &captable.FixedConversion{Security: class, Price: figure("3")}
		counted.FixedConversion = &captable.FixedConversion{Security: class, Shares: figure("4")}
		first, second := b.instrument(priced), b.instrument(counted)
		b.do(split(class, "2", "1", today))
		equal(t, "price", b.right(first).FixedConversion.Price.String(), "1.5")
		equal(t, "shares", b.right(second).FixedConversion.Shares.String(), "8")
		b.refused(split(class, "1", "10", today), fault.Conflict)
	})
	t.Run("a split before the issue of a warrant or beyond the authorized shares is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(warrant(ada, class, "60", "2025-06-02"))
		equal(t, "holding", b.refused(split(class, "2", "1", "2025-06-01"), fault.Conflict)["holding"], id.String())
		command := split(class, "2", "1", today)
		command.KeepAuthorized = true
		b.refused(command, fault.InsufficientShares)
		dear := warrant(ada, class, "1", today)
		dear.ExercisePrice = price("999999999999999999")
		b.instrument(dear)
		b.refused(split(class, "1", "100", today), fault.Conflict)
	})
}
