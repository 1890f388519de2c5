package calc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

// calculated returns the answer to a round.
func calculated(t *testing.T, input []byte) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := calc.Calculate("round", bytes.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return read(t, out.Bytes()).(map[string]any)
}

func TestPublishedRounds(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t, "captable/conversion/testdata/priced_rounds.json") {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			got, want := calculated(t, c.input), c.expect.(map[string]any)
			holds(t, "/exact", got["exact"], want["exact"])
			if rounded, ok := want["rounded_by_source_library"]; ok {
				agrees(t, "/rounded", got["rounded_by_source_library"], rounded)
			}
		})
	}
}

func TestPublishedRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t, "captable/conversion/testdata/refusals.json") {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			holds(t, "", calculated(t, c.input), c.expect)
		})
	}
}

// agrees is like holds for sources with binary floating point: fractions must agree
// to 15 digits.
func agrees(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		for name, value := range want {
			agrees(t, at+"/"+name, got.(map[string]any)[name], value)
		}
	case []any:
		for i, value := range want {
			agrees(t, at+"/item", got.([]any)[i], value)
		}
	default:
		a, okA := new(big.Rat).SetString(fmt.Sprint(got))
		b, okB := new(big.Rat).SetString(fmt.Sprint(want))
		if !okA || !okB {
			holds(t, at, got, want)
			return
		}
		off := new(big.Rat).Sub(a, b)
		if off.Abs(off).Cmp(b.Abs(b).Mul(b, big.NewRat(1, 1e15))) > 0 {
			t.Errorf("%s: got %v, want %v", at, got, want)
		}
	}
}

func TestInvalidRoundsAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ input, why string }{
		"fixed percentages of everything": {
			`{"company": {"common": 1}, "convertibles": [{"id": "A", "amount": 1, "fixed_percent": "0.6"}, {"id": "B", "amount": 1, "fixed_percent": "0.4"}],
			"round": {"pre_money": "1000"}}`, "no round meets all its terms",
		},
		"no price":              {`{"company": {"common": 1}, "round": {}}`, "/preMoney: "},
		"an unknown convention": {`{"company": {"common": 1}, "round": {"pre_money": 1, "convention": "fair"}}`, "/convention: "},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got := calculated(t, []byte(c.input))
			if why, _ := got["why"].(string); got["refused"] != true || !strings.HasPrefix(why, c.why) {
				t.Errorf("got %v, want a refusal that begins with %q", got, c.why)
			}
		})
	}
}

func TestRoundIsExplained(t *testing.T) {
	t.Parallel()
	got := calculated(t, []byte(`{"company": {"common": 8}, "round": {"post_money": "15", "new_money": [{"id": "N", "amount": 3}]}}`))
	equal(t, "lines", len(got["explanation"].([]any)), 6)
	equal(t, "price", got["exact"].(map[string]any)["price"], "1.5")
}

func TestProRataRightsInARound(t *testing.T) {
	t.Parallel()
	got := calculated(t, []byte(`{"company": {"common": 10}, "round": {"price_per_share": "1", "new_money": [{"id": "N", "amount": 10}],
		"pro_rata": [{"id": "F", "shares": 4}]}}`))
	holds(t, "", got["exact"].(map[string]any)["new_money"], []any{
		map[string]any{"id": "N", "shares": "6", "ownership": "0.3"}, map[string]any{"id": "F", "shares": "4", "ownership": "0.2"},
	})
}

func TestCaseWithoutRoundIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	for convertible, why := range map[string]string{
		`"amount": "8000000", "cap": "8000000"`:                     "investment must be less than the cap",
		`"amount": "8000000", "cap": "8000000", "cap_basis": "pre"`: "investment must be less than the cap",
		`"amount": "1", "discount": "1"`:                            "discount must be below 1",
		`"amount": "0", "cap": "8000000"`:                           "/convertibles/0/amount: What converts is more than nothing.",
	} {
		for _, round := range []string{`, "round": null`, ``} {
			got := answer(t, "round", `{"company": {"common": 10000000}, "convertibles": [{"id": "A", `+convertible+`}]`+round+`}`)
			if want := `"refused": true`; !strings.Contains(got, want) || !strings.Contains(got, strings.Split(why, ":")[0]) {
				t.Errorf("%s%s: got %s, want it refused: %s", convertible, round, got, why)
			}
		}
	}
}

func TestValidCaseWithoutRoundIsUnusable(t *testing.T) {
	t.Parallel()
	err := calc.Calculate("round", strings.NewReader(`{"company": {"common": 10}, "convertibles": [{"id": "A", "amount": "1", "cap": "8"}]}`), io.Discard)
	if !errors.Is(err, calc.ErrUnusable) {
		t.Errorf("got %v", err)
	}
}
