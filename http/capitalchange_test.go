package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// contributionBody returns the body of a contribution with additional fields.
func contributionBody(f *apitest.Firm, amount, more string) string {
	return `{"organization":"` + f.ID + `","kind":"contribution","amount":{"amount":"` + amount + `","currency":"USD"},"date":"2026-01-05"` + more + `}`
}

func TestCapitalChangesAreRecordedAndAmended(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		guest := b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, guest, "Guest")
		ada, list := f.NewHolder(t, "Ada"), f.Home+"/capitalChange"
		path, own := "/v1/entity/"+ada+"/capitalChange", "/v1/entity/"+guest.Holder+"/capitalChange"
		held := apitest.IDOf(f.Issue(t, ada, "10"))
		made := f.Must(
			t, "POST", path, contributionBody(f, "250.50", `,"shareholding":"`+held+`"`), http.StatusCreated, "Idempotency-Key", "k",
		)
		again := f.Must(
			t, "POST", path, contributionBody(f, "250.50", `,"shareholding":"`+held+`"`), http.StatusCreated, "Idempotency-Key", "k",
		)
		if again.Text(t, "id") != made.Text(t, "id") {
			t.Error("the same key created two capital changes")
		}
		f.Must(t, "POST", own, contributionBody(f, "7", ""), http.StatusCreated)
		about := `{"organization":"` + f.ID + `","id":"` + made.Text(t, "id") + `",`
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a new change has its Location", As: f.Client, Method: "GET", Path: made.Header.Get("Location"), Status: 200, Has: []string{`"250.5"`, held}, Lacks: []string{`"7"`}},
			{Claim: "all changes are listed", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`"250.5"`, `"7"`}},
			{Claim: "the list is paged", As: f.Client, Method: "GET", Path: list + "?limit=1", Status: 200, Has: []string{"nextCursor"}, Lacks: []string{`"7"`}},
			{Claim: "a holder lists their own changes", As: guest, Method: "GET", Path: list, Status: 200, Has: []string{`"7"`}, Lacks: []string{"250.5"}},
			{Claim: "a holder receives no changes of another holder", As: guest, Method: "GET", Path: list + "?entity=" + ada, Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "a dry run changes nothing", As: f.Client, Method: "POST", Path: path + "?dryRun=true", Body: contributionBody(f, "9", ""), Status: 200, Has: []string{`"capitalChanged"`}},
			{Claim: "a patch changes the named fields", As: f.Client, Method: "PATCH", Path: path, Body: about + `"note":"By wire.","kind":"withdrawal"}`, Status: 200, Has: []string{`"note":"By wire."`, `"withdrawal"`, `"250.5"`}},
			{Claim: "a patch with null clears a field", As: f.Client, Method: "PATCH", Path: path, Body: about + `"note":null}`, Status: 200, Lacks: []string{"note"}},
			{Claim: "a required field cannot be cleared", As: f.Client, Method: "PATCH", Path: path, Body: about + `"kind":null,"date":null}`, Status: 400, Has: []string{"/kind", "/date"}},
			{
				Claim: "a change for an unknown holder is not found", As: f.Client, Method: "POST",
				Path: "/v1/entity/" + f.ID + "/capitalChange", Body: contributionBody(f, "1", ""), Status: 404,
			},
			{Claim: "a change at the path of another holder is not found", As: f.Client, Method: "PATCH", Path: own, Body: about + `"note":"x"}`, Status: 404},
			{
				Claim: "every wrong field is named", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: `{"organization":"` + f.ID + `","kind":"gift","amount":{"amount":"-1","currency":"usd"},"date":"x","shareholding":"y"}`,
				Has:  []string{"/kind", "/amount/currency", "/date", "/shareholding"},
			},
			{
				Claim: "an amount of zero is refused", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: contributionBody(f, "0", ""),
				Has:  []string{"/amount/amount", "notPositive"},
			},
		})
		f.Must(t, "PATCH", path, about+`"note":"x"}`, http.StatusPreconditionFailed, "If-Match", `"1.1"`)
	})
}
