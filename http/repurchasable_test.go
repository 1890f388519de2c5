package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// early grants 4,000 options with early exercise, of which 1,166 vest in January 2026.
const early = `,"earlyExercise":true,"vestings":[{"date":"2026-01-15","quantity":"1166"},{"date":"2027-03-01","quantity":"2834"}]`

func TestUnvestedSharesOfAnEarlyExerciseBecomeRepurchasable(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	investor := b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	plan, ada := f.NewPlan(t, "Plan", "10000").Header.Get("Location"), f.NewHolder(t, "Ada")
	id := apitest.IDOf(f.GrantOption(t, plan, ada, "4000", early))
	at := "/v1/option/" + id
	f.Must(t, "POST", plan+"/pool/"+f.FirstPool(t, plan)+"/option/"+id+"/exercise", `{"quantity":"3000","date":"2026-01-10"}`, http.StatusCreated)
	held := f.Must(t, "GET", f.Home+"/shareholding", "", http.StatusOK).List(t, "data")[0].(map[string]any)["id"].(string)
	shares, list := "/v1/shareholding/"+held, f.Home+"/shareholding/repurchasable"
	tag := f.Must(t, "GET", shares, "", http.StatusOK).Header.Get("ETag")
	right := []string{`"shares":"1834"`, `"pricePerShare":"`, `"option":"` + id + `"`, `"reason":"voluntaryOther"`, `"since":"2026-02-10"`}
	apitest.Run(t, []apitest.Scenario{
		{Claim: "no shares are repurchasable before the termination", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`{"data":[]}`}},
		{Claim: "the holder's service ends", As: f.Client, Method: "POST", Path: at + "/terminate", Body: `{"date":"2026-02-10","reason":"voluntaryOther"}`, Status: 200, Has: []string{`"repurchasable":"1834"`, `"vested":"1166"`}},
		{Claim: "the unvested shares are listed with price, option and reason", As: f.Client, Method: "GET", Path: list, Status: 200, Has: append(right, `"holder":"Ada"`)},
		{Claim: "the list is empty on the day before", As: f.Client, Method: "GET", Path: list + "?asOf=2026-02-09", Status: 200, Has: []string{`{"data":[]}`}},
		{Claim: "the shareholding has the repurchasable shares and a new tag", As: f.Client, Method: "GET", Path: shares, Status: 200, Headers: []string{"If-None-Match", tag}, Has: append(right, `"vested":"1166"`, `"unvested":"1834"`)},
		{Claim: "the remaining shares do not vest", As: f.Client, Method: "GET", Path: shares + "?asOf=2030-01-01", Status: 200, Has: []string{`"vested":"1166"`}, Lacks: []string{"nextVesting"}},
		{Claim: "the repurchasable figure is explained", As: f.Client, Method: "GET", Path: f.Home + "/explain?figure=shareholding/" + held + "/repurchasable", Status: 200, Has: []string{`"value":"1834"`, "optionTerminated", "voluntaryOther"}},
		{Claim: "the dashboard lists the pending repurchase", As: f.Client, Method: "GET", Path: "/v1/captable/" + f.ID + "/dashboard", Status: 200, Has: []string{`"kind":"repurchase"`}},
		{Claim: "a repurchase is no task of an investor", As: investor, Method: "GET", Path: "/v1/captable/" + f.ID + "/dashboard", Status: 200, Has: []string{`"waiting":[]`}},
		{Claim: "a repurchase takes the unvested shares", As: f.Client, Method: "POST", Path: shares + "/repurchase", Body: `{"shares":"1834","price":"1.5","date":"2026-02-11"}`, Status: 200, Has: []string{`"vested":"1166"`, `"unvested":"0"`}},
		{Claim: "the list is empty after the repurchase", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`{"data":[]}`}},
	})
}
