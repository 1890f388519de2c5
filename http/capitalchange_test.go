package http_test

import (
	"net/http"
	"testing"
)

// contribution returns the body of a contribution with additional fields.
func (f *firm) contribution(amount, more string) string {
	return `{"organization":"` + f.id + `","kind":"contribution","amount":{"amount":"` + amount + `","currency":"USD"},"date":"2026-01-05"` + more + `}`
}

func TestCapitalChangesAreRecordedAndAmended(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		ada, list := f.holder(t, "Ada"), f.home+"/capitalChange"
		path, own := "/v1/entity/"+ada+"/capitalChange", "/v1/entity/"+guest.holder+"/capitalChange"
		held := last(f.issue(t, ada, "10"))
		made := f.must(t, "POST", path, f.contribution("250.50", `,"shareholding":"`+held+`"`), http.StatusCreated, "Idempotency-Key", "k")
		again := f.must(t, "POST", path, f.contribution("250.50", `,"shareholding":"`+held+`"`), http.StatusCreated, "Idempotency-Key", "k")
		if again.text(t, "id") != made.text(t, "id") {
			t.Error("the same key created two capital changes")
		}
		f.must(t, "POST", own, f.contribution("7", ""), http.StatusCreated)
		about := `{"organization":"` + f.id + `","id":"` + made.text(t, "id") + `",`
		run(t, []scenario{
			{claim: "a new change has its Location", as: f.client, method: "GET", path: made.header.Get("Location"), status: 200, has: []string{`"250.5"`, held}, lacks: []string{`"7"`}},
			{claim: "all changes are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{`"250.5"`, `"7"`}},
			{claim: "the list is paged", as: f.client, method: "GET", path: list + "?limit=1", status: 200, has: []string{"nextCursor"}, lacks: []string{`"7"`}},
			{claim: "a holder lists their own changes", as: guest, method: "GET", path: list, status: 200, has: []string{`"7"`}, lacks: []string{"250.5"}},
			{claim: "a holder receives no changes of another holder", as: guest, method: "GET", path: list + "?entity=" + ada, status: 200, has: []string{`{"data":[]}`}},
			{claim: "a dry run changes nothing", as: f.client, method: "POST", path: path + "?dryRun=true", body: f.contribution("9", ""), status: 200, has: []string{`"capitalChanged"`}},
			{claim: "a patch changes the named fields", as: f.client, method: "PATCH", path: path, body: about + `"note":"By wire.","kind":"withdrawal"}`, status: 200, has: []string{`"note":"By wire."`, `"withdrawal"`, `"250.5"`}},
			{claim: "a patch with null clears a field", as: f.client, method: "PATCH", path: path, body: about + `"note":null}`, status: 200, lacks: []string{"note"}},
			{claim: "a required field cannot be cleared", as: f.client, method: "PATCH", path: path, body: about + `"kind":null,"date":null}`, status: 400, has: []string{"/kind", "/date"}},
			{
				claim: "a change for an unknown holder is not found", as: f.client, method: "POST",
				path: "/v1/entity/" + f.id + "/capitalChange", body: f.contribution("1", ""), status: 404,
			},
			{claim: "a change at the path of another holder is not found", as: f.client, method: "PATCH", path: own, body: about + `"note":"x"}`, status: 404},
			{
				claim: "every wrong field is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"organization":"` + f.id + `","kind":"gift","amount":{"amount":"-1","currency":"usd"},"date":"x","shareholding":"y"}`,
				has:  []string{"/kind", "/amount/currency", "/date", "/shareholding"},
			},
			{
				claim: "an amount of zero is refused", as: f.client, method: "POST", path: path, status: 400, body: f.contribution("0", ""),
				has: []string{"/amount/amount", "notPositive"},
			},
		})
		f.must(t, "PATCH", path, about+`"note":"x"}`, http.StatusPreconditionFailed, "If-Match", `"1.1"`)
	})
}
