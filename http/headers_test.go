package http_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/prometheus/client_golang/prometheus"

	equityhttp "equity/http"
	"equity/http/apitest"
)

func TestEveryAnswerHasSecurityHeaders(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Secure = true })
	for _, path := range []string{
		"/v1/user/current", "/docs", "/nowhere", "/share/x", "/", "/verify?token=x", "/invitation?token=x", "/password?token=x",
		"/assets/a.js", "/assets/gone.js", "/v1/openapi.yaml",
	} {
		got := b.Anonymous().Send(t, "GET", path, "")
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Strict-Transport-Security": "max-age=31536000",
			"X-Robots-Tag": map[bool]string{true: "", false: "noindex"}[path == "/"], // pages of the app without a token may be found
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, got.Header.Get(name))
			}
		}
		if want := map[bool]string{true: "strict-origin", false: "no-referrer"}[path == "/share/x"]; got.Header.Get("Referrer-Policy") != want {
			t.Errorf("%s: the policy of referrers is %q", path, got.Header.Get("Referrer-Policy"))
		}
		if !strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, got.Header.Get("Content-Security-Policy"))
		}
	}
}

func TestSignInOnAPageOpenedWithHTTPIsRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.Secure, s.PublicURL = true, "https://equity.example"
	})
	const body = `{"email":"nobody@example.com","password":"a wrong password"}`
	for scheme, refused := range map[string]bool{"http": true, "https": false} {
		got := b.Anonymous().Send(t, "POST", "/v1/user/login", body, "Origin", scheme+"://example.com")
		if said := strings.Contains(got.Body, "Open https://equity.example instead."); said != refused || refused != (got.Status == http.StatusForbidden) {
			t.Errorf("%s: %d %s", scheme, got.Status, got.Body)
		}
	}
}

func TestRequestIDIsEchoedOrReplaced(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	own := b.Anonymous().Send(t, "GET", "/v1/user/current", "", "X-Request-Id", "trace-1.a:b")
	if own.Header.Get("X-Request-Id") != "trace-1.a:b" || own.Text(t, "requestId") != "trace-1.a:b" {
		t.Errorf("%v %s", own.Header, own.Body)
	}
	seen := map[string]bool{}
	for _, given := range []string{"", "line\nbreak", strings.Repeat("x", 129), `"`} {
		id := b.Anonymous().Send(t, "GET", "/v1/user/current", "", "X-Request-Id", given).Header.Get("X-Request-Id")
		if len(id) != 32 || seen[id] {
			t.Errorf("the request id %q was answered with %q", given, id)
		}
		seen[id] = true
	}
	if !strings.Contains(b.Log.String(), "trace-1.a:b") {
		t.Error("the request is not in the log")
	}
}

func TestWritesFromOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	body := `{"name":"Engines","currency":"USD"}`
	for claim, s := range map[string]struct {
		status  int
		headers []string
	}{
		"a program other than a browser may write": {201, nil},
		"a page of the same origin may write":      {201, []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://equity.example.com"}},
		"the frontend may write":                   {201, []string{"Sec-Fetch-Site", "cross-site", "Origin", apitest.FrontendOrigin}},
		"a page of another site may not write":     {403, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}},
		"a page of a sibling site may not write":   {403, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example.com"}},
		"a page in an old browser may not write":   {403, []string{"Origin", "https://evil.example"}},
		"a page without an origin may not write":   {403, []string{"Origin", "null"}},
		"a page on the same host may write":        {201, []string{"Origin", "http://example.com"}},
	} {
		if got := c.Send(t, "POST", "/v1/organization", body, s.headers...); got.Status != s.status {
			t.Errorf("%s: %d %s", claim, got.Status, got.Body)
		}
	}
	c.Must(t, "GET", "/v1/user/current", "", http.StatusOK, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	read := c.Send(t, "GET", "/v1/user/current", "", "Origin", "https://evil.example")
	if read.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another site may read")
	}
	read = c.Send(t, "GET", "/v1/user/current", "", "Origin", apitest.FrontendOrigin)
	if read.Header.Get("Access-Control-Allow-Origin") != apitest.FrontendOrigin || read.Header.Get("Access-Control-Allow-Credentials") != "true" {
		t.Error("the frontend may not read")
	}
	preflight := c.Must(t, "OPTIONS", "/v1/organization", "", http.StatusNoContent, "Origin", apitest.FrontendOrigin, "Access-Control-Request-Method", "POST")
	if !strings.Contains(preflight.Header.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
		t.Errorf("%v", preflight.Header)
	}
}

