package equity_test

import (
	"testing"

	"equity/http/equity"
)

func TestCSVCellsAreNeverFormulas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ada":              "Ada",
		"Ada-Marie + Sons": "Ada-Marie + Sons",
		"=1+1":             "'=1+1",
		"Ada;=1+1":         "Ada;'=1+1",
		"Ada; =1+1":        "Ada; '=1+1",
		"Ada\t@x":          "Ada\t'@x",
		"Ada\n-1":          "Ada\n'-1",
		"Ada\"=1":          "Ada\"'=1",
		"Ada,+1;＝2":        "Ada,'+1;'＝2",
		"\tAda":            "'\tAda",
	} {
		if got := equity.Inert(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
