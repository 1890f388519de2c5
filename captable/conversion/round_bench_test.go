package conversion_test

import (
	"math/big"
	"strconv"
	"testing"

	"equity/captable/conversion"
)

// BenchmarkFiftyConvertibles solves a round with fifty different instruments.
func BenchmarkFiftyConvertibles(b *testing.B) {
	r := priced("40000000")
	r.Company = conversion.Company{Common: whole(9_000_001), OptionsGranted: whole(250_003), PoolAvailable: whole(700_007)}
	r.NewMoney = []conversion.Investment{{ID: "N", Amount: number("10000000.01")}}
	r.Pool.Target = number("0.1")
	for i := range int64(50) {
		c := conversion.Convertible{
			ID: strconv.Itoa(int(i)), Amount: big.NewRat(10_000_000+i*7919, 365), Cap: whole(5_000_011 + i*1_300_021),
			Discount: number("0." + strconv.Itoa(int(10+i%15))),
		}
		if i%3 == 0 {
			c.CapBasis = conversion.PreMoney
		}
		r.Convertibles = append(r.Convertibles, c)
	}
	for b.Loop() {
		if _, err := r.Solve(); err != nil {
			b.Fatal(err)
		}
	}
}
