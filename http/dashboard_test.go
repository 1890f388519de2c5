package http_test

import (
	"fmt"
	"strconv"
	"testing"

	"equity/http/apitest"
)

func TestDashboardSummarizesTheCapTable(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		path := "/v1/captable/" + f.ID + "/dashboard"
		for i := range 12 {
			held := f.Issue(t, f.NewHolder(t, fmt.Sprintf("Holder %02d", i)), strconv.Itoa(100-i))
			if i < 9 {
				f.Must(t, "POST", held+"/accept", "", 200)
			}
		}
		f.Issue(t, f.User.Entity.String(), "7", `"issueDate":"2026-02-01"`)
		f.Issue(t, f.User.Entity.String(), "3", `"issueDate":"2026-02-01"`)
		got := f.Must(t, "GET", path, "", 200)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "the dashboard has totals, counts and pending records", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{
				`"outstanding":"1144"`, `"counts":{"holders":13,"members":13,"securities":1,"shareholdings":14,"convertibles":0,"warrants":0,"waiting":2}`,
				`"own":[{"security":"` + f.Common + `","name":"Common Stock","shares":"10","shareholdings":2}]`,
				`"waiting":[{"kind":"acceptance"`, `"name":"CS-13"`,
			}, Lacks: []string{`"name":"CS-10"`}},
			{
				Claim: "the dashboard of a past date", As: f.Client, Method: "GET", Path: path + "?asOf=2026-01-31", Status: 200,
				Has: []string{`"outstanding":"1134"`, `"own":[]`, `"waiting":[]`},
			},
			{Claim: "the dashboard of an earlier sequence", As: f.Client, Method: "GET", Path: path + "?knownAt=3", Status: 200, Has: []string{`"outstanding":"0"`, `"sequence":3`}},
		})
		top, events := got.List(t, "topHolders"), got.List(t, "latestEvents")
		if first, _ := top[0].(map[string]any); len(top) != 10 || first["name"] != "Holder 00" || len(events) != 10 {
			t.Errorf("%d holders and %d events: %s", len(top), len(events), got.Body)
		}
		f.Must(t, "GET", path, "", 304, "If-None-Match", got.Header.Get("ETag"))
	})
}

func TestDashboardListsOnlyTasksOfTheCaller(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	path := "/v1/captable/" + f.ID + "/dashboard"
	employee, auditor := b.NewPerson(t, "employee@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, employee, "Guest")
	f.Join(t, f.Home, auditor, "Auditor")
	plan := f.NewPlan(t, "Plan", "1000").Header.Get("Location")
	grant := f.GrantOption(t, plan, employee.Holder, "100", "")
	f.IssueHolding(t, "safe", f.NewHolder(t, "Zoe"), apitest.SafeTerms)
	f.Issue(t, f.NewHolder(t, "Bob"), "10")
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a holder accepts a grant", As: employee, Method: "GET", Path: path, Status: 200,
			Has: []string{`"waiting":[{"kind":"grantAcceptance","id":"` + apitest.IDOf(grant) + `","name":"nso"`, `"waiting":1`},
		},
		{Claim: "holdings of others are no tasks of the owner", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{`"waiting":[]`, `"waiting":0`}},
	})
	f.Must(t, "POST", "/v1/option/"+apitest.IDOf(grant)+"/accept", "", 200)
	request := plan + "/pool/" + f.FirstPool(t, plan) + "/option/" + apitest.IDOf(grant) + "/exercise/request"
	employee.Must(t, "POST", request, `{"quantity":"10","date":"2026-02-01"}`, 201)
	employee.Must(t, "POST", request, `{"quantity":"5","date":"2026-02-02"}`, 201)
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "an editor of the plan answers exercise requests", As: f.Client, Method: "GET", Path: path, Status: 200,
			Has: []string{`"kind":"exerciseRequest","id":"` + apitest.IDOf(grant) + `","name":"nso"`, `"since":"2026-02-01","request":"`, `"quantity":"10"`, `"quantity":"5"`, `"waiting":2`},
		},
		{Claim: "an auditor has no tasks", As: auditor, Method: "GET", Path: path, Status: 200, Has: []string{`"waiting":[]`}},
		{Claim: "a holder does not answer the own request", As: employee, Method: "GET", Path: path, Status: 200, Has: []string{`"waiting":[]`}},
		{Claim: "a past day has no later requests", As: f.Client, Method: "GET", Path: path + "?asOf=2026-01-31", Status: 200, Has: []string{`"waiting":[]`}},
	})
}
