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
	"equity/http/apitest"
)

func TestRequestsAreCheckedInOrder(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, stranger, guest := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "stranger@example.com"),
		b.NewPerson(t, "guest@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, guest, "Guest")
	issue := home + "/shareholding"
	const nowhere = "/v1/shareholding/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "an anonymous caller receives no other error", As: b.Anonymous(), Method: "POST", Path: "/v1/organization/x/shareholding", Body: `{`, Status: 401,
			Has: []string{`"code":"unauthorized"`},
		},
		{
			Claim: "the format of ids is checked next", As: stranger, Method: "POST", Path: "/v1/organization/x/shareholding", Body: `{`, Status: 400,
			Has: []string{`"pointer":"/path/organization","code":"invalidId"`},
		},
		{Claim: "the existence of the organization is checked next", As: owner, Method: "POST", Path: inPath("/organization/{o}/shareholding"), Body: `{`, Status: 404},
		{Claim: "membership is checked next", As: stranger, Method: "POST", Path: issue, Body: `{`, Status: 403, Has: []string{"Only members of this organization"}},
		{Claim: "roles are checked next", As: guest, Method: "POST", Path: issue, Body: `{`, Status: 403, Has: []string{"roles"}},
		{
			Claim: "all invalid fields are named at once", As: owner, Method: "POST", Path: issue + "?dryrun=true&dryRun=yes", Body: `{"shares":1.5,"issueDate":"2023-02-30"}`,
			Headers: []string{"Idempotency-Key", "é"}, Status: 400, Has: []string{
				`"/query/dryrun","code":"unknownField"`, `"/query/dryRun","code":"wrongType"`, `"/header/Idempotency-Key","code":"pattern"`,
				`"/shares","code":"wrongType"`, `"/issueDate","code":"invalidDate"`, `"/security","code":"required"`, `"/entity","code":"required"`,
				`"error":"Bad Request"`, `"message":"Some fields are not valid."`,
			},
		},
		{Claim: "an unknown record is not found", As: owner, Method: "GET", Path: nowhere, Status: 404, Has: []string{`"code":"resourceNotFound"`}},
		{
			Claim: "a duplicate parameter is refused", As: owner, Method: "GET", Path: issue + "?limit=1&limit=2", Status: 400,
			Has: []string{"duplicateField"},
		},
		{Claim: "a malformed query is refused", As: owner, Method: "GET", Path: issue + "?a=%zz", Status: 400, Has: []string{`"/query","code":"syntax"`}},
		{Claim: "an impossible date is refused", As: owner, Method: "GET", Path: issue + "?asOf=2023-02-29", Status: 400, Has: []string{`"/query/asOf","code":"invalidDate"`}},
		{Claim: "a missing body is refused", As: owner, Method: "POST", Path: issue, Status: 400, Has: []string{`"pointer":"","code":"required"`}},
		{Claim: "malformed JSON is refused", As: owner, Method: "POST", Path: issue, Body: `{"shares":`, Status: 400, Has: []string{"not valid JSON", `"code":"syntax"`}},
		{
			Claim: "a body of another type is refused", As: owner, Method: "POST", Path: issue, Body: `shares=1`, Status: 415,
			Headers: []string{"Content-Type", "application/x-www-form-urlencoded"}, Has: []string{`"code":"unsupportedMediaType"`},
		},
		{
			Claim: "a body in another character set is refused", As: owner, Method: "POST", Path: issue, Body: `{}`, Status: 415,
			Headers: []string{"Content-Type", "application/json; charset=latin1"},
		},
		{
			Claim: "a compressed body with a charset is refused", As: owner, Method: "POST", Path: issue, Body: `{}`, Status: 415,
			Headers: []string{"Content-Type", "application/json; charset=utf-8", "Content-Encoding", "gzip"},
		},
		{
			Claim: "a compressed body is refused", As: owner, Method: "POST", Path: issue, Body: `{}`, Status: 415,
			Headers: []string{"Content-Type", "application/json", "Content-Encoding", "gzip"},
		},
		{
			Claim: "a body above 1 MB is refused", As: owner, Method: "POST", Path: issue, Body: `{"comments":["` + strings.Repeat("x", 1<<20) + `"]}`, Status: 413,
			Has: []string{`"code":"tooLarge"`, "1 MB"},
		},
		{Claim: "an unknown path is not found", As: owner, Method: "GET", Path: "/v1/moon", Status: 404, Has: []string{"This path does not exist"}},
		{Claim: "a path outside the API is not found", As: owner, Method: "GET", Path: "/index.php", Status: 404},
		{Claim: "an unknown method is refused", As: owner, Method: "PUT", Path: issue, Status: 405, Has: []string{`"code":"methodNotAllowed"`}},
		{Claim: "a trailing slash is accepted", As: owner, Method: "GET", Path: home + "/", Status: 200},
	})
	got := owner.Send(t, "PUT", issue, "")
	if got.Header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", got.Header.Get("Allow"))
	}
}

