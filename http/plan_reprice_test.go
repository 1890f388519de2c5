package http_test

import "testing"

func TestPlanRepricingLowersExercisePrices(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		plan := f.plan(t, "Plan", "100").header.Get("Location")
		ada, bob := f.option(t, plan, f.holder(t, "Ada"), "10", ""), f.option(t, plan, f.holder(t, "Bob"), "20", "")
		path, body := plan+"/reprice", `{"exercisePrice":"0.1","date":"2026-02-01","reason":"Down round."}`
		run(t, []scenario{
			{claim: "a dry run lists the affected options", as: f.client, method: "POST", path: path + "?dryRun=true", body: body, status: 200, has: []string{`"dryRun":true`, `"optionRepriced"`, last(ada), last(bob)}},
			{
				claim: "a single option is repriced", as: f.client, method: "POST", path: path, status: 200,
				body: `{"exercisePrice":"0.2","date":"2026-02-01","options":["` + last(bob) + `"]}`,
				has:  []string{last(bob), `"outstanding":"20","from":"0.25","to":"0.2"`}, lacks: []string{last(ada)},
			},
			{claim: "all options are repriced by default", as: f.client, method: "POST", path: path, body: body, status: 200, has: []string{`"from":"0.25","to":"0.1"`, `"from":"0.2","to":"0.1"`}},
			{claim: "a repricing to the same price is refused", as: f.client, method: "POST", path: path, body: body, status: 409, has: []string{`"exercisePrice":"0.1"`}},
			{claim: "a past date has the old price", as: f.client, method: "GET", path: ada + "?asOf=2026-01-31", status: 200, has: []string{`"exercisePrice":"0.25"`}},
			{claim: "the current price is the new price", as: f.client, method: "GET", path: ada, status: 200, has: []string{`"exercisePrice":"0.1"`}},
			{claim: "the cap table counts the options", as: f.client, method: "GET", path: f.home + "/captable", status: 200, has: []string{`"options":"30"`, `"available":"70"`}},
			{claim: "the pool report counts the options", as: f.client, method: "GET", path: "/v1/captable/" + f.id + "/pool", status: 200, has: []string{`"granted":"30","outstanding":"30"`}},
			{claim: "a plan with grants cannot be deleted", as: f.client, method: "DELETE", path: plan, status: 409, has: []string{`"inUse"`, `"granted":"30"`, `"outstanding":"30"`}},
		})
	})
}
