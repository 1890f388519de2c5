package http_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"equity/http/apitest"
)

func TestAllWrongFieldsAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada := f.NewHolder(t, "Ada")
	note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	plan := f.NewPlan(t, "Plan", "1000").Header.Get("Location")
	option := apitest.IDOf(f.GrantOption(t, plan, ada, "100", ""))
	before := f.JournalLength(t)
	for claim, ask := range map[string]struct{ method, path, body, want string }{
		"an impossible date and a zero amount": {
			"POST", note + "/repay", `{"amount":"0","date":"2026-02-30"}`, "/date invalidDate\n/amount notPositive",
		},
		"missing fields of the request and of the kind": {
			"POST", "/v1/holding", `{"organization":"` + f.ID + `","kind":"convertibleNote","entity":"` + ada + `"}`, "/issueDate required\n/principal required",
		},
		"a malformed list item and an unknown reference": {
			"POST", plan + "/reprice", `{"exercisePrice":"1","date":"2199-01-01","options":["x"],"pool":"` + f.ID + `"}`,
			"/options/0 invalidId\n/date dateInFuture\n/pool unknownReference",
		},
		"no errors that follow from reported errors": {
			"POST", note + "/transfer", `{"to":{"member":"x"},"amount":"0","date":"2026-02-01","kind":"theft","quantity":"5"}`,
			"/to/member invalidId\n/kind enum\n/amount notPositive",
		},
		"no field errors for an unknown kind": {
			"POST", "/v1/holding", `{"organization":"` + f.ID + `","kind":"iou","entity":"` + ada + `","issueDate":"2199-01-01"}`, "/kind enum",
		},
		"a parameter and the body": {
			"POST", "/v1/option/" + option + "/cancel?dryRun=perhaps", `{"quantity":"0","date":"2026-02-01","reason":"r"}`, "/query/dryRun wrongType\n/quantity notPositive",
		},
		"an invalid wallet address and a missing field": {
			"POST", "/v1/wallet", `{"network":"ethereum","address":"0x1"}`, "/entity required\n/address invalidAddress",
		},
		"an invalid amount and a malformed id": {
			"POST", "/v1/credit/transfer", `{"fromEntity":"x","toEntity":"` + f.ID + `","amount":1.005}`, "/fromEntity invalidId\n/amount invalidAmount",
		},
		"an invalid website and an invalid address": {
			"POST", "/v1/referral/company", `{"name":"Acme","website":"ftp:x","contactEmail":"x"}`, "/website invalidWebsite\n/contactEmail invalidEmail",
		},
		"a common password and an invalid address": {
			"POST", "/v1/user", `{"email":"x","password":"password","firstName":"A","lastName":"B","acceptedTerms":true}`, "/email invalidEmail\n/password tooCommon",
		},
		"no conflicts with the state": {
			"POST", "/v1/option/" + option + "/cancel", `{"quantity":"1000","date":"2026-02-01","reason":""}`, "/reason required",
		},
	} {
		got := f.Copy().Send(t, ask.method, ask.path, ask.body)
		if got.Status != http.StatusBadRequest || got.FieldErrors(t) != ask.want {
			t.Errorf("%s: %d: %s", claim, got.Status, got.Body)
		}
	}
	if after := f.JournalLength(t); after != before {
		t.Errorf("refused requests added %d events", after-before)
	}
}

// TestWrongTypesAreAlwaysRefused repeats every change of the company's story with each field
// replaced by a value of a wrong type. Every such request must be refused.
func TestWrongTypesAreAlwaysRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Before = func(method, path, body string) {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(body), &fields) != nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			wrong := maps.Clone(fields)
			wrong[name] = json.RawMessage(`[{"":null}]`)
			text, err := json.Marshal(wrong)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Copy().Send(t, method, path, string(text)); got.Status != http.StatusBadRequest && got.Status != http.StatusNotFound {
				t.Errorf("%s %s %s: %d %s", method, path, text, got.Status, got.Body)
			}
		}
	}
	sharesStory(t, f)
	capitalStory(t, f)
	plansStory(t, f)
	rightsStory(t, f)
	optionsStory(t, f)
}
