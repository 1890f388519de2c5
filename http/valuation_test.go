package http_test

import (
	"net/http"
	"testing"
)

// valuation returns the body of a valuation of the firm's common stock, with additional fields.
func (f *firm) valuation(price, on, more string) string {
	return `{"organization":"` + f.id + `","security":"` + f.common + `","type":"409A","effectiveDate":"` + on +
		`","pricePerShare":{"amount":"` + price + `","currency":"USD"}` + more + `}`
}

func TestValuationsAreStatedAndListed(t *testing.T) {
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
			{claim: "all valuations are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{`"1.25"`, `"1.5"`}},
			{claim: "valuations in force on a date are listed", as: f.client, method: "GET", path: list + "?asOf=2026-01-05", status: 200, has: []string{`"1.25"`}, lacks: []string{`"1.5"`}},
			{claim: "a valuation expires on its expiry date", as: f.client, method: "GET", path: list + "?asOf=2026-02-01", status: 200, has: []string{`"1.5"`}, lacks: []string{`"1.25"`}},
			{claim: "the list is filtered by security", as: f.client, method: "GET", path: list + "?security=" + f.common, status: 200, has: []string{`"1.25"`}},
			{claim: "another security has no valuations", as: f.client, method: "GET", path: list + "?security=" + f.id, status: 200, has: []string{`{"data":[]}`}},
			{claim: "the list is paged", as: f.client, method: "GET", path: list + "?limit=1", status: 200, has: []string{"nextCursor"}, lacks: []string{`"1.5"`}},
			{
				claim: "a dry run changes nothing", as: f.client, method: "PUT", path: "/v1/valuation?dryRun=true", body: f.valuation("9", "2026-01-01", `,"id":"`+id+`"`), status: 200,
				has: []string{`"dryRun":true`, `"valuationChanged"`, `"amount":"9"`},
			},
			{claim: "a valuation is replaced by its id", as: f.client, method: "PUT", path: "/v1/valuation", body: f.valuation("2", "2026-01-01", `,"id":"`+id+`"`), status: 200, has: []string{`"amount":"2"`}, lacks: []string{"expiresOn"}},
			{claim: "an earlier version stays readable", as: f.client, method: "GET", path: path + "?knownAt=" + created.version(t), status: 200, has: []string{`"1.25"`}},
			{claim: "an unknown valuation cannot be replaced", as: f.client, method: "PUT", path: "/v1/valuation", body: f.valuation("2", "2026-01-01", `,"id":"`+f.id+`"`), status: 404},
			{claim: "an unknown valuation is not found", as: f.client, method: "GET", path: "/v1/valuation/" + f.common, status: 404},
			{claim: "a security with a valuation cannot be deleted", as: f.client, method: "DELETE", path: f.home + "/security/" + f.common, status: 409, has: []string{`"inUse"`, `"valuation"`}},
			{
				claim: "every malformed field is named", as: f.client, method: "PUT", path: "/v1/valuation", status: 400,
				body: `{"organization":"` + f.id + `","type":"x","effectiveDate":"2026-02-30","pricePerShare":{"amount":1,"currency":"USD"},"colour":1}`,
				has:  []string{"/type", "/effectiveDate", "/pricePerShare/amount", "/colour"},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "PUT", path: "/v1/valuation", status: 400,
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
func TestOrganizationInTheBodyIsAuthorized(t *testing.T) {
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
		{claim: "an anonymous caller is refused", as: b.anonymous(), method: "PUT", path: "/v1/valuation", body: body, status: 401},
		{claim: "a stranger is refused", as: theirs.client, method: "PUT", path: "/v1/valuation", body: body, status: 403},
		{claim: "a stranger receives no field errors", as: theirs.client, method: "PUT", path: "/v1/valuation", body: `{"organization":"` + f.id + `","type":5}`, status: 403, lacks: []string{"/type"}},
		{claim: "an investor may not state a valuation", as: investor, method: "PUT", path: "/v1/valuation", body: body, status: 403},
		{claim: "an investor may not enter a contribution", as: investor, method: "POST", path: entity, body: contribution, status: 403},
		{claim: "an investor reads a valuation", as: investor, method: "GET", path: path, status: 200},
		{claim: "a guest may not read a valuation", as: guest, method: "GET", path: path, status: 403},
		{claim: "a stranger finds no valuation", as: theirs.client, method: "GET", path: path, status: 404},
		{claim: "the organization is required", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"type":"board"}`, status: 400, has: []string{"/organization"}},
		{claim: "the organization must be an id", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"organization":5}`, status: 400, has: []string{"/organization"}},
		{claim: "the organization must not be null", as: f.client, method: "PATCH", path: entity, body: `{"organization":null,"id":null}`, status: 400, has: []string{"/organization"}},
		{claim: "an unknown organization is not found", as: f.client, method: "PUT", path: "/v1/valuation", body: `{"organization":"` + f.common + `","type":"board","effectiveDate":"2026-01-01"}`, status: 404},
		{claim: "malformed JSON is refused", as: f.client, method: "PUT", path: "/v1/valuation", body: `{`, status: 400, has: []string{"syntax"}},
		{claim: "a missing body is refused", as: f.client, method: "PUT", path: "/v1/valuation", status: 400},
		{
			claim: "a valuation cannot be replaced from another organization", as: theirs.client, method: "PUT", path: "/v1/valuation", status: 404,
			body: theirs.valuation("1", "2026-01-01", `,"id":"`+last(path)+`"`),
		},
	})
}
