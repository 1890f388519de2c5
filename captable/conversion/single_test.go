package conversion_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// single returns an instrument. Empty texts are absent terms.
func single(amount, price, discount, valuation, shares string) conversion.Single {
	s := conversion.Single{
		Amount: optional(amount).Rat(), Discount: optional(discount), Cap: optional(valuation), CapShares: optional(shares),
	}
	if price != "" {
		s.Price = number(price).Rat()
	}
	return s
}

func TestSingleConversion(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		single                           conversion.Single
		basis                            conversion.Basis
		price, shares, whole, leftInCash string
	}{
		"the lower price of cap and discount": {single("1000", "10", "0.2", "700", "100"), conversion.Cap, "7", "1000/7", "142", "6"},
		"a discount below the cap":            {single("1000", "10", "0.2", "900", "100"), conversion.Discount, "8", "125", "125", "0"},
		"equal prices are the discount's":     {single("1000", "10", "0.2", "800", "100"), conversion.Discount, "8", "125", "125", "0"},
		"a cap above the round's price":       {single("1000", "10", "", "5000", "100"), conversion.RoundPrice, "10", "100", "100", "0"},
		"a cap at the round's price":          {single("1000", "10", "", "1000", "100"), conversion.Cap, "10", "100", "100", "0"},
		"no terms at all":                     {single("1005", "10", "", "", ""), conversion.RoundPrice, "10", "201/2", "100", "5"},
		"maturity, where only a cap speaks":   {single("1000", "", "0.2", "900", "100"), conversion.Cap, "9", "1000/9", "111", "1"},
		"too little for a share":              {single("3", "10", "", "", ""), conversion.RoundPrice, "10", "3/10", "0", "3"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "faults", len(c.single.Faults()), 0)
			got := c.single.Convert()
			equal(t, "basis", got.Basis, c.basis)
			same(t, "price", got.Price, c.price)
			same(t, "shares", got.Shares, c.shares)
			equal(t, "whole shares", got.Whole.String(), c.whole)
			same(t, "cash", got.Cash, c.leftInCash)
		})
	}
}

func TestSingleFaults(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		single conversion.Single
		want   string
	}{
		"no amount":               {single("0", "1", "", "", ""), "/amount notPositive"},
		"an amount that is nil":   {conversion.Single{Price: big.NewRat(1, 1)}, "/amount notPositive"},
		"a price of nothing":      {single("1", "0", "", "", ""), "/price notPositive"},
		"everything taken off":    {single("1", "1", "1", "", ""), "/discount notBelowOne"},
		"a discount that adds":    {single("1", "1", "-0.1", "", ""), "/discount negative"},
		"a cap below zero":        {single("1", "1", "", "-1", "1"), "/cap negative"},
		"a cap of no shares":      {single("1", "1", "", "1", ""), "/capShares notPositive"},
		"nothing to convert at":   {single("1", "", "0.2", "", ""), "/price required"},
		"a price or a cap is all": {single("1", "", "", "1", "1"), ""},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, fault := range c.single.Faults() {
				got = append(got, fault.Pointer+" "+fault.Code)
			}
			equal(t, "faults", strings.Join(got, ", "), c.want)
		})
	}
}

func TestSharesAndCashAreTheAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(label string) string { return exact.NewDecimal(rapid.Int64Range(1, 1<<40).Draw(t, label)).String() }
		s := single(drawn("amount"), drawn("price"), "0.15", drawn("cap"), drawn("shares"))
		got := s.Convert()
		sum := new(big.Rat).Mul(got.Whole.Rat(), got.Price)
		same(t, "shares at the price, and cash", sum.Add(sum, got.Cash), s.Amount.RatString())
		if got.Cash.Sign() < 0 || got.Cash.Cmp(got.Price) >= 0 {
			t.Errorf("cash is %s where a share costs %s", got.Cash, got.Price)
		}
		if got.Price.Cmp(s.Price) >= 0 {
			t.Errorf("a discount gave the price %s of %s", got.Price, s.Price)
		}
	})
}

func TestConvertingPartOfADebt(t *testing.T) {
	t.Parallel()
	owed := conversion.Standing{Principal: big.NewRat(100, 1), Interest: big.NewRat(8, 1)}
	t.Run("deferred interest converts with the principal", func(t *testing.T) {
		t.Parallel()
		converts, paid := owed.Converting(conversion.Deferred)
		same(t, "converts", converts, "108")
		same(t, "paid", paid, "0")
	})
	t.Run("interest paid in cash does not convert", func(t *testing.T) {
		t.Parallel()
		converts, paid := owed.Converting(conversion.Cash)
		same(t, "converts", converts, "100")
		same(t, "paid", paid, "8")
	})
}
