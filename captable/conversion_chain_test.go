package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// chained returns a company with 99 common shares, 100 shares of a class that converts into 1.5
// common shares each, and 100 shares of a class that converts into 2 shares of the former each.
func chained(tb testing.TB) (b *bundle, middle, last captable.SecurityID) {
	tb.Helper()
	b = setup(tb)
	common, middle := b.convertible("1000", "1.5")
	terms := preferred("Series B")
	terms.Conversion = &captable.Conversion{Security: middle, Ratio: number("2")}
	last = b.security(terms)
	b.issue(ada, common, "99", "2025-01-01")
	b.issue(ada, middle, "100", "2025-01-01")
	b.issue(bob, last, "100", "2025-01-01")
	return b, middle, last
}

func TestConversionChainsMultiply(t *testing.T) {
	t.Parallel()
	t.Run("the cap table multiplies the ratios of a conversion chain", func(t *testing.T) {
		t.Parallel()
		b, _, last := chained(t)
		table := b.on(today)
		equal(t, "fully diluted", table.Totals.FullyDiluted.String(), "549")
		equal(t, "the class", table.Securities[2].ID.String()+table.Securities[2].FullyDiluted.String(), last.String()+"300")
	})
	t.Run("a round multiplies the ratios of a conversion chain", func(t *testing.T) {
		t.Parallel()
		b, _, _ := chained(t)
		out, err := b.planRound(captable.RoundTerms{
			Date: exact.MustDate(today), PreMoney: new(number("549")),
			Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Series C"}},
			NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{Name: "Fund"}, Amount: number("549")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "shares before and price", out.SharesBefore.String()+" "+out.PricePerShare.String(), "549 1")
	})
	t.Run("a conversion chain has the ratios of the day", func(t *testing.T) {
		t.Parallel()
		b, middle, _ := chained(t)
		b.do(captable.AdjustConversion{ID: middle, Ratio: number("3"), Date: exact.MustDate(today)})
		equal(t, "before", b.on("2026-01-14").Totals.FullyDiluted.String(), "549")
		equal(t, "after", b.on(today).Totals.FullyDiluted.String(), "999")
	})
}
