package http_test

import (
	"net/http"
	"testing"
)

func TestExplainListsTermsAndEvents(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada")
		f.issue(t, ada, "60")
		held := f.issue(t, f.holder(t, "Bob"), "20")
		f.must(t, "POST", held+"/accept", "{}", 200)

		got := f.must(t, "GET", f.home+"/explain?figure=security/"+f.common+"/outstanding", "", 200)

		if got.get(t, "explanation", "value") != "80" || got.get(t, "explanation", "operation") != "sum" {
			t.Errorf("outstanding is %s", got.body)
		}
		second := got.list(t, "explanation", "terms")[1].(map[string]any)
		var types []string
		for _, entry := range second["entries"].([]any) {
			types = append(types, entry.(map[string]any)["type"].(string))
		}
		if len(types) != 2 || types[0] != "shareholdingIssued" || types[1] != "shareholdingAccepted" {
			t.Errorf("the events of Bob's shares are %v", types)
		}
		f.must(t, "GET", f.home+"/explain?figure=holder/"+ada+"/percentOutstanding", "", 200)
		f.must(t, "GET", f.home+"/explain?figure=holder/"+ada+"/colour", "", http.StatusBadRequest)
		f.must(t, "GET", f.home+"/explain?figure=security/"+ada+"/issued", "", http.StatusNotFound)
		f.must(t, "GET", f.home+"/explain?figure=total/issued", "", http.StatusNotModified,
			"If-None-Match", f.must(t, "GET", f.home+"/explain?figure=total/issued", "", 200).header.Get("ETag"))
	})
}

//nolint:tparallel // one setup serves all
func TestExplainOptionsPoolsAndNotes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	plan, ada := f.plan(t, "Plan", "1000").header.Get("Location"), f.holder(t, "Ada")
	held := f.option(t, plan, ada, "100", inTwo)
	noted := f.issueHolding(t, "convertibleNote", ada, noteTerms)
	at := f.home + "/explain?figure="
	f.must(t, "POST", plan+"/pool/"+f.pool(t, plan)+"/option/"+last(held)+"/exercise", `{"quantity":"5","date":"2026-02-01"}`, http.StatusCreated)
	run(t, []scenario{
		{
			claim: "the available shares of a pool are explained down to the events", as: f.client, method: "GET",
			path: at + "pool/" + f.pool(t, plan) + "/available", status: 200,
			has: []string{`"value":"900"`, `"type":"planCreated"`, `"explain":"option/` + last(held) + `/outstanding"`, `"label":"exercised on 2026-02-01"`, `"type":"optionExercised"`},
		},
		{
			claim: "the exercisable quantity is explained", as: f.client, method: "GET", path: at + "option/" + last(held) + "/exercisable",
			status: 200,
			has:    []string{`"value":"45"`, `"operation":"least"`, `"label":"vested on 2026-01-15"`, `"type":"optionGranted"`},
		},
		{claim: "the vested quantity of another date", as: f.client, method: "GET", path: at + "option/" + last(held) + "/vested&asOf=2027-01-15", status: 200, has: []string{`"value":"100"`}},
		{claim: "the balance of a note is explained", as: f.client, method: "GET", path: at + "holding/" + last(noted) + "/balance", status: 200, has: []string{`"label":"came in on`, `"type":"holdingIssued"`}},
		{claim: "an unknown pool is not found", as: f.client, method: "GET", path: at + "pool/" + ada + "/available", status: 404},
	})
}
