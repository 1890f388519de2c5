package http_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
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
			claim: "an anonymous caller receives no other error", as: b.anonymous(), method: "POST", path: "/v1/organization/x/shareholding", body: `{`, status: 401,
			has: []string{`"code":"unauthorized"`},
		},
		{
			claim: "the format of ids is checked next", as: stranger, method: "POST", path: "/v1/organization/x/shareholding", body: `{`, status: 400,
			has: []string{`"pointer":"/path/organization","code":"invalidId"`},
		},
		{claim: "the existence of the organization is checked next", as: owner, method: "POST", path: inPath("/organization/{o}/shareholding"), body: `{`, status: 404},
		{claim: "membership is checked next", as: stranger, method: "POST", path: issue, body: `{`, status: 403, has: []string{"Only members of this organization"}},
		{claim: "roles are checked next", as: guest, method: "POST", path: issue, body: `{`, status: 403, has: []string{"roles"}},
		{
			claim: "all invalid fields are named at once", as: owner, method: "POST", path: issue + "?dryrun=true&dryRun=yes", body: `{"shares":1.5,"issueDate":"2023-02-30"}`,
			headers: []string{"Idempotency-Key", "é"}, status: 400, has: []string{
				`"/query/dryrun","code":"unknownField"`, `"/query/dryRun","code":"wrongType"`, `"/header/Idempotency-Key","code":"pattern"`,
				`"/shares","code":"wrongType"`, `"/issueDate","code":"invalidDate"`, `"/security","code":"required"`, `"/entity","code":"required"`,
				`"error":"Bad Request"`, `"message":"Some fields are not valid."`,
			},
		},
		{claim: "an unknown record is not found", as: owner, method: "GET", path: nowhere, status: 404, has: []string{`"code":"resourceNotFound"`}},
		{
			claim: "a duplicate parameter is refused", as: owner, method: "GET", path: issue + "?limit=1&limit=2", status: 400,
			has: []string{"duplicateField"},
		},
		{claim: "a malformed query is refused", as: owner, method: "GET", path: issue + "?a=%zz", status: 400, has: []string{`"/query","code":"syntax"`}},
		{claim: "an impossible date is refused", as: owner, method: "GET", path: issue + "?asOf=2023-02-29", status: 400, has: []string{`"/query/asOf","code":"invalidDate"`}},
		{claim: "a missing body is refused", as: owner, method: "POST", path: issue, status: 400, has: []string{`"pointer":"","code":"required"`}},
		{claim: "malformed JSON is refused", as: owner, method: "POST", path: issue, body: `{"shares":`, status: 400, has: []string{"not valid JSON", `"code":"syntax"`}},
		{
			claim: "a body of another type is refused", as: owner, method: "POST", path: issue, body: `shares=1`, status: 415,
			headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, has: []string{`"code":"unsupportedMediaType"`},
		},
		{
			claim: "a body in another character set is refused", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json; charset=latin1"},
		},
		{
			claim: "a compressed body with a charset is refused", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json; charset=utf-8", "Content-Encoding", "gzip"},
		},
		{
			claim: "a compressed body is refused", as: owner, method: "POST", path: issue, body: `{}`, status: 415,
			headers: []string{"Content-Type", "application/json", "Content-Encoding", "gzip"},
		},
		{
			claim: "a body above 1 MB is refused", as: owner, method: "POST", path: issue, body: `{"comments":["` + strings.Repeat("x", 1<<20) + `"]}`, status: 413,
			has: []string{`"code":"tooLarge"`, "1 MB"},
		},
		{claim: "an unknown path is not found", as: owner, method: "GET", path: "/v1/moon", status: 404, has: []string{"This path does not exist"}},
		{claim: "a path outside the API is not found", as: owner, method: "GET", path: "/index.php", status: 404},
		{claim: "an unknown method is refused", as: owner, method: "PUT", path: issue, status: 405, has: []string{`"code":"methodNotAllowed"`}},
		{claim: "a trailing slash is accepted", as: owner, method: "GET", path: home + "/", status: 200},
	})
	got := owner.send(t, "PUT", issue, "")
	if got.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", got.header.Get("Allow"))
	}
}

func TestForeignRecordsLookLikeUnknownRecords(t *testing.T) {
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
		t.Errorf("the answers differ: %s %s", others.body, none.body)
	}
	member := "/v1/shareholding/" + strings.TrimPrefix(security.header.Get("Location"), home+"/security/")
	owner.must(t, "GET", member, "", http.StatusNotFound)
}

func TestBodyOfUnknownLengthIsLimited(t *testing.T) {
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
func TestInternalFailuresAreNotExposed(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Index = brokenIndex{s.Index}
		s.Replace = map[string]api.Handler{
			"listRoles": func(context.Context, *api.Call) (api.Answer, error) { panic("broken promise") },
			"getMember": func(context.Context, *api.Call) (api.Answer, error) {
				return api.Answer{}, errBroken
			},
		}
	})
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	run(t, []scenario{
		{
			claim: "a failing store is unavailable", as: owner, method: "GET", path: inPath("/shareholding/{h}"), status: 503,
			has: []string{`"code":"unavailable"`}, lacks: []string{"secret"},
		},
		{
			claim: "a panic is reported without its cause", as: owner, method: "GET", path: home + "/role", status: 500,
			has: []string{`"code":"internal"`}, lacks: []string{"promise"},
		},
		{
			claim: "an unexpected error is reported without its cause", as: owner, method: "GET", path: home + "/member/" + owner.user.ID.String(),
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

func TestUnknownOutcomeIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Organizations = uncertainOrganizations{s.Organizations}
	})
	owner := b.person(t, "owner@example.com")
	got := owner.must(t, "POST", "/v1/organization", `{"name":"X","currency":"USD"}`, http.StatusServiceUnavailable, "Idempotency-Key", "first")
	if got.text(t, "code") != "outcomeUnknown" || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "Idempotency-Key") {
		t.Errorf("%v %s", got.header, got.body)
	}
}

func TestUnknownOperationIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.server.Run(context.Background(), &api.Request{Operation: "flyToTheMoon", Header: http.Header{}.Get})
	if err == nil || !strings.Contains(err.Error(), "This path does not exist") {
		t.Errorf("%v", err)
	}
}
