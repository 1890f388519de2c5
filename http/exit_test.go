package http_test

import (
	"net/http"
	"testing"
)

func TestPlanExitComputesProceedsWithoutRecording(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada Lovelace")
		f.issue(t, ada, "800000")
		f.must(t, "POST", f.home+"/shareholding", `{"entity":"`+f.holder(t, "Fund")+`","security":"`+
			f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"200000","price":"1","conversion":{"security":"`+f.common+`","ratio":"1"}}`)+
			`","shares":"200000","issueDate":"2025-03-01"}`, http.StatusCreated)
		investor, guest := b.person(t, "investor@example.com"), b.person(t, "guest@example.com")
		f.join(t, f.home, investor, "Investor")
		f.join(t, f.home, guest, "Guest")
		path := f.home + "/scenario/exit"
		run(t, []scenario{
			{
				claim: "proceeds follow seniority", as: f.client, method: "POST", path: path, status: 200,
				body: `{"values":["500000","2000000"],"costRate":"0.02"}`,
				has: []string{
					`"preference":"200000"`, `"value":"500000","costs":"10000"`, `"name":"Fund","amount":"200000","percent":"0.4081632653"`,
					`"value":"2000000","costs":"40000"`, `"pricePerShare":"1.96"`, `"converts":true`,
				},
			},
			{claim: "an investor may plan an exit", as: investor, method: "POST", path: path, body: `{"range":{"from":"1","to":"3","step":"1"}}`, status: 200, has: []string{`"value":"3"`}},
			{claim: "a guest may not plan an exit", as: guest, method: "POST", path: path, body: `{"values":["1"]}`, status: 403},
			{
				claim: "every malformed field is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"values":[1,"-1"],"range":{"from":"1"},"costRate":"2","elections":[{}],"colour":1}`,
				has: []string{
					"/values/0", "/values/1", "/range/to", "/range/step", "/costRate", "/elections/0/holding", "/elections/0/elects",
					"/colour",
				},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"date":"2024-01-01","elections":[{"holding":"` + f.id + `","elects":"` + f.id + `"}]}`,
				has:  []string{"/date", "beforeLast", "/values"},
			},
		})
		before := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body
		f.must(t, "POST", path, `{"values":["1"]}`, http.StatusOK)
		if after := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body; after != before {
			t.Error("planning an exit changed the journal")
		}
	})
}
