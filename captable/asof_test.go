package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
)

func TestShareholdingOn(t *testing.T) {
	t.Parallel()
	t.Run("is not there before its issue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		h := b.holding(b.issue(ada, b.common("100"), "60", "2025-02-01"))
		if _, issued := h.On(captable.MustDate("2025-01-31")); issued {
			t.Error("it was there the day before")
		}
		if _, issued := h.On(captable.MustDate("2025-02-01")); !issued {
			t.Error("it was not there on the day")
		}
	})
	t.Run("was active until it was accepted, and accepted until it ended", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-02-01")
		b.do(captable.AcceptShareholding{ID: id, Date: captable.MustDate("2025-03-01")})
		b.do(transfer(id, bob, "10", "2025-04-01"))
		for day, want := range map[string]captable.Status{
			"2025-02-28": captable.StatusActive, "2025-03-01": captable.StatusAccepted, "2025-03-31": captable.StatusAccepted,
			"2025-04-01": captable.StatusTransferred,
		} {
			was, _ := b.holding(id).On(captable.MustDate(day))
			equal(t, day, was.Status, want)
			equal(t, day+" accepted", was.AcceptedOn.IsZero(), day < "2025-03-01")
			equal(t, day+" ended", was.End != nil && len(was.Results) == 2, want == captable.StatusTransferred)
		}
		equal(t, "the record itself", b.holding(id).Status, captable.StatusTransferred)
	})
	t.Run("had the shares from before a split", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		id := b.issue(ada, class, "60", "2025-02-01")
		for _, day := range []string{"2025-03-01", "2025-04-01"} {
			b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: captable.MustDate(day)})
		}
		for day, want := range map[string]string{"2025-02-28": "60", "2025-03-01": "120", "2025-03-31": "120", "2025-04-01": "240"} {
			was, _ := b.holding(id).On(captable.MustDate(day))
			equal(t, day, was.Shares.String(), want)
		}
		was, _ := b.holding(id).On(captable.MustDate("2025-03-01"))
		equal(t, "splits behind it", len(was.Before), 1)
	})
	t.Run("stays voided on every day since its issue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, b.common("100"), "60", "2025-02-01")
		b.do(captable.VoidShareholding{ID: id, Reason: "twice"})
		was, issued := b.holding(id).On(captable.MustDate("2025-02-01"))
		equal(t, "issued", issued, true)
		equal(t, "status", was.Status, captable.StatusVoided)
	})
	t.Run("counts on any day what the table counts", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(r *rapid.T) {
			b := setup(t)
			class := b.common("unlimited")
			from := captable.MustDate("2025-01-01")
			day := rapid.Custom(func(r *rapid.T) captable.Date { return from + captable.Date(rapid.IntRange(0, 40).Draw(r, "day")) })
			for range rapid.IntRange(1, 6).Draw(r, "issues") {
				issued := day.Draw(r, "issued")
				id := b.issue(ada, class, "10", issued.String())
				if rapid.Bool().Draw(r, "moves") {
					b.do(transfer(id, bob, "4", max(issued, day.Draw(r, "moved")).String()))
				}
			}
			asked := day.Draw(r, "asked")
			sum := captable.Decimal{}
			for h := range b.state.Shareholdings() {
				if was, issued := h.On(asked); issued && was.Status.Outstanding() {
					sum = sum.Add(was.Shares)
				}
			}
			if total := b.on(asked.String()).Totals.Outstanding; !total.Equal(sum) {
				r.Fatalf("the records have %s on %s, the table %s", sum, asked, total)
			}
		})
	})
}

func TestSecurityOn(t *testing.T) {
	t.Parallel()
	t.Run("has the figures and the history of the day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		id := b.issue(ada, class, "100", "2025-02-01")
		b.do(captable.AuthorizeShares{ID: class, Quantity: number("500"), EffectiveDate: captable.MustDate("2025-03-01")})
		b.do(captable.RepurchaseShareholding{
			ID: id, Shares: number("40"), Price: price("1"), Date: captable.MustDate("2025-04-01"), ToTreasury: true,
		})
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: captable.MustDate("2025-05-01")})
		for day, want := range map[string][7]string{ // authorized, issued, outstanding, treasury, then the lengths of the history
			"2025-01-31": {"1000", "0", "0", "0", "1", "0", "0"},
			"2025-02-01": {"1000", "100", "100", "0", "1", "0", "0"},
			"2025-03-01": {"1500", "100", "100", "0", "2", "0", "0"},
			"2025-04-01": {"1500", "100", "60", "40", "2", "1", "0"},
			"2025-05-01": {"3000", "200", "120", "80", "3", "2", "1"},
		} {
			was := b.class(class).On(b.on(day).Securities[0], captable.MustDate(day))
			count := func(n int) string { return captable.NewDecimal(int64(n)).String() }
			equal(t, day, [7]string{
				was.AuthorizedShares.String(), was.Issued.String(), was.Outstanding().String(), was.Treasury.String(),
				count(len(was.Authorizations)), count(len(was.TreasuryMoves)), count(len(was.Splits)),
			}, want)
		}
	})
}
