package http_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"
)

func TestEveryWrongFieldIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada := f.holder(t, "Ada")
	note := f.right(t, "convertibleNote", ada, noteTerms)
	plan := f.plan(t, "Plan", "1000").header.Get("Location")
	option := last(f.option(t, plan, ada, "100", ""))
	before := f.length(t)
	for claim, ask := range map[string]struct{ method, path, body, want string }{
		"a day that is none beside an amount of nothing": {
			"POST", note + "/repay", `{"amount":"0","date":"2026-02-30"}`, "/date invalidDate\n/amount notPositive",
		},
		"what is missing beside what the kind needs": {
			"POST", "/v1/holding", `{"organization":"` + f.id + `","kind":"convertibleNote","entity":"` + ada + `"}`, "/issueDate required\n/principal required",
		},
		"a list's item beside a reference to nothing": {
			"POST", plan + "/reprice", `{"exercisePrice":"1","date":"2199-01-01","options":["x"],"pool":"` + f.id + `"}`,
			"/options/0 invalidId\n/date dateInFuture\n/pool unknownReference",
		},
		"nothing that follows from what is named": {
			"POST", note + "/transfer", `{"to":{"member":"x"},"amount":"0","date":"2026-02-01","kind":"theft","quantity":"5"}`,
			"/to/member invalidId\n/kind enum\n/amount notPositive",
		},
		"nothing of a kind that there is not": {
			"POST", "/v1/holding", `{"organization":"` + f.id + `","kind":"iou","entity":"` + ada + `","issueDate":"2199-01-01"}`, "/kind enum",
		},
		"a parameter beside the body": {
			"POST", "/v1/option/" + option + "/cancel?dryRun=perhaps", `{"quantity":"0","date":"2026-02-01","reason":"r"}`, "/query/dryRun wrongType\n/quantity notPositive",
		},
		"what only the wallet's network knows beside what is missing": {
			"POST", "/v1/wallet", `{"network":"ethereum","address":"0x1"}`, "/entity required\n/address invalidAddress",
		},
		"an amount that is none beside an id that is none": {
			"POST", "/v1/credit/transfer", `{"fromEntity":"x","toEntity":"` + f.id + `","amount":1.005}`, "/fromEntity invalidId\n/amount invalidAmount",
		},
		"a site that is none beside an address that is none": {
			"POST", "/v1/referral/company", `{"name":"Acme","website":"ftp:x","contactEmail":"x"}`, "/contactEmail invalidEmail\n/website invalidWebsite",
		},
		"a password that everybody has beside an address that is none": {
			"POST", "/v1/user", `{"email":"x","password":"password","firstName":"A","lastName":"B","acceptedTerms":true}`, "/email invalidEmail\n/password tooCommon",
		},
		"not what the state refuses": {
			"POST", "/v1/option/" + option + "/cancel", `{"quantity":"1000","date":"2026-02-01","reason":""}`, "/reason required",
		},
	} {
		got := f.copy().send(t, ask.method, ask.path, ask.body)
		if got.status != http.StatusBadRequest || got.wrong(t) != ask.want {
			t.Errorf("%s: %d: %s", claim, got.status, got.body)
		}
	}
	if after := f.length(t); after != before {
		t.Errorf("%d entries were made", after-before)
	}
}

// TestNothingIsTooWrong sends every change of a company's story with each of its fields
// wrong in turn before it is made: all that comes of it is a refusal.
func TestNothingIsTooWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.first = func(method, path, body string) {
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
			if got := f.copy().send(t, method, path, string(text)); got.status != http.StatusBadRequest && got.status != http.StatusNotFound {
				t.Errorf("%s %s %s: %d %s", method, path, text, got.status, got.body)
			}
		}
	}
	f.shares(t)
	f.capital(t)
	f.plans(t)
	f.rights(t)
	f.options(t)
}
