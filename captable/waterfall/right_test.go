package waterfall_test

import (
	"testing"

	"equity/captable/waterfall"
)

func TestPreferenceInsteadOfConversionDoesNotCountInPostMoneyCaps(t *testing.T) {
	t.Parallel()
	s := stack(common("8000000"), preferred("A", 1, "2", "1000000"))
	s.Convertibles = []waterfall.Convertible{
		{ID: "S", Amount: number("500000"), CashOut: number("500000"), Cap: number("5000000"), PostMoney: true, Seniority: 1},
	}
	check(t, pays(t, s, "12000000"), map[string]string{"A": "2000000", "S": "1000000", "common": "9000000"})
	check(t, pays(t, s, "40000000"), map[string]string{"A": "4000000", "S": "4000000", "common": "32000000"})
}

func TestClaimThatLeftFirstReturns(t *testing.T) {
	t.Parallel()
	s := stack(common("8000000"))
	s.Convertibles = []waterfall.Convertible{
		{ID: "S0", Amount: number("1500000"), CashOut: number("1500000"), Cap: number("2000000"), PostMoney: true},
		{ID: "S1", Amount: number("800000"), CashOut: number("800000"), Discount: number("0.1")},
		{ID: "S2", Amount: number("1500000"), CashOut: number("1500000"), Cap: number("8000000"), PostMoney: true},
	}
	out := pays(t, s, "7500000")
	check(t, out, map[string]string{"S0": "4500000", "S1": "888888.89", "S2": "1500000", "common": "611111.11"})
	equal(t, "the third converts", out.Claims[3].Converts, false)
}

// The SAFE would convert beside the converted shares, they would take their preference beside its conversion, and then
// it would take cash: no choices are an equilibrium.
func TestWithoutEquilibriumEachClaimHasAtLeastItsCash(t *testing.T) {
	t.Parallel()
	s := stack(common("110"), preferred("A", 1, "0.4", "100"))
	s.Convertibles = []waterfall.Convertible{{ID: "S", Amount: number("15"), CashOut: number("15"), Cap: number("75"), PostMoney: true}}
	check(t, pays(t, s, "100"), map[string]string{"S": "15", "A": "40.48", "common": "44.52"})
}

// warrant returns a right to buy 100 shares of the class.
func warrant(of waterfall.Class, strike string) waterfall.Option {
	return waterfall.Option{ID: "W", Of: &of, Strike: number(strike), Quantity: number("100"), Granted: number("100")}
}

func TestRightsHaveThePreferenceOfTheirClass(t *testing.T) {
	t.Parallel()
	class := preferred("A", 1, "1", "100")
	with := func(of waterfall.Class, strike string) waterfall.Stack {
		s := stack(common("800"), class)
		s.Options = []waterfall.Option{warrant(of, strike)}
		return s
	}
	t.Run("a warrant shares in proportion within a rank that is not covered", func(t *testing.T) {
		t.Parallel()
		check(t, pays(t, with(class, "0.01"), "150"), map[string]string{"A": "75.5", "W": "74.5", "common": "0"})
	})
	t.Run("a warrant is not exercised if its preference is paid below its price", func(t *testing.T) {
		t.Parallel()
		out := pays(t, with(class, "0.8"), "70")
		check(t, out, map[string]string{"A": "70", "W": "0", "common": "0"})
		equal(t, "exercised", out.Claims[2].Converts, false)
	})
	t.Run("a warrant is exercised if the preference covers its price", func(t *testing.T) {
		t.Parallel()
		check(t, pays(t, with(class, "0.8"), "150"), map[string]string{"A": "100", "W": "20", "common": "30"})
	})
	t.Run("a warrant converts together with its class", func(t *testing.T) {
		t.Parallel()
		check(t, pays(t, with(class, "0.5"), "1950"), map[string]string{"A": "200", "W": "150", "common": "1600"})
	})
	t.Run("a warrant of a participating class receives a part of the rest", func(t *testing.T) {
		t.Parallel()
		of := class
		of.Participation = waterfall.Full
		check(t, pays(t, with(of, "0.5"), "450"), map[string]string{"W": "83.33", "A": "100"})
	})
	t.Run("a warrant of a capped class receives at most the cap", func(t *testing.T) {
		t.Parallel()
		of := class
		of.Participation, of.CapMultiple = waterfall.Capped, number("2")
		check(t, pays(t, with(of, "1.5"), "1650"), map[string]string{"W": "50"})
	})
}

func TestFixedSharesHaveThePreferenceOfTheirClass(t *testing.T) {
	t.Parallel()
	into := preferred("into", 1, "2", "100")
	s := stack(common("800"), preferred("A", 2, "1", "100"))
	s.Convertibles = []waterfall.Convertible{{ID: "S", Seniority: 2, CashOut: number("150"), Into: &into}}
	t.Run("fixed shares take their preference if it exceeds the cash", func(t *testing.T) {
		t.Parallel()
		out := pays(t, s, "1000")
		check(t, out, map[string]string{"S": "200", "A": "100", "common": "700"})
		equal(t, "converts", out.Claims[2].Converts, true)
	})
	t.Run("fixed shares convert together with their class", func(t *testing.T) {
		t.Parallel()
		check(t, pays(t, s, "3000"), map[string]string{"S": "300", "A": "300", "common": "2400"})
	})
}

func TestFixedSharesChooseTheirRank(t *testing.T) {
	t.Parallel()
	into := preferred("into", 1, "2", "100")
	s := stack(common("800"), preferred("A", 2, "1", "100"))
	s.Convertibles = []waterfall.Convertible{{ID: "S", Seniority: 2, CashOut: number("150"), Into: &into}}
	out := pays(t, s, "125")
	check(t, out, map[string]string{"S": "75", "A": "50", "common": "0"})
	equal(t, "converts", out.Claims[2].Converts, false)
}
