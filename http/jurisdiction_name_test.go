package http_test

import "testing"

func TestOrganizationHasNameOfJurisdiction(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for code, want := range map[string]string{"US-DE": "Delaware", "GB": "United Kingdom", "DE-BE": "Germany"} {
		changed := f.must(t, "PATCH", f.home, `{"jurisdiction":"`+code+`"}`, 200)
		if got := changed.text(t, "jurisdictionName"); got != want {
			t.Errorf("%s has the name %q, want %q", code, got, want)
		}
	}
}
