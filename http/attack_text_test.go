package http_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Line breaks in names, addresses and file names must not reach headers or mails.
//
//nolint:tparallel // one scenario builds on another
func TestLineBreaksDoNotReachHeadersOrMails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	named := func(old, replacement string) string { return strings.Replace(registration, old, replacement, 1) }
	run(t, []scenario{
		{claim: "an address with a line break is refused", as: b.anonymous(), method: "POST", path: "/v1/user", body: named("grace@example.com", `grace@example.com\r\nBcc: all@example.com`), status: 400, has: []string{`"/email"`}},
		{claim: "two addresses are refused", as: b.anonymous(), method: "POST", path: "/v1/user", body: named("grace@example.com", `grace@example.com,all@example.com`), status: 400, has: []string{`"/email"`}},
		{claim: "an address with a display name is refused", as: b.anonymous(), method: "POST", path: "/v1/user", body: named("grace@example.com", `Eve <grace@example.com>`), status: 400, has: []string{`"/email"`}},
		{claim: "a first name with a line break is refused", as: b.anonymous(), method: "POST", path: "/v1/user", body: named(`"Grace"`, `"Grace,\n\nyou have won"`), status: 400, has: []string{`"/firstName","code":"pattern"`}},
		{claim: "a member's name with a line break is refused", as: f.client, method: "POST", path: f.home + "/member", body: `{"fullName":"A\r\nSubject: B"}`, status: 400, has: []string{`"/fullName"`}},
		{claim: "an invitation address with a line break is refused", as: f.client, method: "POST", path: "/v1/invitation/send", body: `{"email":"a@example.com\nBcc: b@example.com"}`, status: 400, has: []string{`"/email"`}},
		{claim: "a company name with a line break is refused", as: f.client, method: "POST", path: "/v1/organization", body: `{"name":"A\nB","currency":"USD"}`, status: 400, has: []string{`"/name"`}},
	})
	f.must(t, "PATCH", f.home, `{"name":"A\"; filename=\"evil.exe"}`, http.StatusOK)
	for _, format := range []string{"csv", "xlsx", "ocf"} {
		got := f.must(t, "GET", f.home+"/captable?format="+format, "", http.StatusOK)
		if name := got.header.Get("Content-Disposition"); strings.Contains(name, "evil.exe\"") || strings.ContainsAny(name, "\r\n") {
			t.Errorf("%s: %s", format, name)
		}
	}
	const planted = "x\r\nSet-Cookie: connect.sid=planted"
	got := f.send(t, "GET", "/v1/user/current", "", "X-Request-Id", planted)
	if strings.Contains(
		got.header.Get("X-Request-Id"), "planted",
	) || strings.Contains(got.body, "planted") || strings.Contains(b.log.String(), "planted") {
		t.Errorf("%v %s", got.header, got.body)
	}
}

// Paths that a proxy and a server interpret differently, and alternative spellings of ids.
func TestPathsAreNotNormalized(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.firm(t, "ada@example.com"), b.firm(t, "mallory@example.com")
	for path, status := range map[string]int{
		"/v1/organization/" + theirs.id + "/../" + ours.id:              http.StatusNotFound,
		"/v1/organization/" + theirs.id + "%2F..%2F" + ours.id:          http.StatusNotFound,
		"//v1/organization/" + ours.id:                                  http.StatusNotFound,
		"/v1//organization/" + ours.id:                                  http.StatusNotFound,
		"/V1/organization/" + ours.id:                                   http.StatusNotFound,
		"/api/api/v1/organization/" + ours.id:                           http.StatusNotFound,
		"/v1/organization/" + ours.id + "/captable;x=" + theirs.id:      http.StatusNotFound,
		"/v1/organization/" + ours.id + "/captable":                     http.StatusForbidden,
		"/v1/organization/" + strings.ToUpper(ours.id) + "/captable":    http.StatusForbidden,
		"/v1/organization/" + ours.id + "/captable/":                    http.StatusForbidden,
		"/v1/organization/" + ours.id + "%00/captable":                  http.StatusBadRequest,
		"/v1/organization/" + ours.id + "%0d%0aX-Evil:1/captable":       http.StatusBadRequest,
		"/v1/organization/{" + ours.id + "}/captable":                   http.StatusBadRequest,
		"/v1/organization/urn:uuid:" + ours.id + "/captable":            http.StatusBadRequest,
		"/v1/organization/" + strings.ReplaceAll(ours.id, "-", "") + "": http.StatusBadRequest,
		"/v1/organization/*/captable":                                   http.StatusBadRequest,
		"/v1/organization/' OR 1=1 --/captable":                         http.StatusBadRequest,
		"/docs/../v1/organization/" + ours.id:                           http.StatusNotFound,
		"/v1/user%2Fcurrent":                                            http.StatusNotFound,
		"/v1%5Cuser/current":                                            http.StatusNotFound,
		"/docs/..%2f..%2fetc/passwd":                                    http.StatusNotFound,
	} {
		if got := theirs.raw(t, path); got.Code != status || strings.Contains(
			got.Body.String(), "Analytical Engines",
		) || got.Header().Get("X-Evil") != "" {
			t.Errorf("%s: %d, want %d: %s", path, got.Code, status, got.Body)
		}
	}
	held := ours.issue(t, ours.holder(t, "Ada"), "10")
	for _, header := range []string{"X-Http-Method-Override", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url"} {
		value := map[bool]string{true: "DELETE", false: held}[strings.Contains(header, "Method")]
		ours.must(t, "GET", held, "", http.StatusOK, header, value)
		theirs.must(t, "GET", "/v1/user/current", "", http.StatusOK, header, value)
	}
}

// raw sends the path without normalizing it.
func (c *client) raw(tb testing.TB, path string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	address, err := url.ParseRequestURI(strings.ReplaceAll(path, " ", "%20"))
	if err != nil {
		tb.Fatal(err)
	}
	if strings.HasPrefix(path, "//") {
		address = &url.URL{Path: path}
	}
	r.URL = address
	r.Header.Set("Cookie", c.cookie)
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	return w
}

// A repeated field is refused: two parsers may choose different values for it.
func TestDuplicateFieldsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	run := func(path, body string) {
		t.Helper()
		if got := f.send(t, "POST", path, body); got.status != http.StatusBadRequest {
			t.Errorf("%s %s: %d %s", path, body, got.status, got.body)
		}
	}
	run("/v1/user/login", `{"email":"ada@example.com","password":"x","email":"mallory@example.com"}`)
	run(f.home+"/role", `{"name":"X","permissions":["viewSelf"],"permissions":["editBilling"]}`)
	run(f.home+"/role?dryRun=true&dryRun=false", `{"name":"X","permissions":["viewSelf"]}`)
	run(f.home+"/role", `{"name":"X","permissions":["viewSelf"]} {"name":"Y"}`)
	run(f.home+"/role", `{"NAME":"X","permissions":["viewSelf"]}`)
}