func TestForeignRecordsLookLikeUnknownRecords(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, stranger := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "stranger@example.com")
	home := owner.NewOrganization(t)
	security := owner.Must(t, "POST", home+"/security", `{"name":"Common","shareType":"common","authorizedShares":"1000"}`, http.StatusCreated)
	body := `{"entity":"` + owner.User.Entity.String() + `","security":"` + security.Text(t, "id") + `","shares":"10","issueDate":"2026-01-05"}`
	held := owner.Must(t, "POST", home+"/shareholding", body, http.StatusCreated).Header.Get("Location")
	owner.Must(t, "GET", held, "", http.StatusOK)
	others := stranger.Must(t, "GET", held, "", http.StatusNotFound, "X-Request-Id", "same")
	none := stranger.Must(t, "GET", inPath("/shareholding/{h}"), "", http.StatusNotFound, "X-Request-Id", "same")
	if others.Body != none.Body {
		t.Errorf("the answers differ: %s %s", others.Body, none.Body)
	}
	member := "/v1/shareholding/" + strings.TrimPrefix(security.Header.Get("Location"), home+"/security/")
	owner.Must(t, "GET", member, "", http.StatusNotFound)
}

func TestBodyOfUnknownLengthIsLimited(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	send := func(body string) int {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/organization", bytes.NewReader([]byte(body)))
		r.ContentLength = -1
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Cookie", owner.Cookie)
		w := httptest.NewRecorder()
		b.HTTP.ServeHTTP(w, r)
		return w.Code
	}
	if status := send(`{"name":"Chunks","currency":"USD"}`); status != http.StatusCreated {
		t.Errorf("%d", status)
	}
	if status := send(strings.Repeat(" ", 1<<20+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d", status)
	}
}

func TestInternalFailuresAreNotExposed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Index = brokenIndex{s.Index}
		s.Replace = map[string]api.Handler{
			"listRoles": func(context.Context, *api.Call) (api.Answer, error) { panic("broken promise") },
			"getMember": func(context.Context, *api.Call) (api.Answer, error) {
				return api.Answer{}, errBroken
			},
		}
	})
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a failing store is unavailable", As: owner, Method: "GET", Path: inPath("/shareholding/{h}"), Status: 503,
			Has: []string{`"code":"unavailable"`}, Lacks: []string{"secret"},
		},
		{
			Claim: "a panic is reported without its cause", As: owner, Method: "GET", Path: home + "/role", Status: 500,
			Has: []string{`"code":"internal"`}, Lacks: []string{"promise"},
		},
		{
			Claim: "an unexpected error is reported without its cause", As: owner, Method: "GET", Path: home + "/member/" + owner.User.ID.String(),
			Status: 500, Has: []string{`"code":"internal"`}, Lacks: []string{"secret"},
		},
	})
	log := b.Log.String()
	for _, text := range []string{"broken promise", "secret cause", "stack="} {
		if !strings.Contains(log, text) {
			t.Errorf("the log lacks %q", text)
		}
	}
}

func TestUnknownOutcomeIsReported(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Organizations = uncertainOrganizations{s.Organizations}
	})
	owner := b.NewPerson(t, "owner@example.com")
	got := owner.Must(t, "POST", "/v1/organization", `{"name":"X","currency":"USD"}`, http.StatusServiceUnavailable, "Idempotency-Key", "first")
	if got.Text(t, "code") != "outcomeUnknown" || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Body, "Idempotency-Key") {
		t.Errorf("%v %s", got.Header, got.Body)
	}
}

func TestUnknownOperationIsNotFound(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	_, err := b.HTTP.Run(context.Background(), &api.Request{Operation: "flyToTheMoon", Header: http.Header{}.Get})
	if err == nil || !strings.Contains(err.Error(), "This path does not exist") {
		t.Errorf("%v", err)
	}
}
