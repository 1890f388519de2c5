package http_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/prometheus/client_golang/prometheus"

	equityhttp "equity/http"
)

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Secure = true })
	for _, path := range []string{
		"/v1/user/current", "/docs", "/nowhere", "/share/x", "/", "/verify?token=x", "/invitation?token=x", "/password?token=x",
		"/assets/a.js", "/assets/gone.js", "/v1/openapi.yaml",
	} {
		got := b.anonymous().send(t, "GET", path, "")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Strict-Transport-Security": "max-age=31536000",
			"X-Robots-Tag": "noindex",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, got.header.Get(name))
			}
		}
		if want := map[bool]string{true: "strict-origin", false: "no-referrer"}[path == "/share/x"]; got.header.Get("Referrer-Policy") != want {
			t.Errorf("%s: the policy of referrers is %q", path, got.header.Get("Referrer-Policy"))
		}
		if !strings.Contains(got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, got.header.Get("Content-Security-Policy"))
		}
	}
}

func TestSignInOnAPageOpenedWithHTTPIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.Secure, s.PublicURL = true, "https://equity.example"
	})
	const body = `{"email":"nobody@example.com","password":"a wrong password"}`
	for scheme, refused := range map[string]bool{"http": true, "https": false} {
		got := b.anonymous().send(t, "POST", "/v1/user/login", body, "Origin", scheme+"://example.com")
		if said := strings.Contains(got.body, "Open https://equity.example instead."); said != refused || refused != (got.status == http.StatusForbidden) {
			t.Errorf("%s: %d %s", scheme, got.status, got.body)
		}
	}
}

func TestRequestIDIsEchoedOrReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	own := b.anonymous().send(t, "GET", "/v1/user/current", "", "X-Request-Id", "trace-1.a:b")
	if own.header.Get("X-Request-Id") != "trace-1.a:b" || own.text(t, "requestId") != "trace-1.a:b" {
		t.Errorf("%v %s", own.header, own.body)
	}
	seen := map[string]bool{}
	for _, given := range []string{"", "line\nbreak", strings.Repeat("x", 129), `"`} {
		id := b.anonymous().send(t, "GET", "/v1/user/current", "", "X-Request-Id", given).header.Get("X-Request-Id")
		if len(id) != 32 || seen[id] {
			t.Errorf("the request id %q was answered with %q", given, id)
		}
		seen[id] = true
	}
	if !strings.Contains(b.log.String(), "trace-1.a:b") {
		t.Error("the request is not in the log")
	}
}

func TestWritesFromOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	body := `{"name":"Engines","currency":"USD"}`
	for claim, s := range map[string]struct {
		status  int
		headers []string
	}{
		"a program other than a browser may write": {201, nil},
		"a page of the same origin may write":      {201, []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://equity.example.com"}},
		"the frontend may write":                   {201, []string{"Sec-Fetch-Site", "cross-site", "Origin", frontend}},
		"a page of another site may not write":     {403, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}},
		"a page of a sibling site may not write":   {403, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example.com"}},
		"a page in an old browser may not write":   {403, []string{"Origin", "https://evil.example"}},
		"a page without an origin may not write":   {403, []string{"Origin", "null"}},
		"a page on the same host may write":        {201, []string{"Origin", "http://example.com"}},
	} {
		if got := c.send(t, "POST", "/v1/organization", body, s.headers...); got.status != s.status {
			t.Errorf("%s: %d %s", claim, got.status, got.body)
		}
	}
	c.must(t, "GET", "/v1/user/current", "", http.StatusOK, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	read := c.send(t, "GET", "/v1/user/current", "", "Origin", "https://evil.example")
	if read.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another site may read")
	}
	read = c.send(t, "GET", "/v1/user/current", "", "Origin", frontend)
	if read.header.Get("Access-Control-Allow-Origin") != frontend || read.header.Get("Access-Control-Allow-Credentials") != "true" {
		t.Error("the frontend may not read")
	}
	preflight := c.must(t, "OPTIONS", "/v1/organization", "", http.StatusNoContent, "Origin", frontend, "Access-Control-Request-Method", "POST")
	if !strings.Contains(preflight.header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
		t.Errorf("%v", preflight.header)
	}
}

func TestContractIsServedAsYAMLAndJSON(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, kind := range map[string]string{"/v1/openapi.yaml": "application/yaml", "/v1/openapi.json": "application/json"} {
		got := b.anonymous().must(t, "GET", path, "", http.StatusOK)
		doc, err := openapi3.NewLoader().LoadFromData([]byte(got.body))
		if err != nil || got.header.Get("Content-Type") != kind || doc.Paths.Len() != b.contract.doc.Paths.Len() {
			t.Errorf("%s: %v %v", path, err, got.header)
		}
		b.anonymous().must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))
		small := b.anonymous().must(t, "GET", path, "", http.StatusOK, "Accept-Encoding", "gzip")
		if small.header.Get("Content-Encoding") != "gzip" || len(small.body) > len(got.body)/4 {
			t.Errorf("%s: %d of %d bytes", path, len(small.body), len(got.body))
		}
		if refused := b.anonymous().send(t, "POST", path, ""); refused.status != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: %d", path, refused.status)
		}
	}
}

