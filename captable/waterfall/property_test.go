package waterfall_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// properties checks a property for random valid stacks.
func properties(t *testing.T, claim func(t *rapid.T, s waterfall.Stack)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		s := anyStack(t)
		if len(s.Faults()) == 0 {
			claim(t, s)
		}
	})
}

func TestPayouts(t *testing.T) {
	t.Parallel()
	t.Run("sum to the price and are not negative", func(t *testing.T) {
		t.Parallel()
		properties(t, func(t *rapid.T, s waterfall.Stack) {
			s.Costs, s.CostRate = number("1.05"), number("0.01")
			out := s.Pay([]exact.Decimal{anyValue(t)})[0]
			sum, byClaim := out.Costs.Add(out.Remaining), exact.Decimal{}
			for _, p := range out.Payouts {
				sum = sum.Add(p.Amount)
				if p.Amount.Sign() < 0 {
					t.Fatalf("%s gets %s", p.ID, p.Amount)
				}
			}
			for _, c := range out.Claims {
				byClaim = byClaim.Add(c.Amount)
			}
			if !sum.Equal(out.Value) || !byClaim.Equal(out.Value.Sub(out.Costs).Sub(out.Remaining)) || out.Remaining.Sign() < 0 {
				t.Fatalf("%+v sums to %s", out, sum)
			}
		})
	})
	t.Run("payouts cover senior preferences first", func(t *testing.T) {
		t.Parallel()
		properties(t, func(t *rapid.T, s waterfall.Stack) {
			s.Convertibles = nil
			out := s.Pay([]exact.Decimal{anyValue(t)})[0]
			for i, senior := range s.Classes {
				shares := exact.Decimal{}
				for _, h := range senior.Holdings {
					shares = shares.Add(h.Shares)
				}
				lacks := senior.Price.Mul(senior.Multiple).Mul(shares).Sub(out.Claims[i].Amount)
				for j, junior := range s.Classes {
					behind := junior.Seniority < senior.Seniority || junior.Multiple.IsZero()
					if lacks.Cmp(number("0.03")) > 0 && behind && !out.Claims[j].Amount.IsZero() {
						t.Fatalf("%s lacks %s, %s gets %s", senior.ID, lacks, junior.ID, out.Claims[j].Amount)
					}
				}
			}
		})
	})
	t.Run("payouts never decrease with the price, except with post-money caps", func(t *testing.T) {
		t.Parallel()
		properties(t, func(t *rapid.T, s waterfall.Stack) {
			for i := range s.Convertibles {
				s.Convertibles[i].PostMoney = false
			}
			value := anyValue(t)
			outs := s.Pay([]exact.Decimal{value, value.Add(anyValue(t))})
			for i, p := range outs[0].Payouts {
				if less := p.Amount.Sub(outs[1].Payouts[i].Amount); less.Cmp(number("0.01")) > 0 { // the rounding of a unit may differ
					t.Fatalf("%s has %s less\n%+v\n%+v", p.ID, less, outs[0], outs[1])
				}
			}
		})
	})
	t.Run("payouts are independent of other prices", func(t *testing.T) {
		t.Parallel()
		properties(t, func(t *rapid.T, s waterfall.Stack) {
			values := []exact.Decimal{anyValue(t), anyValue(t), anyValue(t)}
			for i, out := range s.Pay(values) {
				alone := s.Pay(values[i : i+1])[0]
				for j, p := range out.Payouts {
					if p != alone.Payouts[j] {
						t.Fatalf("%+v and %+v", p, alone.Payouts[j])
					}
				}
			}
		})
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	bad := waterfall.Stack{
		Costs: number("-1"), CostRate: number("1.5"),
		Classes: []waterfall.Class{
			{Price: number("-1"), Multiple: number("2"), Participation: waterfall.Capped, CapMultiple: number("1"), Ratio: number("-1")},
			{Participation: "some", Holdings: []waterfall.Holding{{Shares: number("-1")}}},
		},
		Options: []waterfall.Option{{Strike: number("-1"), Quantity: number("2"), Granted: number("1")}},
		Convertibles: []waterfall.Convertible{
			{CashOut: number("-1"), Amount: number("5"), Cap: number("5"), PostMoney: true, Discount: number("1")},
			{Amount: number("-1"), Cap: number("-1"), Discount: number("-1")},
		},
	}
	var got []string
	for _, fault := range bad.Faults() {
		got = append(got, fault.Pointer+" "+fault.Code)
		if fault.Message == "" {
			t.Errorf("%s has no message", fault.Pointer)
		}
	}
	want := []string{
		"/costs negative", "/costRate notBelowOne", "/classes/0/price negative", "/classes/0/ratio negative", "/classes/0/capMultiple belowPreference",
		"/classes/1/participation enum", "/classes/1/holdings/0/shares negative", "/options/0/strike negative", "/options/0/granted moreThanGranted",
		"/convertibles/0/cashOut negative", "/convertibles/0/discount notBelowOne", "/convertibles/1/amount negative", "/convertibles/1/cap negative",
		"/convertibles/1/discount negative", "/convertibles capsTakeAll",
	}
	for i, fault := range want {
		if i >= len(got) || got[i] != fault {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
	equal(t, "faults", len(got), len(want))
}

func TestClaimsAloneEqualThoseWithPayouts(t *testing.T) {
	t.Parallel()
	properties(t, func(t *rapid.T, s waterfall.Stack) {
		value := anyValue(t)
		alone, whole := s.PayClaims([]exact.Decimal{value})[0], s.Pay([]exact.Decimal{value})[0]
		if len(alone.Payouts) > 0 || !alone.Remaining.Equal(whole.Remaining) || alone.SharePrice.Cmp(whole.SharePrice) != 0 {
			t.Fatalf("%+v and %+v", alone, whole)
		}
		for i, claim := range whole.Claims {
			if !claim.Amount.Equal(alone.Claims[i].Amount) || claim.Converts != alone.Claims[i].Converts {
				t.Fatalf("%+v and %+v", alone.Claims[i], claim)
			}
		}
	})
}

// The payouts are those of rational numbers, with shares of few and of many digits, whole or not.
func TestPayoutsAreRoundedByLargestRemainder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{3, 1_000, 1 << 40}).Draw(t, "most")
		scale := rapid.SampledFrom([]string{"1", "0.0000000001", "1000000"}).Draw(t, "scale")
		var shares []string
		for range rapid.IntRange(1, 8).Draw(t, "holders") {
			shares = append(shares, exact.NewDecimal(rapid.Int64Range(1, most).Draw(t, "shares")).Mul(number(scale)).String())
		}
		cents := rapid.Int64Range(0, 1<<50).Draw(t, "cents")
		out := stack(common(shares...)).Pay([]exact.Decimal{exact.NewDecimal(cents).Mul(number("0.01"))})[0]

		all := new(big.Rat)
		for _, held := range shares {
			all.Add(all, number(held).Rat())
		}
		rests, floors, missing := make([]*big.Rat, len(shares)), make([]int64, len(shares)), cents
		order := make([]int, len(shares))
		for i, held := range shares {
			part := new(big.Rat).Mul(new(big.Rat).SetInt64(cents), number(held).Rat())
			part.Quo(part, all)
			floors[i] = new(big.Int).Quo(part.Num(), part.Denom()).Int64()
			rests[i], order[i] = part.Sub(part, new(big.Rat).SetInt64(floors[i])), i
			missing -= floors[i]
		}
		slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
		for _, i := range order[:missing] {
			floors[i]++
		}
		for i, payout := range out.Payouts {
			if want := exact.NewDecimal(floors[i]).Mul(number("0.01")); !payout.Amount.Equal(want) {
				t.Fatalf("%v of %d cents: holder %d gets %s, want %s", shares, cents, i, payout.Amount, want)
			}
		}
	})
}
