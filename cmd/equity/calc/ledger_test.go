package calc_test

import (
	"bytes"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

// The cases list only the relevant figures.
func TestPublishedLedgers(t *testing.T) {
	t.Parallel()
	for _, c := range cases(t, "captable/ledger/testdata/ledger.json") {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := calc.Calculate("ledger", bytes.NewReader(c.input), &out); err != nil {
				t.Fatal(err)
			}
			got := read(t, out.Bytes()).(map[string]any)
			for name, want := range c.expect.(map[string]any) {
				holds(t, "/"+name, got[name], want)
			}
		})
	}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	equal(t, "a refusal says where and why", answer(t, "ledger", `{"steps": [{"do": "authorize", "class": "C", "shares": 5}, {"do": "cancel", "security": "S"}]}`),
		`{ "refused_at": 1, "why": "There is no security \"S\"." }`)
	equal(t, "everything is printed", answer(t, "ledger", `{"steps": [{"do": "plan", "plan": "P", "reserved": "7.5", "default_cancellation_behavior": "RETURN_TO_POOL"},
		{"do": "authorize", "class": "C", "shares": 5}, {"do": "issue", "class": "C", "holder": "H", "shares": 4, "security": "S"},
		{"do": "split", "class": "C", "ratio": [3, 2]}]}`),
		`{ "authorized": 5, "issued": 6, "outstanding": 6, "issuable": 0, "holders": { "H": 6 }, "lots": { "H": [ 6 ] }, "ended": [], `+
			`"pools": { "P": { "reserved": "7.5", "available": "7.5" } } }`)
	t.Run("an invalid ledger cannot be used", func(t *testing.T) {
		t.Parallel()
		for _, input := range []string{`{}`, `{"steps": [{"do": "dance"}]}`, `{"steps": [{"do": "issue", "shares": "many"}]}`, `{"steps": {}}`} {
			if err := calc.Calculate("ledger", strings.NewReader(input), nil); err == nil {
				t.Errorf("%s was used", input)
			}
		}
	})
	t.Run("too many steps are refused", func(t *testing.T) {
		t.Parallel()
		equal(t, "answer", answer(t, "ledger", `{"steps": [{}`+strings.Repeat(`,{}`, 10_000)+`]}`),
			`{ "refused": true, "why": "a case has at most 10000 steps" }`)
	})
}
