package http_test

import (
	"net/http"
	"testing"
)

func TestPortfolioValuesShares(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		investor := b.person(t, "investor@example.com")
		f.join(t, f.home, investor, "Guest")
		entity := investor.holder
		f.issue(t, entity, "100", `"pricePerShare":"2"`)
		f.must(t, "PUT", "/v1/valuation", `{"organization":"`+f.id+`","security":"`+f.common+`","type":"409A","effectiveDate":"2026-01-02",
			"pricePerShare":{"amount":"3","currency":"USD"}}`, http.StatusCreated)
		path := "/v1/entity/" + entity + "/profile"

		got := investor.must(t, "GET", path, "", http.StatusOK)

		position := got.list(t, "positions")[0].(map[string]any)
		if position["shares"] != "100" || position["growth"] != "0.5" || got.get(t, "growth") != "0.5" {
			t.Errorf("unexpected portfolio: %s", got.body)
		}
		value := got.list(t, "currentValue")[0].(map[string]any)
		if value["amount"] != "300" || value["currency"] != "USD" {
			t.Errorf("unexpected value: %v", value)
		}
		if before := investor.must(t, "GET", path+"?asOf=2025-12-31", "", http.StatusOK); len(before.list(t, "positions")) != 0 {
			t.Errorf("before the issue the portfolio is %s", before.body)
		}
		f.must(t, "GET", path, "", http.StatusOK)
		b.person(t, "stranger@example.com").must(t, "GET", path, "", http.StatusNotFound)
		investor.must(t, "GET", "/v1/entity/"+f.user.Entity.String()+"/profile", "", http.StatusNotFound)
	})
}

//nolint:tparallel // one setup serves all
func TestPortfolioValuesOptionsConvertiblesAndWarrants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada := f.holder(t, "Ada")
	f.must(t, "PUT", "/v1/valuation", f.valuation("3", "2026-01-02", ""), http.StatusCreated)
	plan := f.plan(t, "Plan", "1000").header.Get("Location")
	held := f.option(t, plan, ada, "100", inTwo)
	f.issueHolding(t, "convertibleNote", ada, noteTerms)
	f.issueHolding(t, "warrant", ada, warrantTerms+`,"security":"`+f.common+`"`)
	path := "/v1/entity/" + ada + "/profile"
	run(t, []scenario{
		{
			claim: "the value of options is the gain on the exercisable quantity", as: f.client, method: "GET", path: path, status: 200,
			has: []string{`"kind":"option"`, `"holding":"` + last(held) + `","shares":"100","exercisable":"50","exercisePrice":{"amount":"0.25","currency":"USD"}`, `"value":{"amount":"137.5","currency":"USD"}`},
		},
		{
			claim: "the value of a convertible is its balance", as: f.client, method: "GET", path: path, status: 200,
			has: []string{`"kind":"convertibleNote"`, `"invested":{"amount":"10000","currency":"USD"}`, `"value":{"amount":"10060","currency":"USD"},"growth":"0.006"`},
		},
		{
			claim: "the value of a warrant is its gain, and all values are added", as: f.client, method: "GET", path: path, status: 200,
			has: []string{`"kind":"warrant"`, `"value":{"amount":"1500","currency":"USD"}`, `"currentValue":[{"amount":"11697.5","currency":"USD"}]`, `"totalInvested":[{"amount":"10000","currency":"USD"}]`},
		},
		{claim: "a date before the issue has no positions", as: f.client, method: "GET", path: path + "?asOf=2025-12-31", status: 200, has: []string{`"positions":[]`}},
	})
}
