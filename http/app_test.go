package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/apitest"
)

// browser is the header Accept of a navigation.
const browser = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestAppAnswersItsPathsOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for _, c := range []struct {
		method, path, accept string
		status               int
		words                string
	}{
		{"GET", "/", "", 200, apitest.StartPage},
		{"HEAD", "/", "", 200, ""},
		{"GET", "/login?authenticated=true", "*/*", 200, apitest.StartPage},
		{"GET", "/organization/7/captable", browser, 200, apitest.StartPage},
		{"GET", "/assets/a.js", "*/*", 200, apitest.StartScript},
		{"GET", "/favicon.svg", browser, 200, "<svg/>"},
		{"GET", "/docs", browser, 200, "<h1"},
		{"GET", "/organization/7/captable", "application/json", 404, `"code":"resourceNotFound"`},
		{"GET", "/nowhere", "", 404, `"code":"resourceNotFound"`},
		{"GET", "/assets/gone.js", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/robots.txt", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/v1/nowhere", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/v1", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/api/v1/nowhere", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/api/nowhere", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/oauth/nowhere", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/.well-known/nowhere", browser, 404, `"code":"resourceNotFound"`},
		{"GET", "/docs/nowhere", browser, 404, ""},
		{"POST", "/", browser, 405, `"code":"methodNotAllowed"`},
		{"POST", "/login", browser, 405, `"code":"methodNotAllowed"`},
		{"DELETE", "/assets/a.js", browser, 405, `"code":"methodNotAllowed"`},
		{"POST", "/organization/7/captable", browser, 404, `"code":"resourceNotFound"`},
	} {
		got := b.Anonymous().Send(t, c.method, c.path, "", "Accept", c.accept)
		if got.Status != c.status || !strings.Contains(got.Body, c.words) {
			t.Errorf("%s %s for %q: %d %s", c.method, c.path, c.accept, got.Status, got.Body)
		}
		if c.status == 405 && got.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s %s: %v", c.method, c.path, got.Header)
		}
	}
}

func TestServerWithoutAnAppHasNoPages(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.App = nil })
	for _, path := range []string{"/", "/login", "/assets/a.js"} {
		b.Anonymous().Must(t, "GET", path, "", http.StatusNotFound, "Accept", browser)
	}
}

func TestAppNeedsNoSlotAndNoSession(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(settings *equityhttp.Settings, s *equityhttp.Services) {
		settings.Queue = equityhttp.QueueSettings{Parallel: 1, Wait: time.Millisecond}
		s.Sessions = brokenSessions{s.Sessions}
	})
	equityhttp.TakeSlots(b.HTTP, 1)
	for _, path := range []string{"/", "/login", "/assets/a.js"} {
		got := (&apitest.Client{Server: b, Cookie: "connect.sid=x"}).Must(t, "GET", path, "", http.StatusOK)
		if got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
}

func TestAnswersOfTheAppCanBeShared(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	got := b.Anonymous().Must(t, "GET", "/assets/a.js", "", http.StatusOK, "Accept-Encoding", "gzip, br", "Origin", apitest.FrontendOrigin)
	for name, want := range map[string]string{
		"Vary": "Accept-Encoding", "Cache-Control": "public, max-age=31536000, immutable", "Content-Encoding": "br",
		"Access-Control-Allow-Origin": "", "Cross-Origin-Resource-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s is %q", name, got.Header.Get(name))
		}
	}
	page := b.Anonymous().Must(t, "GET", "/", "", http.StatusOK)
	again := b.Anonymous().Must(t, "GET", "/", "", http.StatusNotModified, "If-None-Match", page.Header.Get("ETag"))
	for _, name := range []string{"Content-Security-Policy", "Cache-Control", "ETag"} {
		if got := again.Header.Get(name); got == "" || got != page.Header.Get(name) {
			t.Errorf("%s became %q", name, got)
		}
	}
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self' 'sha256-") {
		t.Error(policy)
	}
	if missing := b.Anonymous().Send(t, "GET", "/assets/gone.js", ""); strings.Contains(missing.Header.Get("Cache-Control"), "max-age") {
		t.Errorf("a missing file is stored: %v", missing.Header)
	}
}

func TestAppIsCountedAsOneRoute(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for _, path := range []string{"/", "/organization/7", "/organization/8/captable", "/assets/a.js"} {
		b.Anonymous().Must(t, "GET", path, "", http.StatusOK, "Accept", browser)
	}
	b.Anonymous().Must(t, "GET", "/assets/gone.js", "", http.StatusNotFound)
	if got := countedStatuses(t, b); got["GET /app 200"] != 4 || got["GET none 404"] != 1 || len(got) != 2 {
		t.Errorf("%v", got)
	}
	if !strings.Contains(b.Log.String(), "route=/app status=200") {
		t.Error("the requests are not in the log")
	}
}

func BenchmarkApp(b *testing.B) {
	server := apitest.Setup(b).HTTP
	for name, path := range map[string]string{"file": "/assets/a.js", "page": "/organization/7"} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Header.Set("Accept", browser)
			r.Header.Set("Accept-Encoding", "gzip, br")
			b.ReportAllocs()
			for b.Loop() {
				server.ServeHTTP(&discarded{http.Header{}}, r)
			}
		})
	}
}

// discarded is an answer that is not kept.
type discarded struct{ header http.Header }

func (d *discarded) Header() http.Header            { return d.header }
func (d *discarded) Write(body []byte) (int, error) { return len(body), nil }
func (d *discarded) WriteHeader(int)                {}
