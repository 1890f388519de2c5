package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestPortfolioValuesShares(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		investor := b.NewPerson(t, "investor@example.com")
		f.Join(t, f.Home, investor, "Guest")
		entity := investor.Holder
		f.Issue(t, entity, "100", `"pricePerShare":"2"`)
		f.Must(t, "PUT", "/v1/valuation", `{"organization":"`+f.ID+`","security":"`+f.Common+`","type":"409A","effectiveDate":"2026-01-02",
			"pricePerShare":{"amount":"3","currency":"USD"}}`, http.StatusCreated)
		path := "/v1/entity/" + entity + "/profile"

		got := investor.Must(t, "GET", path, "", http.StatusOK)

		position := got.List(t, "positions")[0].(map[string]any)
		if position["shares"] != "100" || position["growth"] != "0.5" || got.Get(t, "growth") != "0.5" {
			t.Errorf("unexpected portfolio: %s", got.Body)
		}
		value := got.List(t, "currentValue")[0].(map[string]any)
		if value["amount"] != "300" || value["currency"] != "USD" {
			t.Errorf("unexpected value: %v", value)
		}
		if before := investor.Must(t, "GET", path+"?asOf=2025-12-31", "", http.StatusOK); len(before.List(t, "positions")) != 0 {
			t.Errorf("before the issue the portfolio is %s", before.Body)
		}
		f.Must(t, "GET", path, "", http.StatusOK)
		b.NewPerson(t, "stranger@example.com").Must(t, "GET", path, "", http.StatusNotFound)
		investor.Must(t, "GET", "/v1/entity/"+f.User.Entity.String()+"/profile", "", http.StatusNotFound)
	})
}

func TestPortfolioValuesOptionsConvertiblesAndWarrants(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada := f.NewHolder(t, "Ada")
	f.Must(t, "PUT", "/v1/valuation", valuationBody(f, "3", "2026-01-02", ""), http.StatusCreated)
	plan := f.NewPlan(t, "Plan", "1000").Header.Get("Location")
	held := f.GrantOption(t, plan, ada, "100", apitest.VestsInTwo)
	f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	f.IssueHolding(t, "warrant", ada, apitest.WarrantTerms+`,"security":"`+f.Common+`"`)
	path := "/v1/entity/" + ada + "/profile"
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "the value of options is the gain on the exercisable quantity", As: f.Client, Method: "GET", Path: path, Status: 200,
			Has: []string{`"kind":"option"`, `"holding":"` + apitest.IDOf(held) + `","shares":"100","exercisable":"50","exercisePrice":{"amount":"0.25","currency":"USD"}`, `"value":{"amount":"137.5","currency":"USD"}`},
		},
		{
			Claim: "the value of a convertible is its balance", As: f.Client, Method: "GET", Path: path, Status: 200,
			Has: []string{`"kind":"convertibleNote"`, `"invested":{"amount":"10000","currency":"USD"}`, `"value":{"amount":"10060","currency":"USD"},"growth":"0.006"`},
		},
		{
			Claim: "the value of a warrant is its gain, and all values are added", As: f.Client, Method: "GET", Path: path, Status: 200,
			Has: []string{`"kind":"warrant"`, `"value":{"amount":"1500","currency":"USD"}`, `"currentValue":[{"amount":"11697.5","currency":"USD"}]`, `"totalInvested":[{"amount":"10000","currency":"USD"}]`},
		},
		{Claim: "a date before the issue has no positions", As: f.Client, Method: "GET", Path: path + "?asOf=2025-12-31", Status: 200, Has: []string{`"positions":[]`}},
	})
}
