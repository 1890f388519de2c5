package conversion_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// one returns a portion of one over the denominator.
func one(on string, after int, of string) conversion.Portion {
	return conversion.Portion{Date: day(on), After: after, Numerator: number("1"), Denominator: number(of)}
}

func divided(ledger conversion.Ledger, portions ...conversion.Portion) conversion.Ledger {
	ledger.Portions = portions
	return ledger
}

func TestPortion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim               string
		ledger              conversion.Ledger
		on                  string
		principal, interest string
	}{
		{"a portion has its part of principal and interest", divided(owing(), one("2023-04-11", 0, "4")), "2023-04-11", "2500", "25"},
		{"a portion bears interest of its own", divided(owing(), one("2023-04-11", 0, "4")), "2023-04-15", "2500", "26"},
		{"a portion does not apply before its date", divided(owing(), one("2023-04-11", 0, "4")), "2023-04-10", "10000", "99"},
		{
			"a portion is a part of the balance after an earlier repayment",
			divided(owing(repaid("2023-04-11", "100", true)), one("2023-04-11", 1, "2")), "2023-04-11", "5000", "0",
		},
		{
			"a later repayment reduces the portion alone", divided(owing(repaid("2023-04-11", "100", true)), one("2023-04-11", 0, "2")),
			"2023-04-11", "4950", "0",
		},
		{"a portion can be divided again", divided(owing(), one("2023-04-11", 0, "2"), one("2023-04-13", 0, "5")), "2023-04-13", "1000", "10.2"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			standing := c.ledger.On(day(c.on))
			same(t, "principal", standing.Principal, c.principal)
			same(t, "interest", standing.Interest, c.interest)
		})
	}
	t.Run("a portion and the remainder sum to the whole on every day", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			whole := owing(repaid("2023-02-01", "31.07", rapid.Bool().Draw(draw, "interest first")))
			whole.Interest.Compounding = rapid.SampledFrom([]conversion.Compounding{conversion.Simple, conversion.Compound}).Draw(draw, "compounding")
			whole.Interest.AccrualPeriod = rapid.SampledFrom(
				[]conversion.AccrualPeriod{conversion.Daily, conversion.Monthly, conversion.Annual},
			).Draw(draw, "period")
			of := rapid.Int64Range(2, 1000).Draw(draw, "of")
			kept := rapid.Int64Range(1, of-1).Draw(draw, "kept")
			on := whole.Since + 31 + days(draw)
			portion := func(n int64) conversion.Ledger {
				return divided(whole, conversion.Portion{
					Date: on, After: 1, Numerator: number(big.NewInt(n).String()), Denominator: number(big.NewInt(of).String()),
				})
			}
			later := on + days(draw)
			a, b := portion(kept).On(later), portion(of-kept).On(later)
			if sum := new(big.Rat).Add(a.Balance(), b.Balance()); !alike(sum, whole.On(later).Balance()) {
				draw.Fatalf("the parts are %v, the whole is %v", sum, whole.On(later).Balance())
			}
		})
	})
}

func days(draw *rapid.T) exact.Date {
	return exact.Date(rapid.Int32Range(0, 400).Draw(draw, "days"))
}
