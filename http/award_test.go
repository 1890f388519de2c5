package http_test

import (
	"net/http"
	"testing"
)

func TestAwardDrawsFromPool(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		plan := f.plan(t, "2026 Plan", "1000").header.Get("Location")
		pool := f.pool(t, plan)
		id := f.must(t, "GET", plan, "", http.StatusOK).text(t, "id")
		ada := f.holder(t, "Ada")
		award := func(shares string) string {
			return `{"entity":"` + ada + `","security":"` + f.common + `","shares":"` + shares + `","issueDate":"2026-02-01","issuanceType":"restrictedStockAward",` +
				`"plan":"` + id + `","pool":"` + pool + `"}`
		}
		shares := f.home + "/shareholding"
		made := f.must(t, "POST", shares, award("600"), http.StatusCreated)
		path, held := made.header.Get("Location"), made.text(t, "id")
		run(t, []scenario{
			{claim: "an award names its plan and pool", as: f.client, method: "GET", path: path, status: 200, has: []string{`"plan":"` + id + `"`, `"pool":"` + pool + `"`}},
			{claim: "the award reduces the pool", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"exercised":"600"`, `"available":"400"`}},
			{claim: "an award beyond the available shares is refused with the figures", as: f.client, method: "POST", path: shares, body: award("401"), status: 409, has: []string{`"available":"400"`, `"requested":"401"`}},
			{claim: "an award is partly cancelled", as: f.client, method: "POST", path: path + "/cancel", body: `{"shares":"100","date":"2026-02-10","reason":"left"}`, status: 200},
			{claim: "the cancelled shares return to the pool", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"exercised":"500"`, `"cancelled":"100"`, `"returned":"100"`, `"available":"500"`}},
			{claim: "the pool of the previous day still counts all shares", as: f.client, method: "GET", path: plan + "?asOf=2026-02-09", status: 200, has: []string{`"exercised":"600"`, `"available":"400"`}},
			{claim: "the figure is explained by its shareholdings", as: f.client, method: "GET", path: f.home + "/explain?figure=pool/" + pool + "/exercised&asOf=2026-02-09", status: 200, has: []string{`"value":"600"`, held}},
		})
	})
}