func TestContractIsServedAsYAMLAndJSON(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for path, kind := range map[string]string{"/v1/openapi.yaml": "application/yaml", "/v1/openapi.json": "application/json"} {
		got := b.Anonymous().Must(t, "GET", path, "", http.StatusOK)
		doc, err := openapi3.NewLoader().LoadFromData([]byte(got.Body))
		if err != nil || got.Header.Get("Content-Type") != kind || doc.Paths.Len() != b.Contract.Doc.Paths.Len() {
			t.Errorf("%s: %v %v", path, err, got.Header)
		}
		b.Anonymous().Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))
		small := b.Anonymous().Must(t, "GET", path, "", http.StatusOK, "Accept-Encoding", "gzip")
		if small.Header.Get("Content-Encoding") != "gzip" || len(small.Body) > len(got.Body)/4 {
			t.Errorf("%s: %d of %d bytes", path, len(small.Body), len(got.Body))
		}
		if refused := b.Anonymous().Send(t, "POST", path, ""); refused.Status != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: %d", path, refused.Status)
		}
	}
}

func TestOptionsNameTheMethodsOfThePath(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for path, want := range map[string]string{
		"/v1/organization": "GET, HEAD, POST, OPTIONS", "/api/v1/organization/": "GET, HEAD, POST, OPTIONS", "/mcp": "POST, OPTIONS",
		"/docs": "GET, HEAD, OPTIONS", "/v1/openapi.json": "GET, HEAD, OPTIONS", "/oauth/token": "POST, OPTIONS",
	} {
		if got := b.Anonymous().Must(t, "OPTIONS", path, "", http.StatusNoContent); got.Header.Get("Allow") != want {
			t.Errorf("%s: %q, want %q", path, got.Header.Get("Allow"), want)
		}
	}
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	home := c.NewOrganization(t)
	c.Must(t, "GET", home, "", http.StatusOK)
	c.Must(t, "GET", "/api"+home, "", http.StatusOK)
	c.Must(t, "GET", "/v1/organization/nonsense", "", http.StatusBadRequest)
	c.Send(t, "BREW", "/v1/organization", "")
	want := map[string]float64{
		"GET /organization/{organization} 200": 2,
		"GET /organization/{organization} 400": 1,
		"POST /organization 201":               1,
		"POST /user/login 200":                 1,
		"other /organization 405":              1,
	}
	if got := countedStatuses(t, b); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// countedStatuses returns the number of requests by method, route and status.
func countedStatuses(t *testing.T, b *apitest.Server) map[string]float64 {
	t.Helper()
	return requestsCounted(t, b.Metrics, "equity_http_requests_total")
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
	b := apitest.Setup(t) // httptest requests come from 192.0.2.1, which the settings trust
	register := func(n, forwarded string) apitest.Answer {
		body := strings.Replace(registration, "grace@", n+"@", 1)
		return b.Anonymous().Send(t, "POST", "/v1/user", body, "X-Forwarded-For", forwarded)
	}
	// The limit is three registrations for each address. The leftmost addresses are set by the client
	// and are ignored.
	for i, forwarded := range []string{"1.1.1.1, 203.0.113.5", "2.2.2.2, 203.0.113.5, 192.0.2.7", "203.0.113.5:4711"} {
		if got := register(string(rune('a'+i)), forwarded); got.Status != http.StatusCreated {
			t.Fatalf("%s: %d %s", forwarded, got.Status, got.Body)
		}
	}
	if got := register("d", "3.3.3.3, 203.0.113.5"); got.Status != http.StatusBadRequest || got.Text(t, "key") != "ipLimitReached" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := register("e", "nonsense"); got.Status != http.StatusCreated {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestHeadReturnsHeaders(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	got := c.Send(t, "HEAD", c.NewOrganization(t), "")
	if got.Status != http.StatusOK || got.Header.Get("ETag") == "" {
		t.Errorf("%d %v", got.Status, got.Header)
	}
}

func TestReferencePageIsCompleteAndSelfContained(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	got := b.Anonymous().Must(t, "GET", "/docs", "", http.StatusOK)
	for _, operation := range b.HTTP.Operations() {
		id := operation.ID
		if !strings.Contains(got.Body, `id="`+id+`-operation"`) {
			t.Errorf("operation %s is missing on the page", id)
		}
	}
	for name := range b.Contract.Doc.Components.Schemas {
		if !strings.Contains(got.Body, `id="schema-`+name+`"`) {
			t.Errorf("schema %s is missing on the page", name)
		}
	}
	if strings.Contains(got.Body, "<script") || strings.Contains(got.Body, `src="http`) {
		t.Error("the page needs a script or an external resource")
	}
	b.Anonymous().Must(t, "GET", "/docs", "", http.StatusNotModified, "If-None-Match", got.Header.Get("ETag"))
	style := b.Anonymous().Must(t, "GET", "/docs/style.css", "", http.StatusOK, "Accept-Encoding", "gzip")
	if style.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v", style.Header)
	}
	if strings.Contains(got.Body, "http://127.0.0.1:8080") || !strings.Contains(got.Body, issuer+"/v1/organization") {
		t.Error("the examples do not use the public address")
	}
	yaml := b.Anonymous().Must(t, "GET", "/api/v1/openapi.yaml", "", http.StatusOK)
	if !strings.HasPrefix(yaml.Body, "# Code generated") {
		t.Error("the answer is not the contract")
	}
}
