package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestExplainListsTermsAndEvents(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada")
		f.Issue(t, ada, "60")
		held := f.Issue(t, f.NewHolder(t, "Bob"), "20")
		f.Must(t, "POST", held+"/accept", "{}", 200)

		got := f.Must(t, "GET", f.Home+"/explain?figure=security/"+f.Common+"/outstanding", "", 200)

		if got.Get(t, "explanation", "value") != "80" || got.Get(t, "explanation", "operation") != "sum" {
			t.Errorf("outstanding is %s", got.Body)
		}
		second := got.List(t, "explanation", "terms")[1].(map[string]any)
		var types []string
		for _, entry := range second["entries"].([]any) {
			types = append(types, entry.(map[string]any)["type"].(string))
		}
		if len(types) != 2 || types[0] != "shareholdingIssued" || types[1] != "shareholdingAccepted" {
			t.Errorf("the events of Bob's shares are %v", types)
		}
		f.Must(t, "GET", f.Home+"/explain?figure=holder/"+ada+"/percentOutstanding", "", 200)
		f.Must(t, "GET", f.Home+"/explain?figure=holder/"+ada+"/colour", "", http.StatusBadRequest)
		f.Must(t, "GET", f.Home+"/explain?figure=security/"+ada+"/issued", "", http.StatusNotFound)
		f.Must(t, "GET", f.Home+"/explain?figure=total/issued", "", http.StatusNotModified,
			"If-None-Match", f.Must(t, "GET", f.Home+"/explain?figure=total/issued", "", 200).Header.Get("ETag"))
	})
}

func TestExplainOptionsPoolsAndNotes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	plan, ada := f.NewPlan(t, "Plan", "1000").Header.Get("Location"), f.NewHolder(t, "Ada")
	held := f.GrantOption(t, plan, ada, "100", apitest.VestsInTwo)
	noted := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	at := f.Home + "/explain?figure="
	f.Must(t, "POST", plan+"/pool/"+f.FirstPool(t, plan)+"/option/"+apitest.IDOf(held)+"/exercise", `{"quantity":"5","date":"2026-02-01"}`, http.StatusCreated)
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "the available shares of a pool are explained down to the events", As: f.Client, Method: "GET",
			Path: at + "pool/" + f.FirstPool(t, plan) + "/available", Status: 200,
			Has: []string{`"value":"900"`, `"type":"planCreated"`, `"explain":"option/` + apitest.IDOf(held) + `/outstanding"`, `"label":"exercised on 2026-02-01"`, `"type":"optionExercised"`},
		},
		{
			Claim: "the exercisable quantity is explained", As: f.Client, Method: "GET",
			Path:   at + "option/" + apitest.IDOf(held) + "/exercisable",
			Status: 200,
			Has:    []string{`"value":"45"`, `"operation":"least"`, `"label":"vested on 2026-01-15"`, `"type":"optionGranted"`},
		},
		{Claim: "the vested quantity of another date", As: f.Client, Method: "GET", Path: at + "option/" + apitest.IDOf(held) + "/vested&asOf=2027-01-15", Status: 200, Has: []string{`"value":"100"`}},
		{Claim: "the balance of a note is explained", As: f.Client, Method: "GET", Path: at + "holding/" + apitest.IDOf(noted) + "/balance", Status: 200, Has: []string{`"label":"came in on`, `"type":"holdingIssued"`}},
		{Claim: "an unknown pool is not found", As: f.Client, Method: "GET", Path: at + "pool/" + ada + "/available", Status: 404},
	})
}
