package http_test

import (
	"net/http"
	"testing"
)

// valuation is the body of one of the firm's common stock, with further fields.
func (f *firm) valuation(price, on, more string) string {
	return `{"organization":"` + f.id + `","security":"` + f.common + `","type":"409A","effectiveDate":"` + on +
		`","pricePerShare":{"amount":"` + price + `","currency":"USD"}` + more + `}`
}

func TestValuations(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		created := f.must(t, "PUT", "/v1/valuation", f.valuation("1.25", "2026-01-01", `,"expiresOn":"2026-02-01","externalId":"v"`), http.StatusCreated)
		path := created.header.Get("Location")
		id := created.text(t, "id")
		f.must(t, "PUT", "/v1/valuation", f.valuation("1.5", "2026-01-10", ""), http.StatusCreated)
		list := f.home + "/valuation"
		run(t, []scenario{
			{claim: "a valuation is read", as: f.client, method: "GET", path: path, status: 200, has: []string{`"amount":"1.25"`, `"type":"409A"`, f.id}},
			{claim: "all are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{`"1.25"`, `"1.5"`}},
			{claim: "those in force on a day", as: f.client, method: "GET", path: list + "?asOf=2026-01-05", status: 200, has: []string{`"1.25"`}, lacks: []string{`"1.5"`}},
			{claim: "but not on the day they expire", as: f.client, method: "GET", path: list + "?asOf=2026-02-01", status: 200, has: []string{`"1.5"`}, lacks: []string{`"1.25"`}},
			{claim: "of a security", as: f.client, method: "GET", path: list + "?security=" + f.common, status: 200, has: []string{`"1.25"`}},
			{claim: "of another there are none", as: f.client, method: "GET", path: list + "?security=" + f.id, status: 200, has: []string{`{"data":[]}`}},
			{claim: "a page at a time", as: f.client, method: "GET", path: list + "?limit=1", status: 200, has: []string{"nextCursor"}, lacks: []string{`"1.5"`}},
			{
				claim: "a dry run changes nothing", as: f.client, method: "PUT", path: "/v1/valuation?dryRun=true", body: f.valuation("9", "2026-01-01", `,"id":"`+id+`"`), status: 200,
				has: []string{`"dryRun":true`, `"valuationChanged"`, `"amount":"9"`},
			},
			{claim: "with its id it is stated anew", as: f.client, method: "PUT", path: "/v1/valuation", body: f.valuation("2", "2026-01-01", `,"id":"`+id+`"`), status: 200, has: []string{`"amount":"2"`}, lacks: []string{"expiresOn"}},
			{claim: "what was known is still known", as: f.client, method: "GET", path: path + "?knownAt=" + created.version(t), status: 200, has: []string{`"1.25"`}},
			{claim: "an unknown id is not found", as: f.client, method: "PUT", path: "/v1/valuation", body: f.valuation("2", "2026-01-01", `,"id":"`+f.id+`"`), status: 404},
			{claim: "nor read", as: f.client, method: "GET", path: "/v1/valuation/" + f.common, status: 404},
			{claim: "its class stays", as: f.client, method: "DELETE", path: f.home + "/security/" + f.common, status: 409, has: []string{`"inUse"`, `"valuation"`}},
			{
				claim: "every wrong field of the form is named", as: f.client, method: "PUT", path: "/v1/valuation", status: 400,
				body: `{"organization":"` + f.id + `","type":"x","effectiveDate":"2026-02-30","pricePerShare":{"amount":1,"currency":"USD"},"colour":1}`,
				has:  []string{"/type", "/effectiveDate", "/pricePerShare/amount", "/colour"},
			},
			{
				claim: "and of the meaning", as: f.client, method: "PUT", path: "/v1/valuation", status: 400,
				body: `{"organization":"` + f.id + `","type":"409A","effectiveDate":"2199-01-01","expiresOn":"2198-01-01","security":"` + f.id + `"}`,
				has:  []string{"/effectiveDate", "/expiresOn", "/pricePerShare", "/security"},
			},
		})
		tag := f.must(t, "GET", path, "", 200).header.Get("ETag")
		again := f.valuation("3", "2026-01-01", `,"id":"`+id+`"`)
		f.must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
		f.must(t, "PUT", "/v1/valuation", again, http.StatusOK, "If-Match", tag)
		f.must(t, "PUT", "/v1/valuation", again, http.StatusPreconditionFailed, "If-Match", tag)
	})
}

//nolint:tparallel // one scenario builds on another
func TestTheBodyNamesTheOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, theirs := b.firm(t, "owner@example.com"), b.firm(t, "theirs@example.com")
	investor := b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	body := f.valuation("1", "2026-01-01", "")
	path := f.must(t, "PUT", "/v1/valuation", body, http.StatusCreated).header.Get("Location")
	entity := "/v1/entity/" + f.holder(t, "Ada") + "/capitalChange"
	contribution := `{"organization":"` + f.id + `","kind":"contribution","amount":{"amount":"1","currency":"USD"},"date":"2026-01-01"}`
	run(t, []scenario{
		{claim: "nobody signed in is asked to", as: b.nobody(), method: "PUT", path: "/v1/valuation", body: body, status: 401},
		{claim: "a stranger is refused", as: theirs.client, method: "PUT", path: "/v1/valuation", body: body, status: 403},
		{claim: "also where something else is wrong, which they are not told", as: theirs.client, method: "PUT", path: "/v1/valuation", body: `{"organization":"` + f.id + `","type":5}`, status: 403, lacks: []string{"/type"}},
		{claim: "who may only look may not change", as: investor, method: "PUT", path: "/v1/valuation", body: body, status: 403},
		{claim: "nor enter capital", as: investor, method: "POST", path: entity, body: contribution, status: 403},
		{claim: "but look", as: investor, method: "GET", path: path, status: 200},
		{claim: "a guest may not even that", as: guest, method: "GET", path: path, status: 403},
		{claim: "a stranger knows of nothing", as: theirs.client, method: "GET", path: path, status: 404},
		{claim: "an organization must be named", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"type":"board"}`, status: 400, has: []string{"/organization"}},
		{claim: "by an id", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"organization":5}`, status: 400, has: []string{"/organization"}},
		{claim: "not by null", as: f.client, method: "PATCH", path: entity, body: `{"organization":null,"id":null}`, status: 400, has: []string{"/organization"}},
		{claim: "one that exists", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"organization":"` + f.common + `","type":"board","effectiveDate":"2026-01-01"}`, status: 404},
		{claim: "in a body that is JSON", as: f.client, method: "PUT", path: "/v1/valuation", body: `{`, status: 400, has: []string{"syntax"}},
		{claim: "and there must be one", as: f.client, method: "PUT", path: "/v1/valuation", status: 400},
		{
			claim: "a valuation is stated anew only where it is", as: theirs.client, method: "PUT", path: "/v1/valuation", status: 404,
			body: theirs.valuation("1", "2026-01-01", `,"id":"`+last(path)+`"`),
		},
	})
}
