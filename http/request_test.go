package http_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
)

//nolint:tparallel // one scenario builds on another
func TestRequestsAreCheckedInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, stranger, guest := b.person(t, "owner@example.com"), b.person(t, "stranger@example.com"), b.person(t, "guest@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Guest")
	issue := home + "/shareholding"
	const nowhere = "/v1/shareholding/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"
	run(t, []scenario{
		{
			claim: "who is not signed in is told nothing else", as: b.nobody(), method: "POST", path: "/v1/organization/x/shareholding", body: `{`, status: 401,
			has: []string{`"code":"unauthorized"`},
		},
		{
			claim: "an id that is none comes next", as: stranger, method: "POST", path: "/v1/organization/x/shareholding", body: `{`, status: 400,
			has: []string{`"pointer":"/path/organization","code":"invalidId"`},
		},
		{claim: "then whether it exists", as: owner, method: "POST", path: inPath("/organization/{o}/shareholding"), body: `{`, status: 404},
		{claim: "then whether the caller is a member", as: stranger, method: "POST", path: issue, body: `{`, status: 403, has: []string{"not a member"}},
		{claim: "then what their roles permit", as: guest, method: "POST", path: issue, body: `{`, status: 403, has: []string{"roles"}},
		{
			claim: "then everything that is wrong", as: owner, method: "POST", path: issue + "?dryrun=true&dryRun=yes", body: `{"shares":1.5,"issueDate":"2023-02-30"}`,
			headers: []string{"Idempotency-Key", "é"}, status: 400, has: []string{
				`"/query/dryrun","code":"unknownField"`, `"/query/dryRun","code":"wrongType"`, `"/header/Idempotency-Key","code":"pattern"`,
				`"/shares","code":"wrongType"`, `"/issueDate","code":"invalidDate"`, `"/security","code":"required"`, `"/entity","code":"required"`,
				`"error":"Bad Request"`, `"message":"Some fields are not valid."`,
			},
		},
		{claim: "a record of nobody", as: owner, method: "GET", path: nowhere, status: 404, has: []string{`"code":"resourceNotFound"`}},
		{claim: "a parameter that is there twice", as: owner, method: "GET", path: issue + "?limit=1&limit=2", status: 400, has: []string{"duplicateField"}},
		{claim: "a query that is none", as: owner, method: "GET", path: issue + "?a=%zz", status: 400, has: []string{`"/query","code":"syntax"`}},
		{claim: "a day that does not exist", as: owner, method: "GET", path: issue + "?asOf=2023-02-29", status: 400, has: []string{`"/query/asOf","code":"invalidDate"`}},
		{claim: "a body that is missing", as: owner, method: "POST", path: issue, status: 400, has: []string{`"pointer":"","code":"required"`}},
		{claim: "a body that is not JSON", as: owner, method: "POST", path: issue, body: `{"shares":`, status: 400, has: []string{"not valid JSON", `"code":"syntax"`}},
		{
			claim: "a body of another type", as: owner, method: "POST", path: issue, body: `shares=1`, status: 415,
			headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, has: []string{`"code":"unsupportedMediaType"`},
		},
		{
			claim: "a body in another character set", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json; charset=latin1"},
		},
		{
			claim: "a body that says it is compressed", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json; charset=utf-8", "Content-Encoding", "gzip"},
		},
		{
			claim: "a compressed body of the plainest type", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json", "Content-Encoding", "gzip"},
		},
		{
			claim: "a body over a megabyte", as: owner, method: "POST", path: issue, body: `{"comments":["` + strings.Repeat("x", 1<<20) + `"]}`, status: 413,
			has: []string{`"code":"tooLarge"`, "1 MB"},
		},
		{claim: "a path that is none", as: owner, method: "GET", path: "/v1/moon", status: 404, has: []string{"nothing at this address"}},
		{claim: "a path outside of the interface", as: owner, method: "GET", path: "/index.php", status: 404},
		{claim: "a method that the path does not know", as: owner, method: "PUT", path: issue, status: 405, has: []string{`"code":"methodNotAllowed"`}},
		{claim: "a slash at the end is no matter", as: owner, method: "GET", path: home + "/", status: 200},
	})
	got := owner.send(t, "PUT", issue, "")
	if got.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", got.header.Get("Allow"))
	}
}

