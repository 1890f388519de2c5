package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// repurchased issues shares to Ada on 2024-01-01 and repurchases them into the treasury on the
// day.
func (b *bundle) repurchased(class captable.SecurityID, shares, on string) {
	b.Helper()
	id := b.issue(ada, class, shares, "2024-01-01")
	b.ended(captable.RepurchaseShareholding{ID: id, Shares: number(shares), Price: price("1"), Date: exact.MustDate(on), ToTreasury: true})
}

func (b *bundle) treasuryOn(day string) string { return b.on(day).Totals.Treasury.String() }

func TestTreasury(t *testing.T) {
	t.Parallel()
	t.Run("treasury shares are issued, not outstanding, and available", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		b.repurchased(class, "1000", "2025-01-01")
		b.totals(class, "1000", "0", "1000", "5000")
	})
	t.Run("an issue takes treasury shares only when new shares are used up", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("5000")
		b.repurchased(class, "1000", "2025-01-01")
		equal(t, "of 3000", b.holding(b.issue(bob, class, "3000", today)).FromTreasury.String(), "0")
		equal(t, "of 1500", b.holding(b.issue(bob, class, "1500", today)).FromTreasury.String(), "500")
		b.totals(class, "5000", "4500", "500", "500")
		equal(t, "of 500", b.holding(b.issue(bob, class, "500", today)).FromTreasury.String(), "500")
		b.totals(class, "5000", "5000", "0", "0")
	})
	t.Run("an issue in a class without a limit takes no treasury shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.repurchased(class, "10", "2025-01-01")
		equal(t, "of 100", b.holding(b.issue(bob, class, "100", today)).FromTreasury.String(), "0")
		b.totals(class, "110", "100", "10", "unlimited")
	})
	t.Run("a void of shares from the treasury returns them", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		b.do(captable.VoidShareholding{ID: b.issue(bob, class, "60", "2025-02-01")})
		b.totals(class, "100", "0", "100", "100")
		equal(t, "in between", b.treasuryOn("2025-03-01"), "100")
	})
	t.Run("the treasury of a past day has the shares of that day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-03-01")
		b.issue(bob, class, "30", "2025-06-01")
		for day, want := range map[string]string{"2025-02-28": "0", "2025-03-01": "100", "2025-05-31": "100", "2025-06-01": "70", today: "70"} {
			equal(t, day, b.treasuryOn(day), want)
		}
		moves := b.class(class).TreasuryMoves
		equal(t, "moves", len(moves), 2)
	})
	t.Run("an issue dated before a repurchase takes no treasury shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "60", "2025-03-01")
		refusal := b.refused(issue(bob, class, "41", "2025-02-28"), fault.InsufficientShares)
		equal(t, "available", refusal["available"], "40")
		b.issue(bob, class, "40", "2025-02-28")
		b.issue(bob, class, "60", "2025-03-01")
		equal(t, "before", b.treasuryOn("2025-02-28"), "0")
	})
	t.Run("an issue takes no treasury shares that a later issue has taken", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		b.issue(bob, class, "100", "2025-05-01")
		b.refused(issue(cleo, class, "1", "2025-02-01"), fault.InsufficientShares)
	})
	t.Run("the treasury has one move for each day, in the order of dates", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		for _, day := range []string{"2025-05-01", "2025-03-01", "2025-05-01", "2025-04-01", "2025-03-01"} {
			b.repurchased(class, "10", day)
		}
		equal(t, "moves", text(t, b.class(class).TreasuryMoves),
			`[{"date":"2025-03-01","change":"20"},{"date":"2025-04-01","change":"10"},{"date":"2025-05-01","change":"20"}]`)
		b.do(captable.VoidShareholding{ID: b.issue(bob, class, "1000", today)})
		equal(t, "moves after one that was undone", len(b.class(class).TreasuryMoves), 3)
	})
	t.Run("a split multiplies treasury shares and the shares that came from them", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		id := b.issue(bob, class, "50", "2025-02-01")
		b.do(split(class, "2", "1", "2025-06-01"))
		b.totals(class, "200", "100", "100", "100")
		b.do(split(class, "3", "1", "2025-08-01"))
		b.do(captable.VoidShareholding{ID: id})
		b.totals(class, "600", "0", "600", "600")
		for day, want := range map[string]string{
			"2025-01-31": "100", "2025-05-31": "100", "2025-06-01": "200", "2025-07-31": "200", "2025-08-01": "600",
		} {
			equal(t, day, b.treasuryOn(day), want)
		}
	})
}
