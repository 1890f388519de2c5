package http_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"equity/http/apitest"
)

// Line breaks in names, addresses and file names must not reach headers or mails.
func TestLineBreaksDoNotReachHeadersOrMails(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	named := func(old, replacement string) string { return strings.Replace(registration, old, replacement, 1) }
	apitest.Run(t, []apitest.Scenario{
		{Claim: "an address with a line break is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user", Body: named("grace@example.com", `grace@example.com\r\nBcc: all@example.com`), Status: 400, Has: []string{`"/email"`}},
		{Claim: "two addresses are refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user", Body: named("grace@example.com", `grace@example.com,all@example.com`), Status: 400, Has: []string{`"/email"`}},
		{Claim: "an address with a display name is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user", Body: named("grace@example.com", `Eve <grace@example.com>`), Status: 400, Has: []string{`"/email"`}},
		{Claim: "a first name with a line break is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user", Body: named(`"Grace"`, `"Grace,\n\nyou have won"`), Status: 400, Has: []string{`"/firstName","code":"pattern"`}},
		{Claim: "a member's name with a line break is refused", As: f.Client, Method: "POST", Path: f.Home + "/member", Body: `{"fullName":"A\r\nSubject: B"}`, Status: 400, Has: []string{`"/fullName"`}},
		{Claim: "an invitation address with a line break is refused", As: f.Client, Method: "POST", Path: "/v1/invitation/send", Body: `{"email":"a@example.com\nBcc: b@example.com"}`, Status: 400, Has: []string{`"/email"`}},
		{Claim: "a company name with a line break is refused", As: f.Client, Method: "POST", Path: "/v1/organization", Body: `{"name":"A\nB","currency":"USD"}`, Status: 400, Has: []string{`"/name"`}},
	})
	f.Must(t, "PATCH", f.Home, `{"name":"A\"; filename=\"evil.exe"}`, http.StatusOK)
	for _, format := range []string{"csv", "xlsx", "ocf"} {
		got := f.Must(t, "GET", f.Home+"/captable?format="+format, "", http.StatusOK)
		if name := got.Header.Get("Content-Disposition"); strings.Contains(name, "evil.exe\"") || strings.ContainsAny(name, "\r\n") {
			t.Errorf("%s: %s", format, name)
		}
	}
	const planted = "x\r\nSet-Cookie: connect.sid=planted"
	got := f.Send(t, "GET", "/v1/user/current", "", "X-Request-Id", planted)
	if strings.Contains(
		got.Header.Get("X-Request-Id"), "planted",
	) || strings.Contains(got.Body, "planted") || strings.Contains(b.Log.String(), "planted") {
		t.Errorf("%v %s", got.Header, got.Body)
	}
}

// Paths that a proxy and a server interpret differently, and alternative spellings of ids.
func TestPathsAreNotNormalized(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ours, theirs := b.NewFirm(t, "ada@example.com"), b.NewFirm(t, "mallory@example.com")
	for path, status := range map[string]int{
		"/v1/organization/" + theirs.ID + "/../" + ours.ID:              http.StatusNotFound,
		"/v1/organization/" + theirs.ID + "%2F..%2F" + ours.ID:          http.StatusNotFound,
		"//v1/organization/" + ours.ID:                                  http.StatusNotFound,
		"/v1//organization/" + ours.ID:                                  http.StatusNotFound,
		"/V1/organization/" + ours.ID:                                   http.StatusNotFound,
		"/api/api/v1/organization/" + ours.ID:                           http.StatusNotFound,
		"/v1/organization/" + ours.ID + "/captable;x=" + theirs.ID:      http.StatusNotFound,
		"/v1/organization/" + ours.ID + "/captable":                     http.StatusForbidden,
		"/v1/organization/" + strings.ToUpper(ours.ID) + "/captable":    http.StatusForbidden,
		"/v1/organization/" + ours.ID + "/captable/":                    http.StatusForbidden,
		"/v1/organization/" + ours.ID + "%00/captable":                  http.StatusBadRequest,
		"/v1/organization/" + ours.ID + "%0d%0aX-Evil:1/captable":       http.StatusBadRequest,
		"/v1/organization/{" + ours.ID + "}/captable":                   http.StatusBadRequest,
		"/v1/organization/urn:uuid:" + ours.ID + "/captable":            http.StatusBadRequest,
		"/v1/organization/" + strings.ReplaceAll(ours.ID, "-", "") + "": http.StatusBadRequest,
		"/v1/organization/*/captable":                                   http.StatusBadRequest,
		"/v1/organization/' OR 1=1 --/captable":                         http.StatusBadRequest,
		"/docs/../v1/organization/" + ours.ID:                           http.StatusNotFound,
		"/v1/user%2Fcurrent":                                            http.StatusNotFound,
		"/v1%5Cuser/current":                                            http.StatusNotFound,
		"/docs/..%2f..%2fetc/passwd":                                    http.StatusNotFound,
	} {
		if got := rawAnswer(t, theirs.Client, path); got.Code != status || strings.Contains(
			got.Body.String(), "Analytical Engines",
		) || got.Header().Get("X-Evil") != "" {
			t.Errorf("%s: %d, want %d: %s", path, got.Code, status, got.Body)
		}
	}
	held := ours.Issue(t, ours.NewHolder(t, "Ada"), "10")
	for _, header := range []string{"X-Http-Method-Override", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url"} {
		value := map[bool]string{true: "DELETE", false: held}[strings.Contains(header, "Method")]
		ours.Must(t, "GET", held, "", http.StatusOK, header, value)
		theirs.Must(t, "GET", "/v1/user/current", "", http.StatusOK, header, value)
	}
}

// rawAnswer sends the path without normalizing it.
func rawAnswer(tb testing.TB, c *apitest.Client, path string) *httptest.ResponseRecorder {
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
	r.Header.Set("Cookie", c.Cookie)
	w := httptest.NewRecorder()
	c.HTTP.ServeHTTP(w, r)
	return w
}

// A repeated field is refused: two parsers may choose different values for it.
func TestDuplicateFieldsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	run := func(path, body string) {
		t.Helper()
		if got := f.Send(t, "POST", path, body); got.Status != http.StatusBadRequest {
			t.Errorf("%s %s: %d %s", path, body, got.Status, got.Body)
		}
	}
	run("/v1/user/login", `{"email":"ada@example.com","password":"x","email":"mallory@example.com"}`)
	run(f.Home+"/role", `{"name":"X","permissions":["viewSelf"],"permissions":["editBilling"]}`)
	run(f.Home+"/role?dryRun=true&dryRun=false", `{"name":"X","permissions":["viewSelf"]}`)
	run(f.Home+"/role", `{"name":"X","permissions":["viewSelf"]} {"name":"Y"}`)
	run(f.Home+"/role", `{"NAME":"X","permissions":["viewSelf"]}`)
}
