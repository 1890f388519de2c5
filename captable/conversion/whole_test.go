package conversion_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/conversion"
)

func TestClose(t *testing.T) {
	t.Parallel()
	r := published(t, "lib-readme-five-safes")
	w, ok := solved(t, r).Close(r, conversion.Rounding{Places: 5})
	equal(t, "closed", ok, true)
	t.Run("the price is rounded up to its places", func(t *testing.T) {
		t.Parallel()
		same(t, "price", w.Price, "1.71056")
	})
	t.Run("shares are rounded down at the rounded price", func(t *testing.T) {
		t.Parallel()
		same(t, "capped", w.Conversions[2].Shares, "1025220")
		same(t, "new money", w.NewMoney[0], "2338415")
	})
	t.Run("fixed percentages are computed of the other shares", func(t *testing.T) {
		t.Parallel()
		same(t, "7 %", w.Conversions[0].Shares, "956884")
	})
	t.Run("elections are kept", func(t *testing.T) {
		t.Parallel()
		equal(t, "elects", w.Conversions[1].Elects, "V1984")
	})
	t.Run("no figure is rounded without places", func(t *testing.T) {
		t.Parallel()
		s := solved(t, r)
		w, _ := s.Close(r, conversion.Rounding{Places: -1})
		same(t, "total", w.TotalShares, s.TotalShares.RatString())
		same(t, "first", w.Conversions[0].Shares, s.Conversions[0].Shares.RatString())
	})
}

// A closed round adds up and does not exceed the exact solution.
func TestClosedRoundsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := rounds().Draw(t, "round")
		r.Convention = conversion.SafesInsidePreMoney
		s := solved(t, r)
		w, ok := s.Close(r, conversion.Rounding{Places: 5})
		if !ok {
			return // a price that rounds to zero at few places
		}
		sum := new(big.Rat).Add(r.Company.Common.Rat(), r.Company.OptionsGranted.Rat())
		sum.Add(sum, r.Company.OptionsPromised.Rat()).Add(sum, w.PoolAvailable)
		for _, c := range w.Conversions {
			sum.Add(sum, c.Shares)
		}
		for _, shares := range w.NewMoney {
			sum.Add(sum, shares)
		}
		same(t, "total", w.TotalShares, sum.RatString())
		if !sum.IsInt() || w.TotalShares.Cmp(s.TotalShares) > 0 {
			t.Errorf("%s shares, exactly %s", w.TotalShares, s.TotalShares)
		}
	})
}
