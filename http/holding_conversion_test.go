package http_test

import (
	"net/http"
	"testing"
)

//nolint:tparallel // one scenario builds on another
func TestHoldingConvertsOnceAtTheBestPrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	f.issue(t, bob, "90000")
	note := f.issueHolding(t, "convertibleNote", ada, noteTerms)
	body := func(more string) string { return `{"security":"` + f.common + `","date":"2026-01-11"` + more + `}` }
	tried := f.must(t, "POST", note+"/convert?dryRun=true", body(`,"pricePerShare":"1.25"`), http.StatusOK)
	made := f.must(t, "POST", note+"/convert", body(`,"pricePerShare":"1.25"`), http.StatusCreated) // 10,010 at 1
	for _, want := range []struct{ field, value string }{
		{"basis", "discount"}, {"pricePerShare", "1"}, {"amount", "10010"}, {"interest", "10"},
	} {
		if got := made.text(t, "conversion", want.field); got != want.value || tried.text(t, "record", "conversion", want.field) != want.value {
			t.Errorf("%s is %q, want %q", want.field, got, want.value)
		}
	}
	safe := f.issueHolding(t, "safe", ada, `,"principal":{"amount":"10000","currency":"USD"},"valuationCap":"100000"`)
	round := `,"round":{"preMoney":"1000000","newMoney":[{"amount":"250000"}],"pool":{"target":"0.1"}}`
	run(t, []scenario{
		{claim: "the shares name the converted note", as: f.client, method: "GET", path: made.header.Get("Location"), status: 200, has: []string{`"shares":"10010"`, `"kind":"converted"`, `"holding":"` + last(note)}},
		{claim: "the note is converted", as: f.client, method: "GET", path: note, status: 200, has: []string{`"status":"converted"`, `"balance":"0"`, `"basis":"discount"`}},
		{claim: "a converted note cannot be converted again", as: f.client, method: "POST", path: note + "/convert", body: body(`,"pricePerShare":"1.25"`), status: 409, has: []string{`"status":"converted"`}},
		{claim: "a price is required", as: f.client, method: "POST", path: f.issueHolding(t, "convertibleNote", ada, noteTerms) + "/convert", body: body(``), status: 400, has: []string{"/pricePerShare", "required"}},
		{claim: "a round sets the price", as: f.client, method: "POST", path: safe + "/convert", body: body(round), status: 201, has: []string{`"basis":"cap"`, `"status":"converted"`}},
		{claim: "a round and a price exclude each other", as: f.client, method: "POST", path: f.issueHolding(t, "safe", ada, safeTerms) + "/convert", body: body(round + `,"pricePerShare":"1"`), status: 400, has: []string{"/pricePerShare"}},
	})
}

//nolint:tparallel // one scenario builds on another
func TestWarrantIsExercisedForCashOrNet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	warrant := f.issueHolding(t, "warrant", f.holder(t, "Ada"), warrantTerms+`,"security":"`+f.common+`"`)
	exercise := func(quantity, payment, more string) string {
		return `{"quantity":"` + quantity + `","date":"2026-02-01","payment":"` + payment + `"` + more + `}`
	}
	run(t, []scenario{
		{claim: "an exercise beyond the quantity is refused", as: f.client, method: "POST", path: warrant + "/exercise", body: exercise("1001", "cash", ""), status: 409, has: []string{`"available":"1000"`}},
		{
			claim: "shares are bought for cash", as: f.client, method: "POST", path: warrant + "/exercise",
			body: exercise("400", "cash", ""), status: 201,
			has: []string{`"shares":"400"`, `"left":"600"`, `"kind":"exercised"`, `"cash":"600"`},
		},
		{claim: "a net exercise issues fewer shares", as: f.client, method: "POST", path: warrant + "/exercise", body: exercise("600", "net", `,"marketValue":"6"`), status: 201, has: []string{`"shares":"450"`, `"status":"exercised"`}},
		{claim: "an exercised warrant cannot be exercised again", as: f.client, method: "POST", path: warrant + "/exercise", body: exercise("1", "cash", ""), status: 409, has: []string{`"status":"exercised"`}},
		{claim: "an exercised warrant reserves no shares", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"0"`, `"issued":"850"`}},
	})
}