func TestRecordsOfOthersAreAsUnknownAsNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, stranger := b.person(t, "owner@example.com"), b.person(t, "stranger@example.com")
	home := owner.company(t)
	security := owner.must(t, "POST", home+"/security", `{"name":"Common","shareType":"common","authorizedShares":"1000"}`, http.StatusCreated)
	body := `{"entity":"` + owner.user.Entity.String() + `","security":"` + security.text(t, "id") + `","shares":"10","issueDate":"2026-01-05"}`
	held := owner.must(t, "POST", home+"/shareholding", body, http.StatusCreated).header.Get("Location")
	owner.must(t, "GET", held, "", http.StatusOK)
	others := stranger.must(t, "GET", held, "", http.StatusNotFound, "X-Request-Id", "same")
	none := stranger.must(t, "GET", inPath("/shareholding/{h}"), "", http.StatusNotFound, "X-Request-Id", "same")
	if others.body != none.body {
		t.Errorf("they differ: %s %s", others.body, none.body)
	}
	member := "/v1/shareholding/" + strings.TrimPrefix(security.header.Get("Location"), home+"/security/")
	owner.must(t, "GET", member, "", http.StatusNotFound)
}

func TestBodyOfUnknownLength(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	send := func(body string) int {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/organization", bytes.NewReader([]byte(body)))
		r.ContentLength = -1
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Cookie", owner.cookie)
		w := httptest.NewRecorder()
		b.server.ServeHTTP(w, r)
		return w.Code
	}
	if status := send(`{"name":"Chunks","currency":"USD"}`); status != http.StatusCreated {
		t.Errorf("%d", status)
	}
	if status := send(strings.Repeat(" ", 1<<20+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", status)
	}
}

//nolint:tparallel // one scenario builds on another
func TestFailuresOfOthers(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Index = brokenIndex{s.Index}
		s.Replace = map[string]equityhttp.Handler{
			"listRoles": func(context.Context, *equityhttp.Call) (equityhttp.Answer, error) { panic("broken promise") },
			"getMember": func(context.Context, *equityhttp.Call) (equityhttp.Answer, error) {
				return equityhttp.Answer{}, errBroken
			},
		}
	})
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	run(t, []scenario{
		{
			claim: "a store that does not answer is unavailable", as: owner, method: "GET", path: inPath("/shareholding/{h}"), status: 503,
			has: []string{`"code":"unavailable"`}, lacks: []string{"secret"},
		},
		{
			claim: "a panic is one bland sentence", as: owner, method: "GET", path: home + "/role", status: 500,
			has: []string{`"code":"internal"`}, lacks: []string{"promise"},
		},
		{
			claim: "what is unknown is one bland sentence", as: owner, method: "GET", path: home + "/member/" + owner.user.ID.String(),
			status: 500, has: []string{`"code":"internal"`}, lacks: []string{"secret"},
		},
	})
	log := b.log.String()
	for _, text := range []string{"broken promise", "secret cause", "stack="} {
		if !strings.Contains(log, text) {
			t.Errorf("the log lacks %q", text)
		}
	}
}

func TestUnknownOutcomesAreTold(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Organizations = uncertain{s.Organizations} })
	owner := b.person(t, "owner@example.com")
	got := owner.must(t, "POST", "/v1/organization", `{"name":"X","currency":"USD"}`, http.StatusServiceUnavailable, "Idempotency-Key", "first")
	if got.text(t, "code") != "outcomeUnknown" || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "Idempotency-Key") {
		t.Errorf("%v %s", got.header, got.body)
	}
}

func TestFeaturesThatAreOffAreNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.server.Run(context.Background(), &equityhttp.Request{Operation: "flyToTheMoon", Header: http.Header{}.Get})
	if err == nil || !strings.Contains(err.Error(), "nothing at this address") {
		t.Errorf("%v", err)
	}
}
