package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestHoldingConvertsOnceAtTheBestPrice(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	f.Issue(t, bob, "90000")
	note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	body := func(more string) string { return `{"security":"` + f.Common + `","date":"2026-01-11"` + more + `}` }
	tried := f.Must(t, "POST", note+"/convert?dryRun=true", body(`,"pricePerShare":"1.25"`), http.StatusOK)
	made := f.Must(t, "POST", note+"/convert", body(`,"pricePerShare":"1.25"`), http.StatusCreated) // 10,010 at 1
	for _, want := range []struct{ field, value string }{
		{"basis", "discount"}, {"pricePerShare", "1"}, {"amount", "10010"}, {"interest", "10"},
	} {
		if got := made.Text(t, "conversion", want.field); got != want.value || tried.Text(t, "record", "conversion", want.field) != want.value {
			t.Errorf("%s is %q, want %q", want.field, got, want.value)
		}
	}
	safe := f.IssueHolding(t, "safe", ada, `,"principal":{"amount":"10000","currency":"USD"},"valuationCap":"100000"`)
	round := `,"round":{"preMoney":"1000000","newMoney":[{"amount":"250000"}],"pool":{"target":"0.1"}}`
	apitest.Run(t, []apitest.Scenario{
		{Claim: "the shares name the converted note", As: f.Client, Method: "GET", Path: made.Header.Get("Location"), Status: 200, Has: []string{`"shares":"10010"`, `"kind":"converted"`, `"holding":"` + apitest.IDOf(note)}},
		{Claim: "the note is converted", As: f.Client, Method: "GET", Path: note, Status: 200, Has: []string{`"status":"converted"`, `"balance":"0"`, `"basis":"discount"`}},
		{Claim: "a converted note cannot be converted again", As: f.Client, Method: "POST", Path: note + "/convert", Body: body(`,"pricePerShare":"1.25"`), Status: 409, Has: []string{`"status":"converted"`}},
		{Claim: "a price is required", As: f.Client, Method: "POST", Path: f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms) + "/convert", Body: body(``), Status: 400, Has: []string{"/pricePerShare", "required"}},
		{Claim: "a round sets the price", As: f.Client, Method: "POST", Path: safe + "/convert", Body: body(round), Status: 201, Has: []string{`"basis":"cap"`, `"status":"converted"`}},
		{Claim: "a round and a price exclude each other", As: f.Client, Method: "POST", Path: f.IssueHolding(t, "safe", ada, apitest.SafeTerms) + "/convert", Body: body(round + `,"pricePerShare":"1"`), Status: 400, Has: []string{"/pricePerShare"}},
	})
}

func TestWarrantIsExercisedForCashOrNet(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	warrant := f.IssueHolding(t, "warrant", f.NewHolder(t, "Ada"), apitest.WarrantTerms+`,"security":"`+f.Common+`"`)
	exercise := func(quantity, payment, more string) string {
		return `{"quantity":"` + quantity + `","date":"2026-02-01","payment":"` + payment + `"` + more + `}`
	}
	apitest.Run(t, []apitest.Scenario{
		{Claim: "an exercise beyond the quantity is refused", As: f.Client, Method: "POST", Path: warrant + "/exercise", Body: exercise("1001", "cash", ""), Status: 409, Has: []string{`"available":"1000"`}},
		{
			Claim: "shares are bought for cash", As: f.Client, Method: "POST", Path: warrant + "/exercise",
			Body: exercise("400", "cash", ""), Status: 201,
			Has: []string{`"shares":"400"`, `"left":"600"`, `"kind":"exercised"`, `"cash":"600"`},
		},
		{Claim: "a net exercise issues fewer shares", As: f.Client, Method: "POST", Path: warrant + "/exercise", Body: exercise("600", "net", `,"marketValue":"6"`), Status: 201, Has: []string{`"shares":"450"`, `"status":"exercised"`}},
		{Claim: "an exercised warrant cannot be exercised again", As: f.Client, Method: "POST", Path: warrant + "/exercise", Body: exercise("1", "cash", ""), Status: 409, Has: []string{`"status":"exercised"`}},
		{Claim: "an exercised warrant reserves no shares", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"reserved":"0"`, `"issued":"850"`}},
	})
}
