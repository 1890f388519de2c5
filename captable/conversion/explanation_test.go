package conversion_test

import (
	"slices"
	"strings"
	"testing"

	"equity/captable/conversion"
)

func TestExplanation(t *testing.T) {
	t.Parallel()
	got := solved(t, published(t, "yc-ex1-q5")).Explanation
	want := []string{
		"Before the round: 9250000 outstanding + 300000 granted options + 350000 promised options + 100000 available in the pool = 10000000 shares.",
		"Post-money caps are divided by 11806666.6667 shares: the shares before the round and 1806666.6667 from conversions, excluding the increase of the pool and the new money.",
		"Pre-money caps are divided by 11573000 shares: the shares before the round and 1573000 added to the pool, without conversions.",
		"The pool grows by 1573000 to 1673000, as requested.",
		"The price of the round is 8800000 / 13379666.6667 shares before the new money, including conversions = 0.6577144423.",
		"A: 200000 converts at 0.3387916431 per share: its post-money cap of 4000000 / 11806666.6667 shares gives 590333.3333 (the most); the price of the round gives 304083.3333.",
		"B: 800000 converts at 0.6577144423 per share: its post-money cap of 8000000 / 11806666.6667 shares gives 1180666.6667; the price of the round gives 1216333.3333 (the most).",
		"N1: 2200000 buys 3344916.6667 shares, 20 % of the company.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExplanationContains(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim  string
		change func(*conversion.Round)
		line   string
	}{
		{"the elected terms", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{{ID: "M", Amount: ratio("1000"), MFN: true, Elects: "A"}, million("A")}
		}, "M: elects the terms of A; "},
		{"the terms that may be elected", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{{ID: "M", Amount: ratio("1000"), MFN: true}, million("A"), {ID: "B", Amount: ratio("5")}}
		}, "The holder may elect the terms of A instead (most favored nation)."},
		{"the base of a fixed percentage", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{{ID: "F", Amount: ratio("1"), FixedPercent: number("0.2")}}
		}, "its 20 % of 10000000 shares gives 2000000 (the most)"},
		{
			"a fixed number of shares", func(r *conversion.Round) { r.Convertibles[0].FixedShares = ratio("2000000") },
			"A: 1000000 converts at 0.5 per share: its fixed number of shares gives 2000000 (the most)",
		},
		{"the base of a discount", func(r *conversion.Round) {
			r.Convertibles = []conversion.Convertible{discounted("D", "1000000", "0.2")}
		}, "the price of the round less 20 % gives"},
		{"a pool at its target", func(r *conversion.Round) {
			r.Company.PoolAvailable, r.Pool.Target = whole(2_000_000), number("0.1")
		}, "The pool of 2000000 is not below its target of 10 % and does not grow."},
		{"the growth of a pool to its target", func(r *conversion.Round) { r.Pool.Target = number("0.1") }, ", 10 % of the "},
		{"a given price", func(r *conversion.Round) {
			r.PreMoney, r.PricePerShare = number("0"), number("2")
		}, "The price of the round is given: 2."},
		{"a price without conversions", func(r *conversion.Round) { r.Convention = conversion.PreMoneyMethod }, "without conversions = 1.5."},
		{
			"the addition of dollars invested", func(r *conversion.Round) { r.Convention = conversion.DollarsInvested },
			"the valuation with the 1000000 that convert",
		},
		{"the size of a pro rata right", func(r *conversion.Round) {
			r.ProRata = []conversion.Participation{{ID: "P", Convertibles: []string{"A"}}}
		}, "by its pro rata right of 10 %"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			r := seed(million("A"))
			c.change(&r)
			lines := strings.Join(solved(t, r).Explanation, "\n")
			if !strings.Contains(lines, c.line) {
				t.Errorf("got\n%s\nwant a line with %q", lines, c.line)
			}
		})
	}
}
