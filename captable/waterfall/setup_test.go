package waterfall_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

func number(text string) exact.Decimal { return exact.MustDecimal(text) }

// held assigns the shares to the holders h0, h1 and so on.
func held(shares ...string) []waterfall.Holding {
	list := make([]waterfall.Holding, 0, len(shares))
	for i, text := range shares {
		list = append(list, waterfall.Holding{Holder: "h" + exact.NewDecimal(int64(i)).String(), Shares: number(text)})
	}
	return list
}

func common(shares ...string) waterfall.Class {
	return waterfall.Class{ID: "common", Ratio: number("1"), Holdings: held(shares...)}
}

// preferred returns a class with a preference of one time its price that converts 1 : 1.
func preferred(id string, seniority int, price string, shares ...string) waterfall.Class {
	return waterfall.Class{
		ID: id, Seniority: seniority, Price: number(price), Multiple: number("1"), Ratio: number("1"), Holdings: held(shares...),
	}
}

// stack returns a stack of the classes, paid in cents.
func stack(classes ...waterfall.Class) waterfall.Stack {
	return waterfall.Stack{Classes: classes, Places: 2}
}

// pays returns the distribution of one price. The stack must be valid.
func pays(tb testing.TB, s waterfall.Stack, value string) waterfall.Outcome {
	tb.Helper()
	if faults := s.Faults(); len(faults) > 0 {
		tb.Fatalf("faults: %v", faults)
	}
	return s.Pay([]exact.Decimal{number(value)})[0]
}

// amounts returns the payments of the claims by id.
func amounts(out waterfall.Outcome) map[string]string {
	got := map[string]string{}
	for _, claim := range out.Claims {
		got[claim.ID] = claim.Amount.String()
	}
	return got
}

// check compares the payments of the claims.
func check(tb testing.TB, out waterfall.Outcome, want map[string]string) {
	tb.Helper()
	got := amounts(out)
	for id, amount := range want {
		if got[id] != amount {
			tb.Errorf("%s of %s: got %s, want %s", id, out.Value, got[id], amount)
		}
	}
}

// anyStack generates a small stack with all kinds of claims.
func anyStack(t *rapid.T) waterfall.Stack {
	whole := func(least, most int64, what string) exact.Decimal {
		return exact.NewDecimal(rapid.Int64Range(least, most).Draw(t, what))
	}
	s := waterfall.Stack{Places: 2, Classes: []waterfall.Class{common(whole(1, 50, "common").String(), whole(0, 50, "common").String())}}
	for i := range rapid.IntRange(0, 3).Draw(t, "classes") {
		class := preferred(
			string(rune('A'+i)), rapid.IntRange(0, 2).Draw(t, "seniority"), whole(0, 9, "price").String(), whole(1, 50, "shares").String(),
			"1",
		)
		class.Multiple = whole(0, 2, "multiple")
		class.Ratio = whole(0, 3, "ratio")
		class.Participation = rapid.SampledFrom([]waterfall.Participation{waterfall.None, waterfall.Full, waterfall.Capped}).Draw(t, "participation")
		class.CapMultiple = class.Multiple.Add(whole(0, 3, "cap"))
		s.Classes = append(s.Classes, class)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "options") {
		quantity := whole(0, 20, "quantity")
		s.Options = append(s.Options, waterfall.Option{
			ID: "o" + string(rune('0'+i)), Holder: "h0", Strike: whole(0, 9, "strike"), Quantity: quantity,
			Granted: quantity.Add(whole(0, 5, "unvested")),
		})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "convertibles") {
		amount := whole(1, 30, "amount")
		s.Convertibles = append(s.Convertibles, waterfall.Convertible{
			ID: "s" + string(rune('0'+i)), Holder: "s", Seniority: rapid.IntRange(0, 3).Draw(t, "seniority"), Amount: amount,
			CashOut: amount.Mul(whole(1, 2, "exit multiple")), Cap: whole(0, 1, "capped").Mul(whole(95, 400, "cap")),
			PostMoney: rapid.Bool().Draw(t, "post-money"), Discount: rapid.SampledFrom([]exact.Decimal{{}, number("0.2")}).Draw(t, "discount"),
		})
	}
	return s
}

func anyValue(t *rapid.T) exact.Decimal {
	return exact.NewDecimal(rapid.Int64Range(0, 200_000).Draw(t, "cents")).Mul(number("0.01"))
}
