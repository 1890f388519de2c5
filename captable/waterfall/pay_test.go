package waterfall_test

import (
	"strconv"
	"testing"
	"time"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

func TestPay(t *testing.T) {
	t.Parallel()
	t.Run("common alone shares by shares", func(t *testing.T) {
		t.Parallel()
		out := pays(t, stack(common("75", "25")), "1000")
		equal(t, "first", out.Payouts[0].Amount.String(), "750")
		equal(t, "second", out.Payouts[1].Amount.String(), "250")
		equal(t, "a share", out.SharePrice.RatString(), "10")
		equal(t, "converts", out.Claims[0].Converts, false)
	})
	t.Run("cents go to the largest remainders, and sum", func(t *testing.T) {
		t.Parallel()
		out := pays(t, stack(common("1", "1", "1")), "100")
		equal(t, "first", out.Payouts[0].Amount.String(), "33.34")
		equal(t, "second", out.Payouts[1].Amount.String(), "33.33")
		equal(t, "remaining", out.Remaining.String(), "0")
	})
	t.Run("less than a unit of the currency remains", func(t *testing.T) {
		t.Parallel()
		yen := stack(common("1", "1"))
		yen.Places = 0
		out := pays(t, yen, "3.5")
		equal(t, "first", out.Payouts[0].Amount.String(), "2")
		equal(t, "remaining", out.Remaining.String(), "0.5")
	})
	t.Run("costs are deducted first, up to the price", func(t *testing.T) {
		t.Parallel()
		s := stack(common("1"))
		s.Costs, s.CostRate = number("10"), number("0.05")
		out := pays(t, s, "1000")
		equal(t, "costs", out.Costs.String(), "60")
		check(t, out, map[string]string{"common": "940"})
		equal(t, "costs of little", pays(t, s, "4").Costs.String(), "4")
	})
	t.Run("an amount without a claim remains", func(t *testing.T) {
		t.Parallel()
		class := preferred("A", 1, "1", "100")
		class.Ratio = number("0")
		out := pays(t, stack(class), "150")
		check(t, out, map[string]string{"A": "100"})
		equal(t, "remaining", out.Remaining.String(), "50")
	})
	t.Run("an empty stack leaves the whole price", func(t *testing.T) {
		t.Parallel()
		equal(t, "remaining", pays(t, stack(common()), "5").Remaining.String(), "5")
	})
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	senior, junior := preferred("B", 2, "2", "100"), preferred("A", 1, "1", "100")
	for _, c := range []struct{ claim, value, b, a, common string }{
		{"the senior class is paid first", "150", "150", "0", "0"},
		{"the junior class is paid after the senior class", "250", "200", "50", "0"},
		{"common shares are paid after all preferences", "350", "200", "100", "50"},
		{"the junior class converts if a share is worth more than its preference", "500", "200", "150", "150"},
		{"all classes convert at a high value", "900", "300", "300", "300"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			check(t, pays(t, stack(common("100"), junior, senior), c.value), map[string]string{"B": c.b, "A": c.a, "common": c.common})
		})
	}
	t.Run("preferences of equal seniority are paid in proportion", func(t *testing.T) {
		t.Parallel()
		junior := junior
		junior.Seniority = 2
		check(t, pays(t, stack(common("100"), junior, senior), "150"), map[string]string{"B": "100", "A": "50"})
	})
	t.Run("a preference can be a multiple of the price", func(t *testing.T) {
		t.Parallel()
		twice := senior
		twice.Multiple = number("2")
		check(t, pays(t, stack(common("100"), twice), "450"), map[string]string{"B": "400", "common": "50"})
	})
	t.Run("preferred shares convert at their ratio", func(t *testing.T) {
		t.Parallel()
		three := senior
		three.Ratio = number("3")
		out := pays(t, stack(common("100"), three), "1000")
		check(t, out, map[string]string{"B": "750", "common": "250"})
		equal(t, "converts", out.Claims[1].Converts, true)
		equal(t, "as converted", out.Claims[1].Shares.RatString(), "300")
	})
}

func TestParticipation(t *testing.T) {
	t.Parallel()
	class := preferred("A", 1, "1", "100")
	class.Participation, class.CapMultiple = waterfall.Capped, number("3")
	full := class
	full.Participation = waterfall.Full
	for _, c := range []struct {
		claim, value, a, common string
		class                   waterfall.Class
		converts                bool
	}{
		{"in full takes the preference and shares", "300", "200", "100", full, false},
		{"however much there is", "10100", "5100", "5000", full, false},
		{"capped does so at first", "300", "200", "100", class, false},
		{"up to the cap", "500", "300", "200", class, false},
		{"where it stays while common catches up", "550", "300", "250", class, false},
		{"and converts once that is more", "1000", "500", "500", class, true},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			out := pays(t, stack(common("100"), c.class), c.value)
			check(t, out, map[string]string{"A": c.a, "common": c.common})
			equal(t, "converts", out.Claims[1].Converts, c.converts)
		})
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	s := stack(common("80"))
	s.Options = []waterfall.Option{
		{ID: "near", Holder: "e", Strike: number("1"), Quantity: number("20"), Granted: number("30")},
		{ID: "far", Holder: "e", Strike: number("50"), Quantity: number("20"), Granted: number("20")},
		{ID: "also", Holder: "f", Strike: number("1"), Quantity: number("0"), Granted: number("5")},
	}
	t.Run("options in the money are exercised and pay their strike price", func(t *testing.T) {
		t.Parallel()
		out := pays(t, s, "980") // 1,000 including the exercise price of 20 shares
		check(t, out, map[string]string{"common": "800", "near": "180", "far": "0", "also": "0"})
		equal(t, "near", out.Claims[1].Converts, true)
		equal(t, "far", out.Claims[2].Converts, false)
		equal(t, "none of it", out.Claims[3].Converts, false)
	})
	t.Run("options out of the money are not exercised", func(t *testing.T) {
		t.Parallel()
		out := pays(t, s, "80")
		check(t, out, map[string]string{"common": "80", "near": "0"})
		equal(t, "near", out.Claims[1].Converts, false)
	})
}

