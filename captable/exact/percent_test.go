package exact_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
)

func TestPercentages(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ parts, want []string }{
		"of nothing are nothing":               {nil, nil},
		"of zeros are zeros":                   {[]string{"0", "0"}, []string{"0", "0"}},
		"of one part are all":                  {[]string{"7"}, []string{"1"}},
		"come out even":                        {[]string{"1", "3"}, []string{"0.25", "0.75"}},
		"give ties to the earlier part":        {[]string{"1", "1", "1"}, []string{"0.3333333334", "0.3333333333", "0.3333333333"}},
		"give the largest remainder the rest":  {[]string{"1", "2"}, []string{"0.3333333333", "0.6666666667"}},
		"give a part of zero nothing":          {[]string{"0", "1", "1", "1", "0"}, []string{"0", "0.3333333334", "0.3333333333", "0.3333333333", "0"}},
		"of fractions are those of wholes":     {[]string{"0.5", "1.5"}, []string{"0.25", "0.75"}},
		"of the tiny beside the huge are none": {[]string{"9999999999999999999", "0.0000000001"}, []string{"1", "0"}},
		"share out several missing units": {
			[]string{"1", "1", "1", "1", "1", "1", "1"},
			[]string{"0.1428571429", "0.1428571429", "0.1428571429", "0.1428571429", "0.1428571428", "0.1428571428", "0.1428571428"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			var parts []exact.Decimal
			for _, part := range c.parts {
				parts = append(parts, number(part))
			}
			var got []string
			for _, fraction := range exact.Percentages(parts) {
				got = append(got, fraction.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestPercentagesSum(t *testing.T) {
	t.Parallel()
	t.Run("percentages sum to exactly 1, each within one unit of the last place", func(t *testing.T) {
		t.Parallel()
		quantities := rapid.Custom(func(t *rapid.T) exact.Decimal {
			return exact.MustDecimal(rapid.StringMatching(`[0-9]{1,19}(\.[0-9]{1,10})?`).Draw(t, "quantity"))
		})
		unit := number("0.0000000001").Rat()
		rapid.Check(t, func(t *rapid.T) {
			parts := rapid.SliceOfN(quantities, 1, 60).Draw(t, "parts")
			total := exact.Decimal{}
			for _, part := range parts {
				total = total.Add(part)
			}
			sum := exact.Decimal{}
			for i, fraction := range exact.Percentages(parts) {
				sum = sum.Add(fraction)
				if total.IsZero() {
					continue
				}
				off := new(big.Rat).Sub(fraction.Rat(), new(big.Rat).Quo(parts[i].Rat(), total.Rat()))
				if off.Abs(off).Cmp(unit) >= 0 {
					t.Fatalf("%s of %s is not %s", parts[i], total, fraction)
				}
			}
			if want := (map[bool]string{true: "0", false: "1"})[total.IsZero()]; sum.String() != want {
				t.Fatalf("the sum is %s", sum)
			}
		})
	})
}
