package http_test

import (
	"fmt"
	"strconv"
	"testing"
)

func TestDashboardSummarizesTheCapTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		path := "/v1/captable/" + f.id + "/dashboard"
		for i := range 12 {
			held := f.issue(t, f.holder(t, fmt.Sprintf("Holder %02d", i)), strconv.Itoa(100-i))
			if i < 9 {
				f.must(t, "POST", held+"/accept", "", 200)
			}
		}
		f.issue(t, f.user.Entity.String(), "7", `"issueDate":"2026-02-01"`)
		f.issue(t, f.user.Entity.String(), "3", `"issueDate":"2026-02-01"`)
		got := f.must(t, "GET", path, "", 200)
		run(t, []scenario{
			{claim: "the dashboard has totals, counts and pending records", as: f.client, method: "GET", path: path, status: 200, has: []string{
				`"outstanding":"1144"`, `"counts":{"holders":13,"members":13,"securities":1,"shareholdings":14,"convertibles":0,"warrants":0,"waiting":2}`,
				`"own":[{"security":"` + f.common + `","name":"Common Stock","shares":"10","shareholdings":2}]`,
				`"waiting":[{"kind":"acceptance"`, `"name":"CS-13"`,
			}, lacks: []string{`"name":"CS-10"`}},
			{
				claim: "the dashboard of a past date", as: f.client, method: "GET", path: path + "?asOf=2026-01-31", status: 200,
				has: []string{`"outstanding":"1134"`, `"own":[]`, `"waiting":[]`},
			},
			{claim: "the dashboard of an earlier sequence", as: f.client, method: "GET", path: path + "?knownAt=3", status: 200, has: []string{`"outstanding":"0"`, `"sequence":3`}},
		})
		top, events := got.list(t, "topHolders"), got.list(t, "latestEvents")
		if first, _ := top[0].(map[string]any); len(top) != 10 || first["name"] != "Holder 00" || len(events) != 10 {
			t.Errorf("%d holders and %d events: %s", len(top), len(events), got.body)
		}
		f.must(t, "GET", path, "", 304, "If-None-Match", got.header.Get("ETag"))
	})
}

func TestDashboardListsOnlyTasksOfTheCaller(t *testing.T) { //nolint:tparallel // the steps build on each other
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	path := "/v1/captable/" + f.id + "/dashboard"
	employee, auditor := b.person(t, "employee@example.com"), b.person(t, "auditor@example.com")
	f.join(t, f.home, employee, "Guest")
	f.join(t, f.home, auditor, "Auditor")
	plan := f.plan(t, "Plan", "1000").header.Get("Location")
	grant := f.option(t, plan, employee.holder, "100", "")
	f.issueHolding(t, "safe", f.holder(t, "Zoe"), safeTerms)
	f.issue(t, f.holder(t, "Bob"), "10")
	run(t, []scenario{
		{
			claim: "a holder accepts a grant", as: employee, method: "GET", path: path, status: 200,
			has: []string{`"waiting":[{"kind":"grantAcceptance","id":"` + last(grant) + `","name":"nso"`, `"waiting":1`},
		},
		{claim: "holdings of others are no tasks of the owner", as: f.client, method: "GET", path: path, status: 200, has: []string{`"waiting":[]`, `"waiting":0`}},
	})
	f.must(t, "POST", "/v1/option/"+last(grant)+"/accept", "", 200)
	request := plan + "/pool/" + f.pool(t, plan) + "/option/" + last(grant) + "/exercise/request"
	employee.must(t, "POST", request, `{"quantity":"10","date":"2026-02-01"}`, 201)
	employee.must(t, "POST", request, `{"quantity":"5","date":"2026-02-02"}`, 201)
	run(t, []scenario{
		{
			claim: "an editor of the plan answers exercise requests", as: f.client, method: "GET", path: path, status: 200,
			has: []string{`"kind":"exerciseRequest","id":"` + last(grant) + `","name":"nso"`, `"since":"2026-02-01","request":"`, `"quantity":"10"`, `"quantity":"5"`, `"waiting":2`},
		},
		{claim: "an auditor has no tasks", as: auditor, method: "GET", path: path, status: 200, has: []string{`"waiting":[]`}},
		{claim: "a holder does not answer the own request", as: employee, method: "GET", path: path, status: 200, has: []string{`"waiting":[]`}},
		{claim: "a past day has no later requests", as: f.client, method: "GET", path: path + "?asOf=2026-01-31", status: 200, has: []string{`"waiting":[]`}},
	})
}
