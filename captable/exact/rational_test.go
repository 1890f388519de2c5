package exact_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
)

func TestRounding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		exact        string
		places       int
		down, halfUp string
	}{
		{"0", 0, "0", "0"},
		{"1/2", 0, "0", "1"},
		{"-1/2", 0, "0", "-1"},
		{"3/2", 0, "1", "2"},
		{"5/2", 0, "2", "3"},
		{"-5/2", 0, "-2", "-3"},
		{"49999/100000", 0, "0", "0"},
		{"7", 0, "7", "7"},
		{"7", 10, "7", "7"},
		{"1/3", 10, "0.3333333333", "0.3333333333"},
		{"2/3", 10, "0.6666666666", "0.6666666667"},
		{"-2/3", 2, "-0.66", "-0.67"},
		{"1/8", 2, "0.12", "0.13"},
		{"999999/1000", 2, "999.99", "1000"},
		{"9999999999999999999", 10, "9999999999999999999", "9999999999999999999"},
	} {
		t.Run(fmt.Sprintf("%s at %d places is rounded down to %s and half up to %s", c.exact, c.places, c.down, c.halfUp), func(t *testing.T) {
			t.Parallel()
			unrounded, _ := new(big.Rat).SetString(c.exact)
			equal(t, "down", exact.RoundDown(unrounded, c.places).String(), c.down)
			equal(t, "half up", exact.RoundHalfUp(unrounded, c.places).String(), c.halfUp)
			equal(t, "the argument afterwards", unrounded.RatString(), mustRat(c.exact).RatString())
		})
	}
}

func mustRat(text string) *big.Rat {
	r, _ := new(big.Rat).SetString(text)
	return r
}

func TestRoundingProperties(t *testing.T) {
	t.Parallel()
	t.Run("rounding down is towards zero and half up is nearest, within one unit", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			drawn := big.NewRat(rapid.Int64().Draw(t, "numerator"), rapid.Int64Range(1, 1<<40).Draw(t, "denominator"))
			places := rapid.IntRange(0, 10).Draw(t, "places")
			unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
			half := new(big.Rat).Quo(unit, big.NewRat(2, 1))

			down := new(big.Rat).Sub(drawn, exact.RoundDown(drawn, places).Rat())
			if down.Sign()*drawn.Sign() < 0 || down.Abs(down).Cmp(unit) >= 0 {
				t.Fatalf("down of %s misses by %s", drawn, down)
			}
			off := new(big.Rat).Sub(exact.RoundHalfUp(drawn, places).Rat(), drawn)
			away := off.Sign() * drawn.Sign()
			if size := off.Abs(off).Cmp(half); size > 0 || size == 0 && away < 0 {
				t.Fatalf("half up of %s misses by %s", drawn, off)
			}
		})
	})
}
