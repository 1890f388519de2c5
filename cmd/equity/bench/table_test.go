package bench_test

import (
	"strings"
	"testing"

	"equity/cmd/equity/bench"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{5}, 5},
		{[]float64{9, 1, 5}, 5},
		{[]float64{1, 100, 2, 3, 1000}, 3},
		{[]float64{4, 2}, 3},
		{[]float64{8, 1, 4, 2}, 3},
	} {
		if got := bench.Median(test.values...); got != test.want {
			t.Errorf("median of %v is %v, want %v", test.values, got, test.want)
		}
	}
	values := []float64{3, 1, 2}
	bench.Median(values...)
	if values[0] != 3 {
		t.Error("the values were put into another order")
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := bench.PrintTable(&out, []float64{3000, 1, 2500}, []float64{500, 90_000, 100}, 1.177); err != nil {
		t.Fatal(err)
	}
	want := `measured  ours   against  unit        ratio  reach  note
compared  2500   500.0    requests/s  5.00×  ≥ 2×   
alone     1.177           KB                 ≤ 1.5  noted
`
	if got := out.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}
