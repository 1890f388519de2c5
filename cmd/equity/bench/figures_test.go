package bench_test

import (
	"testing"

	"equity/cmd/equity/bench"
)

func TestWhatIsComputedIsMeasured(t *testing.T) {
	t.Parallel()
	figures, err := bench.Computed(80, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, what := range []string{
		"cap table of 80 holders and 40 grants, of a past day against today's", "1,000 grants of 48 instalments, projected",
		"round with 50 convertibles, solved", "the same over 80 holders", "round with 2000 convertibles, solved",
		"cap table, with 4 times the history", "pools, with 4 times the history",
		"round, with 4 times the history", "sale, with 4 times the history", "grant, decided, with 4 times the history",
		"issue, decided, with 4 times the history",
	} {
		if i >= len(figures) || figures[i].What != what {
			t.Fatalf("%s is missing in %v", what, figures)
		}
		if figures[i].Ours <= 0 {
			t.Errorf("%+v", figures[i])
		}
	}
}
