package exact_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
)

func TestProductEqualsThatOfTheLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		fraction := func(name string) *big.Rat {
			return big.NewRat(rapid.Int64Range(-5000, 5000).Draw(draw, name), rapid.Int64Range(1, 5000).Draw(draw, "of "+name))
		}
		a, b := fraction("a"), fraction("b")
		got, want := exact.Product(a, b), new(big.Rat).Mul(a, b)
		if got.Num().Cmp(want.Num()) != 0 || got.Denom().Cmp(want.Denom()) != 0 {
			draw.Fatalf("%s times %s is %s, not %s", a, b, got, want)
		}
	})
}

func TestRoundFractionEqualsRoundingOfTheReducedFraction(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		n, d := rapid.Int64Range(-100_000, 100_000).Draw(draw, "numerator"), rapid.Int64Range(1, 5000).Draw(draw, "denominator")
		factor := big.NewInt(rapid.Int64Range(1, 99).Draw(draw, "factor"))
		got := exact.RoundFraction(new(big.Int).Mul(big.NewInt(n), factor), new(big.Int).Mul(big.NewInt(d), factor), 2)
		if want := exact.RoundHalfUp(big.NewRat(n, d), 2); !got.Equal(want) {
			draw.Fatalf("%s, not %s", got, want)
		}
	})
}