func TestOptionsNameTheMethodsOfThePath(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, want := range map[string]string{
		"/v1/organization": "GET, HEAD, POST, OPTIONS", "/api/v1/organization/": "GET, HEAD, POST, OPTIONS", "/mcp": "POST, OPTIONS",
		"/docs": "GET, HEAD, OPTIONS", "/v1/openapi.json": "GET, HEAD, OPTIONS", "/oauth/token": "POST, OPTIONS",
	} {
		if got := b.anonymous().must(t, "OPTIONS", path, "", http.StatusNoContent); got.header.Get("Allow") != want {
			t.Errorf("%s: %q, want %q", path, got.header.Get("Allow"), want)
		}
	}
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	home := c.company(t)
	c.must(t, "GET", home, "", http.StatusOK)
	c.must(t, "GET", "/api"+home, "", http.StatusOK)
	c.must(t, "GET", "/v1/organization/nonsense", "", http.StatusBadRequest)
	c.send(t, "BREW", "/v1/organization", "")
	want := map[string]float64{
		"GET /organization/{organization} 200": 2,
		"GET /organization/{organization} 400": 1,
		"POST /organization 201":               1,
		"POST /user/login 200":                 1,
		"other /organization 405":              1,
	}
	if got := b.counted(t); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// counted returns the number of requests by method, route and status.
func (b *bundle) counted(t *testing.T) map[string]float64 {
	t.Helper()
	return requestsCounted(t, b.metrics, "equity_http_requests_total")
}

// requestsCounted returns the values of the counter by method, route and status.
func requestsCounted(t *testing.T, registry *prometheus.Registry, name string) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]float64{}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			counts[strings.TrimSpace(labels["method"]+" "+labels["route"]+" "+labels["status"])] = metric.GetCounter().GetValue()
		}
	}
	return counts
}

func TestClientAddressComesFromTrustedProxy(t *testing.T) {
	t.Parallel()
	b := setup(t) // httptest requests come from 192.0.2.1, which the settings trust
	register := func(n, forwarded string) answer {
		body := strings.Replace(registration, "grace@", n+"@", 1)
		return b.anonymous().send(t, "POST", "/v1/user", body, "X-Forwarded-For", forwarded)
	}
	// The limit is three registrations for each address. The leftmost addresses are set by the client
	// and are ignored.
	for i, forwarded := range []string{"1.1.1.1, 203.0.113.5", "2.2.2.2, 203.0.113.5, 192.0.2.7", "203.0.113.5:4711"} {
		if got := register(string(rune('a'+i)), forwarded); got.status != http.StatusCreated {
			t.Fatalf("%s: %d %s", forwarded, got.status, got.body)
		}
	}
	if got := register("d", "3.3.3.3, 203.0.113.5"); got.status != http.StatusBadRequest || got.text(t, "key") != "ipLimitReached" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := register("e", "nonsense"); got.status != http.StatusCreated {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestHeadReturnsHeaders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	got := c.send(t, "HEAD", c.company(t), "")
	if got.status != http.StatusOK || got.header.Get("ETag") == "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

func TestReferencePageIsCompleteAndSelfContained(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.anonymous().must(t, "GET", "/docs", "", http.StatusOK)
	for _, operation := range b.server.Operations() {
		id := operation.ID
		if !strings.Contains(got.body, `id="`+id+`-operation"`) {
			t.Errorf("operation %s is missing on the page", id)
		}
	}
	for name := range b.contract.doc.Components.Schemas {
		if !strings.Contains(got.body, `id="schema-`+name+`"`) {
			t.Errorf("schema %s is missing on the page", name)
		}
	}
	if strings.Contains(got.body, "<script") || strings.Contains(got.body, `src="http`) {
		t.Error("the page needs a script or an external resource")
	}
	b.anonymous().must(t, "GET", "/docs", "", http.StatusNotModified, "If-None-Match", got.header.Get("ETag"))
	style := b.anonymous().must(t, "GET", "/docs/style.css", "", http.StatusOK, "Accept-Encoding", "gzip")
	if style.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v", style.header)
	}
	if strings.Contains(got.body, "http://127.0.0.1:8080") || !strings.Contains(got.body, issuer+"/v1/organization") {
		t.Error("the examples do not use the public address")
	}
	yaml := b.anonymous().must(t, "GET", "/api/v1/openapi.yaml", "", http.StatusOK)
	if !strings.HasPrefix(yaml.body, "# Code generated") {
		t.Error("the answer is not the contract")
	}
}
