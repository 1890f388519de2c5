package http_test

import (
	"net/http"
	"testing"

	equityhttp "equity/http"
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
		if got := equityhttp.Inert(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestDirectionMarksInNamesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	for _, sign := range []string{"\u202e", "\u2066", "\u200f", "\u061c"} {
		for path, body := range map[string]string{
			"/member": `{"fullName":"Ada` + sign + `ecalevoL"}`, "/legend": `{"name":"Act` + sign + `","text":"x"}`,
			"/security": `{"name":"Com` + sign + `mon","shareType":"common","authorizedShares":"1"}`,
			"/role":     `{"name":"Own` + sign + `er","permissions":["viewSelf"]}`,
		} {
			f.must(t, "POST", f.home+path, body, http.StatusBadRequest)
		}
	}
}
