package waterfall_test

import (
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// A post-money cap is a fraction of everything that shares, including conversions at a discount.
func TestDiscountsCountInTheCapitalizationOfCaps(t *testing.T) {
	t.Parallel()
	stack := waterfall.Stack{
		Places: 2,
		Classes: []waterfall.Class{
			{ID: "C", Ratio: exact.NewDecimal(1), Holdings: []waterfall.Holding{{Holder: "F", Shares: exact.MustDecimal("1000000")}}},
		},
		Convertibles: []waterfall.Convertible{
			{ID: "D", Amount: exact.MustDecimal("800000"), CashOut: exact.MustDecimal("800000"), Discount: exact.MustDecimal("0.1")},
			{ID: "P", Amount: exact.MustDecimal("100000"), CashOut: exact.MustDecimal("100000"), Cap: exact.MustDecimal("8000000"), PostMoney: true},
		},
	}
	out := stack.Pay([]exact.Decimal{exact.MustDecimal("100000000")})[0]
	for i, want := range []string{"97861111.11", "888888.89", "1250000"} {
		if got := out.Payouts[i].Amount.String(); got != want {
			t.Errorf("payout %d: got %s, want %s", i, got, want)
		}
	}
}

// Each converting instrument gets the greater of its cap's fraction of all shares at the price, and its discount.
func TestConvertingInstrumentsGetTheirFractionOfAllShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		const common = 1_000_000
		stack := waterfall.Stack{
			Places:  exact.Places,
			Classes: []waterfall.Class{{Ratio: exact.NewDecimal(1), Holdings: []waterfall.Holding{{Shares: exact.NewDecimal(common)}}}},
		}
		for i := range rapid.IntRange(1, 6).Draw(draw, "convertibles") {
			one := waterfall.Convertible{
				ID: strconv.Itoa(i), Amount: exact.NewDecimal(int64(rapid.IntRange(1, 900).Draw(draw, "amount")) * 1000),
				PostMoney: rapid.IntRange(0, 3).Draw(draw, "basis") > 0,
			}
			terms := rapid.IntRange(1, 3).Draw(draw, "terms")
			if terms&1 > 0 {
				one.Cap = exact.NewDecimal(int64(rapid.IntRange(8, 80).Draw(draw, "cap")) * 1_000_000)
			}
			if terms&2 > 0 {
				one.Discount = exact.MustDecimal(rapid.SampledFrom([]string{"0.1", "0.2", "0.5"}).Draw(draw, "discount"))
			}
			stack.Convertibles = append(stack.Convertibles, one)
		}
		out := stack.Pay([]exact.Decimal{exact.NewDecimal(int64(rapid.IntRange(20, 500).Draw(draw, "millions")) * 1_000_000)})[0]
		if out.SharePrice.Sign() == 0 {
			return
		}
		whole := big.NewRat(common, 1)
		for _, claim := range out.Claims[1:] {
			whole.Add(whole, claim.Shares)
		}
		for i, one := range stack.Convertibles {
			want := new(big.Rat)
			if one.Cap.Sign() > 0 {
				of := big.NewRat(common, 1)
				if one.PostMoney {
					of = whole
				}
				want.Quo(one.Amount.Rat(), one.Cap.Rat()).Mul(want, of)
			}
			if one.Discount.Sign() > 0 {
				left := new(big.Rat).Sub(big.NewRat(1, 1), one.Discount.Rat())
				discounted := left.Quo(one.Amount.Rat(), left.Mul(left, out.SharePrice))
				if discounted.Cmp(want) > 0 {
					want = discounted
				}
			}
			if got := out.Claims[1+i].Shares; got.Cmp(want) != 0 {
				t.Fatalf("%s of %+v: got %s shares, want %s", one.ID, stack.Convertibles, got.FloatString(6), want.FloatString(6))
			}
		}
	})
}
