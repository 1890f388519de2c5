package http_test

import (
	"testing"

	"equity/http/apitest"
)

func TestPlanRepricingLowersExercisePrices(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		plan := f.NewPlan(t, "Plan", "100").Header.Get("Location")
		ada, bob := f.GrantOption(t, plan, f.NewHolder(t, "Ada"), "10", ""), f.GrantOption(t, plan, f.NewHolder(t, "Bob"), "20", "")
		path, body := plan+"/reprice", `{"exercisePrice":"0.1","date":"2026-02-01","reason":"Down round."}`
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a dry run lists the affected options", As: f.Client, Method: "POST", Path: path + "?dryRun=true", Body: body, Status: 200, Has: []string{`"dryRun":true`, `"optionRepriced"`, apitest.IDOf(ada), apitest.IDOf(bob)}},
			{
				Claim: "a single option is repriced", As: f.Client, Method: "POST", Path: path, Status: 200,
				Body: `{"exercisePrice":"0.2","date":"2026-02-01","options":["` + apitest.IDOf(bob) + `"]}`,
				Has:  []string{apitest.IDOf(bob), `"outstanding":"20","from":"0.25","to":"0.2"`}, Lacks: []string{apitest.IDOf(ada)},
			},
			{Claim: "all options are repriced by default", As: f.Client, Method: "POST", Path: path, Body: body, Status: 200, Has: []string{`"from":"0.25","to":"0.1"`, `"from":"0.2","to":"0.1"`}},
			{Claim: "a repricing to the same price is refused", As: f.Client, Method: "POST", Path: path, Body: body, Status: 409, Has: []string{`"exercisePrice":"0.1"`}},
			{Claim: "a past date has the old price", As: f.Client, Method: "GET", Path: ada + "?asOf=2026-01-31", Status: 200, Has: []string{`"exercisePrice":"0.25"`}},
			{Claim: "the current price is the new price", As: f.Client, Method: "GET", Path: ada, Status: 200, Has: []string{`"exercisePrice":"0.1"`}},
			{Claim: "the cap table counts the options", As: f.Client, Method: "GET", Path: f.Home + "/captable", Status: 200, Has: []string{`"options":"30"`, `"available":"70"`}},
			{Claim: "the pool report counts the options", As: f.Client, Method: "GET", Path: "/v1/captable/" + f.ID + "/pool", Status: 200, Has: []string{`"granted":"30","outstanding":"30"`}},
			{Claim: "a plan with grants cannot be deleted", As: f.Client, Method: "DELETE", Path: plan, Status: 409, Has: []string{`"inUse"`, `"granted":"30"`, `"outstanding":"30"`}},
		})
	})
}
