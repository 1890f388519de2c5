package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestAwardDrawsFromPool(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		plan := f.NewPlan(t, "2026 Plan", "1000").Header.Get("Location")
		pool := f.FirstPool(t, plan)
		id := f.Must(t, "GET", plan, "", http.StatusOK).Text(t, "id")
		ada := f.NewHolder(t, "Ada")
		award := func(shares string) string {
			return `{"entity":"` + ada + `","security":"` + f.Common + `","shares":"` + shares + `","issueDate":"2026-02-01","issuanceType":"restrictedStockAward",` +
				`"plan":"` + id + `","pool":"` + pool + `"}`
		}
		shares := f.Home + "/shareholding"
		made := f.Must(t, "POST", shares, award("600"), http.StatusCreated)
		path, held := made.Header.Get("Location"), made.Text(t, "id")
		apitest.Run(t, []apitest.Scenario{
			{Claim: "an award names its plan and pool", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{`"plan":"` + id + `"`, `"pool":"` + pool + `"`}},
			{Claim: "the award reduces the pool", As: f.Client, Method: "GET", Path: plan, Status: 200, Has: []string{`"exercised":"600"`, `"available":"400"`}},
			{Claim: "an award beyond the available shares is refused with the figures", As: f.Client, Method: "POST", Path: shares, Body: award("401"), Status: 409, Has: []string{`"available":"400"`, `"requested":"401"`}},
			{Claim: "an award is partly cancelled", As: f.Client, Method: "POST", Path: path + "/cancel", Body: `{"shares":"100","date":"2026-02-10","reason":"left"}`, Status: 200},
			{Claim: "the cancelled shares return to the pool", As: f.Client, Method: "GET", Path: plan, Status: 200, Has: []string{`"exercised":"500"`, `"cancelled":"100"`, `"returned":"100"`, `"available":"500"`}},
			{Claim: "the pool of the previous day still counts all shares", As: f.Client, Method: "GET", Path: plan + "?asOf=2026-02-09", Status: 200, Has: []string{`"exercised":"600"`, `"available":"400"`}},
			{Claim: "the figure is explained by its shareholdings", As: f.Client, Method: "GET", Path: f.Home + "/explain?figure=pool/" + pool + "/exercised&asOf=2026-02-09", Status: 200, Has: []string{`"value":"600"`, held}},
		})
	})
}
