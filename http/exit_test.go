package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestPlanExitComputesProceedsWithoutRecording(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada Lovelace")
		f.Issue(t, ada, "800000")
		f.Must(t, "POST", f.Home+"/shareholding", `{"entity":"`+f.NewHolder(t, "Fund")+`","security":"`+
			f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"200000","price":"1","conversion":{"security":"`+f.Common+`","ratio":"1"}}`)+
			`","shares":"200000","issueDate":"2025-03-01"}`, http.StatusCreated)
		investor, guest := b.NewPerson(t, "investor@example.com"), b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, investor, "Investor")
		f.Join(t, f.Home, guest, "Guest")
		path := f.Home + "/scenario/exit"
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "proceeds follow seniority", As: f.Client, Method: "POST", Path: path, Status: 200,
				Body: `{"values":["500000","2000000"],"costRate":"0.02"}`,
				Has: []string{
					`"preference":"200000"`, `"value":"500000","costs":"10000"`, `"name":"Fund","amount":"200000","percent":"0.4081632653"`,
					`"value":"2000000","costs":"40000"`, `"pricePerShare":"1.96"`, `"converts":true`,
				},
			},
			{Claim: "an investor may plan an exit", As: investor, Method: "POST", Path: path, Body: `{"range":{"from":"1","to":"3","step":"1"}}`, Status: 200, Has: []string{`"value":"3"`}},
			{Claim: "a guest may not plan an exit", As: guest, Method: "POST", Path: path, Body: `{"values":["1"]}`, Status: 403},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: `{"values":[1,"-1"],"range":{"from":"1"},"costRate":"2","elections":[{}],"colour":1}`,
				Has: []string{
					"/values/0", "/values/1", "/range/to", "/range/step", "/costRate", "/elections/0/holding", "/elections/0/elects",
					"/colour",
				},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: `{"date":"2024-01-01","elections":[{"holding":"` + f.ID + `","elects":"` + f.ID + `"}]}`,
				Has:  []string{"/date", "beforeLast", "/values"},
			},
		})
		before := f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK).Body
		f.Must(t, "POST", path, `{"values":["1"]}`, http.StatusOK)
		if after := f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK).Body; after != before {
			t.Error("planning an exit changed the journal")
		}
	})
}
