package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestDirectionMarksInNamesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	for _, sign := range []string{"\u202e", "\u2066", "\u200f", "\u061c"} {
		for path, body := range map[string]string{
			"/member": `{"fullName":"Ada` + sign + `ecalevoL"}`, "/legend": `{"name":"Act` + sign + `","text":"x"}`,
			"/security": `{"name":"Com` + sign + `mon","shareType":"common","authorizedShares":"1"}`,
			"/role":     `{"name":"Own` + sign + `er","permissions":["viewSelf"]}`,
		} {
			f.Must(t, "POST", f.Home+path, body, http.StatusBadRequest)
		}
	}
}
