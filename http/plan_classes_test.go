package http_test

import (
	"fmt"
	"net/http"
	"testing"
)

// severalClasses returns a package with a plan on common and preferred stock, and a grant of each.
func severalClasses(t *testing.T) ocfPackage {
	t.Helper()
	grant := func(id, class, quantity string) string {
		return `,{"id":"g-` + id + `","object_type":"TX_EQUITY_COMPENSATION_ISSUANCE","date":"2024-02-01","security_id":"` + id + `","custom_id":"` + id +
			`","stakeholder_id":"ada","stock_plan_id":"plan","stock_class_id":"` + class + `","compensation_type":"OPTION_NSO","quantity":"` + quantity +
			`","exercise_price":{"amount":"0.10","currency":"USD"},"expiration_date":null,"termination_exercise_windows":[],"security_law_exemptions":[]}`
	}
	p := validPackage().
		with(t, `"votes_per_share":"1","seniority":"1"}]`, `"votes_per_share":"1","seniority":"1"},
			{"id":"preferred","object_type":"STOCK_CLASS","name":"Preferred","class_type":"PREFERRED","default_id_prefix":"PS-",
			 "initial_shares_authorized":"500","votes_per_share":"1","seniority":"1"}]`).
		with(t, `"security_law_exemptions":[]}]}`, `"security_law_exemptions":[]}`+grant("c1", "common", "50")+grant("p1", "preferred", "20")+`]}`).
		with(t, `"stock_plans_files":[]`, `"stock_plans_files":[{"filepath":"./StockPlans.ocf.json","md5":"00000000000000000000000000000000"}]`)
	p["StockPlans.ocf.json"] = `{"file_type":"OCF_STOCK_PLANS_FILE","items":[{"id":"plan","object_type":"STOCK_PLAN","plan_name":"Plan",
		"board_approval_date":"2024-01-15","initial_shares_reserved":"100","stock_class_ids":["common","preferred"]}]}`
	return p
}

// reserved checks the pool and the reserved shares of both classes of an imported plan.
func (f *firm) reserved(t *testing.T, claim, pool, common, preferred string) {
	t.Helper()
	run(t, []scenario{
		{
			claim: claim + ": the pool counts both classes", as: f.client, method: "GET", path: "/v1/captable/" + f.id + "/pool",
			status: 200, has: []string{pool},
		},
		{claim: claim + ": the list of plans agrees", as: f.client, method: "GET", path: f.home + "/plan", status: 200, has: []string{pool}},
		{
			claim: claim + ": each class reserves its grants", as: f.client, method: "GET", path: f.home + "/security", status: 200,
			has: []string{`"reserved":"` + common + `"`, `"reserved":"` + preferred + `"`},
		},
	})
}

func TestPlanWithSeveralClassesSurvivesAnExchange(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.empty(t, "owner@example.com")
		zipped := []string{"Content-Type", "application/zip"}
		f.must(t, "POST", f.home+"/import", severalClasses(t).zip(t), http.StatusCreated, zipped...)
		const granted = `"granted":"70","outstanding":"70","exercised":"0","cancelled":"0","returned":"0","available":"30"`
		f.reserved(t, "imported", granted, "100", "20")

		options := f.must(t, "GET", f.home+"/option", "", http.StatusOK).list(t, "data")
		for _, of := range options {
			option, _ := of.(map[string]any)
			if option["quantity"] == "20" {
				path := fmt.Sprintf("/v1/plan/%s/pool/%s/option/%s/exercise", option["plan"], option["pool"], option["id"])
				f.must(t, "POST", path, `{"quantity":"5","date":"2024-03-01"}`, http.StatusCreated)
			}
		}
		const exercised = `"granted":"70","outstanding":"65","exercised":"5","cancelled":"0","returned":"0","available":"30"`
		f.reserved(t, "exercised", exercised, "95", "15")

		archive := f.must(t, "GET", f.home+"/captable?format=ocf", "", http.StatusOK).body
		again := b.empty(t, "again@example.com")
		again.must(t, "POST", again.home+"/import", archive, http.StatusCreated, zipped...)
		again.reserved(t, "imported again", exercised, "95", "15")
	})
}