func TestConvertibles(t *testing.T) {
	t.Parallel()
	// Y Combinator, Post-Money Safe User Guide v1.2, appendix II, example 1, question 3.
	safes := func() waterfall.Stack {
		s := stack(common("9250000"))
		s.Options = []waterfall.Option{{ID: "options", Holder: "e", Quantity: number("300000"), Granted: number("300000")}}
		s.Convertibles = []waterfall.Convertible{
			{ID: "A", Holder: "a", Seniority: 1, CashOut: number("200000"), Amount: number("200000"), Cap: number("4000000"), PostMoney: true},
			{ID: "B", Holder: "b", Seniority: 1, CashOut: number("800000"), Amount: number("800000"), Cap: number("8000000"), PostMoney: true},
		}
		return s
	}
	t.Run("the SAFEs of the published guide have its results", func(t *testing.T) {
		t.Parallel()
		out := pays(t, safes(), "10000000")
		check(t, out, map[string]string{"A": "500000", "B": "1000000"})
		equal(t, "a share", out.SharePrice.RatString(), "170/191")
		equal(t, "shares of A", out.Claims[2].Shares.FloatString(4), "561764.7059")
		equal(t, "shares of B", out.Claims[3].Shares.FloatString(4), "1123529.4118")
	})
	t.Run("a SAFE takes cash if that is more and leaves the capitalization", func(t *testing.T) {
		t.Parallel()
		out := pays(t, safes(), "6000000")
		equal(t, "A converts", out.Claims[2].Converts, true)
		equal(t, "B converts", out.Claims[3].Converts, false)
		check(t, out, map[string]string{"A": "260000", "B": "800000"}) // 5 % of the remainder after B
	})
	t.Run("SAFEs share an amount that does not cover them", func(t *testing.T) {
		t.Parallel()
		check(t, pays(t, safes(), "500000"), map[string]string{"A": "100000", "B": "400000", "common": "0"})
	})
	t.Run("a convertible with a pre-money cap adds its shares to all others", func(t *testing.T) {
		t.Parallel()
		s := stack(common("90"))
		s.Convertibles = []waterfall.Convertible{{ID: "S", CashOut: number("10"), Amount: number("10"), Cap: number("90")}}
		check(t, pays(t, s, "1000"), map[string]string{"S": "100", "common": "900"})
	})
	t.Run("a convertible with a discount receives more than its amount at a high price", func(t *testing.T) {
		t.Parallel()
		s := stack(common("90"))
		s.Convertibles = []waterfall.Convertible{{ID: "S", CashOut: number("80"), Amount: number("80"), Discount: number("0.20")}}
		check(t, pays(t, s, "1000"), map[string]string{"S": "100", "common": "900"})
		check(t, pays(t, s, "90"), map[string]string{"S": "90", "common": "0"})
	})
	t.Run("a convertible that does not convert is paid before lower ranks", func(t *testing.T) {
		t.Parallel()
		s := stack(common("90"), preferred("A", 1, "1", "100"))
		s.Convertibles = []waterfall.Convertible{{ID: "debt", Seniority: 2, CashOut: number("80"), Amount: number("80")}}
		check(t, pays(t, s, "100"), map[string]string{"debt": "80", "A": "20", "common": "0"})
	})
	t.Run("a conversion of a SAFE at a higher value can reduce the price of a share", func(t *testing.T) {
		t.Parallel()
		before, after := pays(t, safes(), "7999999"), pays(t, safes(), "8000000")
		if before.SharePrice.Cmp(after.SharePrice) <= 0 {
			t.Errorf("a share went from %s to %s: the package's words are no longer true", before.SharePrice, after.SharePrice)
		}
	})
}

func TestManyHoldersArePaidQuickly(t *testing.T) {
	t.Parallel()
	s := stack(common(), preferred("A", 1, "1.37"), preferred("B", 2, "2.11"))
	for i := range 10_000 {
		class := &s.Classes[i%3]
		class.Holdings = append(class.Holdings, waterfall.Holding{Holder: strconv.Itoa(i), Shares: exact.NewDecimal(int64(i*7919%100_003 + 1))})
	}
	began := time.Now()
	for _, out := range s.Pay([]exact.Decimal{number("1000000"), number("100000000.01"), number("9000000000")}) {
		equal(t, "payouts", len(out.Payouts), 10_000)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("three prices over 10,000 holders took %s", took)
	}
}

func BenchmarkPay(b *testing.B) {
	s := stack(common(), preferred("A", 1, "1.37"), preferred("B", 2, "2.11"))
	for i := range 10_000 {
		class := &s.Classes[i%3]
		class.Holdings = append(class.Holdings, waterfall.Holding{Holder: strconv.Itoa(i), Shares: exact.NewDecimal(int64(i*7919%100_003 + 1))})
	}
	for b.Loop() {
		s.Pay([]exact.Decimal{number("1000000000.01")})
	}
}
