package http_test

import (
	"net/http"
	"testing"
)

func TestAwards(t *testing.T) {
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
			{claim: "it says where it came out of", as: f.client, method: "GET", path: path, status: 200, has: []string{`"plan":"` + id + `"`, `"pool":"` + pool + `"`}},
			{claim: "the pool has as much less", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"exercised":"600"`, `"available":"400"`}},
			{claim: "more than is left is refused with the figures", as: f.client, method: "POST", path: shares, body: award("401"), status: 409, has: []string{`"available":"400"`, `"requested":"401"`}},
			{claim: "given up it goes back", as: f.client, method: "POST", path: path + "/cancel", body: `{"shares":"100","date":"2026-02-10","reason":"left"}`, status: 200},
			{claim: "a part as a part", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"exercised":"500"`, `"cancelled":"100"`, `"returned":"100"`, `"available":"500"`}},
			{claim: "the day before it was there", as: f.client, method: "GET", path: plan + "?asOf=2026-02-09", status: 200, has: []string{`"exercised":"600"`, `"available":"400"`}},
			{claim: "and the figure is explained by its shares", as: f.client, method: "GET", path: f.home + "/explain?figure=pool/" + pool + "/exercised&asOf=2026-02-09", status: 200, has: []string{`"value":"600"`, held}},
		})
	})
}
