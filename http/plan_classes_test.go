package http_test

import (
	"fmt"
	"net/http"
	"testing"

	"equity/http/apitest"
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

// checkReserved checks the pool and the reserved shares of both classes of an imported plan.
func checkReserved(t *testing.T, f *apitest.Firm, claim, pool, common, preferred string) {
	t.Helper()
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: claim + ": the pool counts both classes", As: f.Client, Method: "GET", Path: "/v1/captable/" + f.ID + "/pool",
			Status: 200, Has: []string{pool},
		},
		{Claim: claim + ": the list of plans agrees", As: f.Client, Method: "GET", Path: f.Home + "/plan", Status: 200, Has: []string{pool}},
		{
			Claim: claim + ": each class reserves its grants", As: f.Client, Method: "GET", Path: f.Home + "/security", Status: 200,
			Has: []string{`"reserved":"` + common + `"`, `"reserved":"` + preferred + `"`},
		},
	})
}

func TestPlanWithSeveralClassesSurvivesAnExchange(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := firmWithoutClass(t, b, "owner@example.com")
		zipped := []string{"Content-Type", "application/zip"}
		f.Must(t, "POST", f.Home+"/import", severalClasses(t).zip(t), http.StatusCreated, zipped...)
		const granted = `"granted":"70","outstanding":"70","exercised":"0","cancelled":"0","returned":"0","available":"30"`
		checkReserved(t, f, "imported", granted, "100", "20")

		options := f.Must(t, "GET", f.Home+"/option", "", http.StatusOK).List(t, "data")
		for _, of := range options {
			option, _ := of.(map[string]any)
			if option["quantity"] == "20" {
				path := fmt.Sprintf("/v1/plan/%s/pool/%s/option/%s/exercise", option["plan"], option["pool"], option["id"])
				f.Must(t, "POST", path, `{"quantity":"5","date":"2024-03-01"}`, http.StatusCreated)
			}
		}
		const exercised = `"granted":"70","outstanding":"65","exercised":"5","cancelled":"0","returned":"0","available":"30"`
		checkReserved(t, f, "exercised", exercised, "95", "15")

		archive := f.Must(t, "GET", f.Home+"/captable?format=ocf", "", http.StatusOK).Body
		again := firmWithoutClass(t, b, "again@example.com")
		again.Must(t, "POST", again.Home+"/import", archive, http.StatusCreated, zipped...)
		checkReserved(t, again, "imported again", exercised, "95", "15")
	})
}
