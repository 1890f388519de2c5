package http_test

import (
	"net/http"
	"strings"
	"testing"
)

//nolint:tparallel // one scenario builds on another
func TestDaysBeforeTheirRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada := f.holder(t, "Ada")
	f.issue(t, ada, "800000")
	path := f.home + "/scenario/round"
	terms := `{"date":"2026-02-20","preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"security":{"name":"Series A"}`
	confirm := f.must(t, "POST", path, terms+"}", http.StatusOK).text(t, "confirm")
	f.must(t, "POST", path+"/close", terms+`,"confirm":"`+confirm+`"}`, http.StatusCreated)
	plan := f.must(t, "POST", f.home+"/plan", `{"name":"Plan","boardApprovalDate":"2026-02-01","pools":[{"name":"Main","security":"`+f.common+
		`","totalShares":"1000","strikePrice":"0.25"}]}`, http.StatusCreated).header.Get("Location")
	grant := func(day string) string {
		return strings.Replace(f.optionBody(t, plan, ada, "10", ""), "2026-01-01", day, 1)
	}
	split := f.home + "/security/" + f.common + "/split"
	run(t, []scenario{
		{
			claim: "a class made by a round is not in the table before it", as: f.client, method: "GET",
			path: f.home + "/captable?asOf=2026-02-19", status: 200, lacks: []string{"Series A"},
		},
		{
			claim: "nor among the securities", as: f.client, method: "GET", path: f.home + "/security?asOf=2026-02-19", status: 200,
			lacks: []string{"Series A"},
		},
		{
			claim: "it is from the day of the round", as: f.client, method: "GET", path: f.home + "/captable?asOf=2026-02-20", status: 200,
			has: []string{"Series A"},
		},
		{claim: "a grant before the approval is refused for that reason", as: f.client, method: "POST", path: "/v1/holding", body: grant("2026-01-31"), status: 409, has: []string{"not approved yet", `"beforeApproval"`, `"approvedFrom":"2026-02-01"`}},
		{claim: "a grant on its day is made", as: f.client, method: "POST", path: "/v1/holding", body: grant("2026-02-10"), status: 201},
		{claim: "the dashboard of the day before does not count it", as: f.client, method: "GET", path: plan + "/dashboard?asOf=2026-02-09", status: 200, has: []string{`"grants":0`}},
		{claim: "that of its day does", as: f.client, method: "GET", path: plan + "/dashboard?asOf=2026-02-10", status: 200, has: []string{`"grants":1`}},
		{claim: "a split with a ratio of one is refused", as: f.client, method: "POST", path: split, body: `{"numerator":"3","denominator":"3","date":"2026-02-25"}`, status: 400, has: []string{"sameRatio"}},
	})
}
