package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func (b *bundle) quoted(id captable.SecurityID, day string) string {
	b.Helper()
	quote, ok := b.state.QuoteOn(b.class(id), exact.MustDate(day))
	if !ok {
		return "none"
	}
	return quote.Price.Amount.String()
}

func TestQuoteOn(t *testing.T) {
	t.Parallel()
	t.Run("a quote is the valuation with the latest effective date", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.value(class, "3", "2025-06-01")
		b.value(class, "2", "2024-06-01")
		equal(t, "before any", b.quoted(class, "2024-05-31"), "none")
		equal(t, "after the first", b.quoted(class, "2024-06-01"), "2")
		equal(t, "after the second", b.quoted(class, today), "3")
	})
	t.Run("a quote without a valuation is the price of the security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.security(captable.SecurityTerms{Name: "A", ShareType: captable.SharePreferred, AuthorizedShares: limit("10"), Price: price("1.5")})
		equal(t, "price", b.quoted(class, today), "1.5")
	})
	t.Run("a quote follows a split after the valuation", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.value(class, "3", "2025-06-01")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-07-01")})
		equal(t, "the day before", b.quoted(class, "2025-06-30"), "3")
		equal(t, "from the split on", b.quoted(class, "2025-07-01"), "1.5")
	})
	t.Run("a quote is rounded once after several splits", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.value(class, "2", "2025-06-01")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("3"), Denominator: number("2"), Date: exact.MustDate("2025-07-01")})
		b.do(captable.SplitSecurity{ID: class, Numerator: number("1"), Denominator: number("10"), Date: exact.MustDate("2025-08-01")})
		equal(t, "after both", b.quoted(class, "2025-08-01"), "13.3333333333")
	})
}

func TestHeldOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("100")
	b.issue(ada, class, "10", "2025-01-01")
	b.issue(ada, class, "5", "2025-02-01")
	b.issue(bob, class, "1", "2025-01-01")
	b.value(class, "3", "2025-01-15")

	held := b.state.HeldOn(ada, exact.MustDate("2025-02-01"))

	equal(t, "positions", len(held), 1)
	equal(t, "shares", held[0].Shares.String(), "15")
	equal(t, "value", held[0].Value().Amount.String(), "45")
	equal(t, "a month before", b.state.HeldOn(ada, exact.MustDate("2025-01-31"))[0].Shares.String(), "10")
	equal(t, "of nobody", len(b.state.HeldOn(cleo, exact.MustDate(today))), 0)
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ value, invested, growth string }{
		{"150", "100", "0.5"}, {"0", "100", "-1"}, {"1", "3", "-0.6666666667"}, {"7", "7", "0"},
	} {
		got, ok := captable.Growth(number(test.value), number(test.invested))
		if !ok || got.String() != test.growth {
			t.Errorf("%s after %s: got %s %t, want %s", test.value, test.invested, got, ok, test.growth)
		}
	}
	if got, ok := captable.Growth(number("1"), captable.Decimal{}); ok {
		t.Errorf("out of nothing: got %s", got)
	}
}
