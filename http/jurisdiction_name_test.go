package http_test

import (
	"testing"

	"equity/http/apitest"
)

func TestOrganizationHasNameOfJurisdiction(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for code, want := range map[string]string{"US-DE": "Delaware", "GB": "United Kingdom", "DE-BE": "Germany"} {
		changed := f.Must(t, "PATCH", f.Home, `{"jurisdiction":"`+code+`"}`, 200)
		if got := changed.Text(t, "jurisdictionName"); got != want {
			t.Errorf("%s has the name %q, want %q", code, got, want)
		}
	}
}
