package jurisdiction_test

import (
	"strings"
	"testing"

	"equity/organization/jurisdiction"
)

func TestNamesOfPlaces(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"US-DE": "Delaware", "US-DC": "the District of Columbia", "CA-ON": "Ontario", "GB-SCT": "Scotland",
		"GB": "the United Kingdom", "US": "the United States", "NL": "the Netherlands", "KY": "the Cayman Islands", "PH": "the Philippines",
		"DE": "Germany", "HK": "Hong Kong", "DE-BE": "Germany", "US-ZZ": "the United States",
		"Delaware": "Delaware", "State of Delaware": "State of Delaware", "": "", "ZZ": "ZZ", "XX-YY": "XX-YY", "Co-op": "Co-op",
		"de": "de", "EU": "EU",
	} {
		if got := jurisdiction.Name(code); got != want {
			t.Errorf("the name of %q is %q instead of %q", code, got, want)
		}
	}
}

func TestAllStatesAndProvincesHaveNames(t *testing.T) {
	t.Parallel()
	const states = "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT " +
		"VA WA WV WI WY DC PR"
	const provinces = "AB BC MB NB NL NS NT NU ON PE QC SK YT"
	seen := map[string]bool{"the United States": true, "Canada": true}
	for country, codes := range map[string]string{"US-": states, "CA-": provinces} {
		for code := range strings.FieldsSeq(codes) {
			name := jurisdiction.Name(country + code)
			if seen[name] {
				t.Errorf("%s%s has the name %q of another place", country, code, name)
			}
			seen[name] = true
		}
	}
	if codes := jurisdiction.States(); len(codes) != 50 || codes["West Virginia"] != "US-WV" {
		t.Errorf("there are %d states: %v", len(codes), codes)
	}
}
