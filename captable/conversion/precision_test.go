package conversion_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// The cost is the length of the numbers. Exact fractions would grow to millions of bits, so a long debt could keep
// a server busy.
func TestCenturiesOfInterestHaveABoundedCost(t *testing.T) {
	t.Parallel()
	const plenty = 1 << 13 // bits
	for claim, terms := range map[string]conversion.Interest{
		"by the day":                at("0.1234567891", "0001-01-01", compound(conversion.Daily, conversion.Actual365)),
		"by the day, at 1000 %":     at("10", "0001-01-01", compound(conversion.Daily, conversion.Thirty360)),
		"by the month":              at("0.1234567891", "0001-01-01", compound(conversion.Monthly, conversion.Actual365)),
		"simply, at a rate a month": monthly(),
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			accrued := terms.Accrued(number("1000000.01"), day("0001-01-01"), day("9999-12-31"))
			if bits := accrued.Denom().BitLen(); accrued.Sign() <= 0 || bits > plenty {
				t.Errorf("%d bits", bits)
			}
		})
	}
}

// monthly returns terms whose rate changes every month, the most that the contract allows.
func monthly() conversion.Interest {
	var terms conversion.Interest
	for from := day("2000-01-01"); len(terms.Rates) < 200; from = from.AddMonths(1) {
		rate := exact.RoundDown(big.NewRat(int64(1_000_000_007+len(terms.Rates)), 10_000_000_000), exact.Places)
		terms.Rates = append(terms.Rates, conversion.Rate{Rate: rate, From: from, To: from.AddMonths(1) - 1})
	}
	return terms
}

// The results equal those of exact fractions in all decimal places of the contract.
func TestLongCompoundingKeepsAllShownPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		terms := drawTerms(draw)
		terms.Compounding, terms.AccrualPeriod, terms.DayCount = conversion.Compound, conversion.Daily, conversion.Actual365
		balance := new(big.Rat).SetInt64(1000)
		for n := range terms.Rates {
			rate := &terms.Rates[n]
			factor := new(big.Rat).Quo(rate.Rate.Rat(), big.NewRat(365, 1))
			factor.Add(factor, big.NewRat(1, 1))
			power := big.NewInt(int64(rate.To - rate.From + 1))
			balance.Mul(balance, new(big.Rat).SetFrac(
				new(big.Int).Exp(factor.Num(), power, nil), new(big.Int).Exp(factor.Denom(), power, nil)))
		}
		want := balance.Sub(balance, big.NewRat(1000, 1))
		got := terms.Accrued(number("1000"), day("2020-01-01"), day("2040-01-01"))
		if !alike(got, want) {
			draw.Fatalf("got %v, want %v", exact.RoundDown(got, exact.Places), exact.RoundDown(want, exact.Places))
		}
		equal(draw, "shown", exact.RoundHalfUp(got, exact.Places), exact.RoundHalfUp(want, exact.Places))
	})
}

// The principal is unchanged by any duration of compounding.
func TestPrincipalOfALongDebtIsExact(t *testing.T) {
	t.Parallel()
	debt := owing()
	debt.Principal = number("1000000.0000000001")
	debt.Interest = at("0.1234567891", "2000-01-01", compound(conversion.Daily, conversion.Actual365))
	same(t, "principal", debt.On(day("2300-01-01")).Principal, "1000000.0000000001")
}
