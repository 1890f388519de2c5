package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestDaysBeforeTheirRecords(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada := f.NewHolder(t, "Ada")
	f.Issue(t, ada, "800000")
	path := f.Home + "/scenario/round"
	terms := `{"date":"2026-02-20","preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"security":{"name":"Series A"}`
	confirm := f.Must(t, "POST", path, terms+"}", http.StatusOK).Text(t, "confirm")
	f.Must(t, "POST", path+"/close", terms+`,"confirm":"`+confirm+`"}`, http.StatusCreated)
	plan := f.Must(t, "POST", f.Home+"/plan", `{"name":"Plan","boardApprovalDate":"2026-02-01","pools":[{"name":"Main","security":"`+f.Common+
		`","totalShares":"1000","strikePrice":"0.25"}]}`, http.StatusCreated).Header.Get("Location")
	grant := func(day string) string {
		return strings.Replace(f.OptionBody(t, plan, ada, "10", ""), "2026-01-01", day, 1)
	}
	split := f.Home + "/security/" + f.Common + "/split"
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a class made by a round is not in the table before it", As: f.Client, Method: "GET",
			Path: f.Home + "/captable?asOf=2026-02-19", Status: 200, Lacks: []string{"Series A"},
		},
		{
			Claim: "nor among the securities", As: f.Client, Method: "GET", Path: f.Home + "/security?asOf=2026-02-19", Status: 200,
			Lacks: []string{"Series A"},
		},
		{
			Claim: "it is from the day of the round", As: f.Client, Method: "GET", Path: f.Home + "/captable?asOf=2026-02-20", Status: 200,
			Has: []string{"Series A"},
		},
		{Claim: "a grant before the approval is refused for that reason", As: f.Client, Method: "POST", Path: "/v1/holding", Body: grant("2026-01-31"), Status: 409, Has: []string{"not approved yet", `"beforeApproval"`, `"approvedFrom":"2026-02-01"`}},
		{Claim: "a grant on its day is made", As: f.Client, Method: "POST", Path: "/v1/holding", Body: grant("2026-02-10"), Status: 201},
		{Claim: "the dashboard of the day before does not count it", As: f.Client, Method: "GET", Path: plan + "/dashboard?asOf=2026-02-09", Status: 200, Has: []string{`"grants":0`}},
		{Claim: "that of its day does", As: f.Client, Method: "GET", Path: plan + "/dashboard?asOf=2026-02-10", Status: 200, Has: []string{`"grants":1`}},
		{Claim: "a split with a ratio of one is refused", As: f.Client, Method: "POST", Path: split, Body: `{"numerator":"3","denominator":"3","date":"2026-02-25"}`, Status: 400, Has: []string{"sameRatio"}},
	})
}
