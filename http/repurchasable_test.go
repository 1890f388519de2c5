package http_test

import (
	"net/http"
	"testing"
)

// early grants 4,000 options with early exercise, of which 1,166 vest in January 2026.
const early = `,"earlyExercise":true,"vestings":[{"date":"2026-01-15","quantity":"1166"},{"date":"2027-03-01","quantity":"2834"}]`

//nolint:tparallel // one scenario builds on another
func TestUnvestedSharesOfAnEarlyExerciseBecomeRepurchasable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	investor := b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	plan, ada := f.plan(t, "Plan", "10000").header.Get("Location"), f.holder(t, "Ada")
	id := last(f.option(t, plan, ada, "4000", early))
	at := "/v1/option/" + id
	f.must(t, "POST", plan+"/pool/"+f.pool(t, plan)+"/option/"+id+"/exercise", `{"quantity":"3000","date":"2026-01-10"}`, http.StatusCreated)
	held := f.must(t, "GET", f.home+"/shareholding", "", http.StatusOK).list(t, "data")[0].(map[string]any)["id"].(string)
	shares, list := "/v1/shareholding/"+held, f.home+"/shareholding/repurchasable"
	tag := f.must(t, "GET", shares, "", http.StatusOK).header.Get("ETag")
	right := []string{`"shares":"1834"`, `"pricePerShare":"`, `"option":"` + id + `"`, `"reason":"voluntaryOther"`, `"since":"2026-02-10"`}
	run(t, []scenario{
		{claim: "no shares are repurchasable before the termination", as: f.client, method: "GET", path: list, status: 200, has: []string{`{"data":[]}`}},
		{claim: "the holder's service ends", as: f.client, method: "POST", path: at + "/terminate", body: `{"date":"2026-02-10","reason":"voluntaryOther"}`, status: 200, has: []string{`"repurchasable":"1834"`, `"vested":"1166"`}},
		{claim: "the unvested shares are listed with price, option and reason", as: f.client, method: "GET", path: list, status: 200, has: append(right, `"holder":"Ada"`)},
		{claim: "the list is empty on the day before", as: f.client, method: "GET", path: list + "?asOf=2026-02-09", status: 200, has: []string{`{"data":[]}`}},
		{claim: "the shareholding has the repurchasable shares and a new tag", as: f.client, method: "GET", path: shares, status: 200, headers: []string{"If-None-Match", tag}, has: append(right, `"vested":"1166"`, `"unvested":"1834"`)},
		{claim: "the remaining shares do not vest", as: f.client, method: "GET", path: shares + "?asOf=2030-01-01", status: 200, has: []string{`"vested":"1166"`}, lacks: []string{"nextVesting"}},
		{claim: "the repurchasable figure is explained", as: f.client, method: "GET", path: f.home + "/explain?figure=shareholding/" + held + "/repurchasable", status: 200, has: []string{`"value":"1834"`, "optionTerminated", "voluntaryOther"}},
		{claim: "the dashboard lists the pending repurchase", as: f.client, method: "GET", path: "/v1/captable/" + f.id + "/dashboard", status: 200, has: []string{`"kind":"repurchase"`}},
		{claim: "a repurchase is no task of an investor", as: investor, method: "GET", path: "/v1/captable/" + f.id + "/dashboard", status: 200, has: []string{`"waiting":[]`}},
		{claim: "a repurchase takes the unvested shares", as: f.client, method: "POST", path: shares + "/repurchase", body: `{"shares":"1834","price":"1.5","date":"2026-02-11"}`, status: 200, has: []string{`"vested":"1166"`, `"unvested":"0"`}},
		{claim: "the list is empty after the repurchase", as: f.client, method: "GET", path: list, status: 200, has: []string{`{"data":[]}`}},
	})
}
