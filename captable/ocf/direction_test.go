package ocf_test

import (
	"strings"
	"testing"
)

func TestBidirectionalControlsInPackagesAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		change func(p *parcel)
		want   string
	}{
		"in the name of a stakeholder": {func(p *parcel) {
			p.stakeholders[0] = strings.Replace(p.stakeholders[0], "Ada Lovelace", "Ada \u202eecalevoL", 1)
		}, "STAKEHOLDER/ada/name/legal_name bidirectionalControl"},
		"written as an escape": {func(p *parcel) {
			p.classes[0] = strings.Replace(p.classes[0], `"name":"COMMON"`, `"name":"COM\u202eMON"`, 1)
		}, "STOCK_CLASS/common/name bidirectionalControl"},
		"in a list": {func(p *parcel) {
			p.legends[0] = strings.Replace(p.legends[0], `"name":"Act"`, `"name":"Act","comments":["a\u2066b"]`, 1)
		}, "STOCK_LEGEND_TEMPLATE/act/comments bidirectionalControl"},
		"in the name of the issuer": {func(p *parcel) {
			p.limited("UNLIMITED")
			p.manifest = strings.Replace(p.manifest, "Acme Inc.", "Acme\u202d Inc.", 1)
		}, "ISSUER/acme/legal_name bidirectionalControl"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			c.change(p)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), []string{c.want})
		})
	}
}
