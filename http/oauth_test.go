package http_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
)

const (
	issuer   = "https://equity.example.com"
	callback = "http://127.0.0.1:4711/callback?x=1"
	verifier = "a-verifier-of-at-least-forty-three-characters-1234"
)

func challenge() string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// oauthClient is a registered client of a test.
type oauthClient struct {
	*client // the browser of the user
	id      string
}

func (c *client) registeredClient(tb testing.TB) *oauthClient {
	tb.Helper()
	got := c.anonymous().must(tb, "POST", "/oauth/register", `{"client_name":"Desk\u202e <b>client</b>","redirect_uris":["`+callback+`","com.example.desk://callback"]}`, http.StatusCreated)
	return &oauthClient{c, got.text(tb, "client_id")}
}

// query returns an authorization request. Changes are names and values; an empty value removes the name.
func (o *oauthClient) query(changes ...string) url.Values {
	asked := url.Values{
		"response_type": {"code"}, "client_id": {o.id}, "redirect_uri": {callback}, "code_challenge": {challenge()}, "code_challenge_method": {"S256"},
		"scope": {"read write"}, "state": {"s t&te"}, "resource": {issuer + "/mcp"},
	}
	for i := 0; i+1 < len(changes); i += 2 {
		if asked.Set(changes[i], changes[i+1]); changes[i+1] == "" {
			asked.Del(changes[i])
		}
	}
	return asked
}

// allow confirms the consent page and returns the parameters that the client receives.
func (o *oauthClient) allow(tb testing.TB, asked url.Values, fields ...string) url.Values {
	tb.Helper()
	page := o.open(tb, "/oauth/authorize?"+asked.Encode()).expect(tb, http.StatusOK, "asks for access")
	form := append([]string{"query", hiddenField(page.body, "query"), "confirm", hiddenField(page.body, "confirm"), "do", "allow"}, fields...)
	return o.answered(tb, o.submit(tb, "/oauth/authorize", form...))
}

// answered returns the parameters of a redirect to the client.
func (o *oauthClient) answered(tb testing.TB, got answer) url.Values {
	tb.Helper()
	to, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.status != http.StatusSeeOther || !strings.HasPrefix(to.String(), callback+"&") {
		tb.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	parameters := to.Query()
	if parameters.Get("state") != "s t&te" || parameters.Get("iss") != issuer {
		tb.Errorf("%v", parameters)
	}
	return parameters
}

func hiddenField(page, name string) string {
	return strings.NewReplacer("&amp;", "&", "&#43;", "+").Replace(quotedAfter(page, `name="`+name+`" value="`))
}

// exchange sends a token request. Changes are as in query.
func (o *oauthClient) exchange(tb testing.TB, fields url.Values, changes ...string) answer {
	tb.Helper()
	for i := 0; i+1 < len(changes); i += 2 {
		if fields.Set(changes[i], changes[i+1]); changes[i+1] == "" {
			fields.Del(changes[i])
		}
	}
	return o.anonymous().send(tb, "POST", "/oauth/token", fields.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

func (o *oauthClient) byCode(code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {o.id}, "redirect_uri": {callback}, "code_verifier": {verifier},
		"resource": {issuer + "/mcp"},
	}
}

func (o *oauthClient) byRefresh(token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}, "client_id": {o.id}}
}

// tokens runs the whole flow and returns the access and the refresh token.
func (o *oauthClient) tokens(tb testing.TB, fields ...string) (access, refresh string) {
	tb.Helper()
	code := o.allow(tb, o.query(), append([]string{"scope", "read"}, fields...)...).Get("code")
	got := o.exchange(tb, o.byCode(code))
	if got.status != http.StatusOK || got.header.Get("Cache-Control") != "no-store" || got.text(tb, "token_type") != "Bearer" || got.get(tb, "expires_in") != 3600.0 {
		tb.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	return got.text(tb, "access_token"), got.text(tb, "refresh_token")
}

func (o *oauthClient) valid(tb testing.TB, access string) bool {
	tb.Helper()
	_, found, err := o.grants.Use(tb.Context(), access, o.clock.Now())
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func refusedWith(tb testing.TB, got answer, status int, code string) {
	tb.Helper()
	if got.status != status || !strings.HasPrefix(got.body, `{"error":"`+code+`"`) {
		tb.Errorf("%d %s, want %d %s", got.status, got.body, status, code)
	}
}

func TestClientReceivesTokensAfterConsent(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		o := f.registeredClient(t)
		page := o.open(t, "/oauth/authorize?"+o.query().Encode())
		for _, text := range []string{"Desk &lt;b&gt;client&lt;/b&gt;", "http://127.0.0.1:4711", `value="write" checked`, "Analytical Engines"} {
			page.expect(t, http.StatusOK, text)
		}
		if strings.Contains(page.body, `value="destructive"`) || page.header.Get("X-Frame-Options") != "DENY" ||
			!strings.Contains(page.header.Get("Content-Security-Policy"), "form-action 'self' http://127.0.0.1:4711; frame-ancestors 'none'") {
			t.Errorf("%v %s", page.header, page.body)
		}
		access, refresh := o.tokens(t, "organization", f.id)
		listed := f.must(t, "GET", "/v1/user/token", "", http.StatusOK)
		if !strings.Contains(listed.body, `"authorized":true`) || !strings.Contains(listed.body, `"scopes":["read"],"organization":"`+f.id) {
			t.Error(listed.body)
		}
		p := &program{b, access, ""}
		p.gets(t, "GET", f.home, "", http.StatusUnauthorized, "unauthorized") // another audience
		b.clock.advance(59 * time.Minute)
		if !o.valid(t, access) {
			t.Error("the access token ended early")
		}
		renewed := o.exchange(t, o.byRefresh(refresh))
		if renewed.status != http.StatusOK || renewed.text(t, "refresh_token") == refresh {
			t.Fatal(renewed.body)
		}
		b.clock.advance(time.Minute)
		if o.valid(t, access) || !o.valid(t, renewed.text(t, "access_token")) {
			t.Error("the lifetime is wrong")
		}
		refusedWith(t, o.exchange(t, o.byRefresh(refresh)), http.StatusBadRequest, "invalid_grant")
		if o.valid(t, renewed.text(t, "access_token")) {
			t.Error("the reuse of a refresh token did not end the grant")
		}
		refusedWith(t, o.exchange(t, o.byRefresh(renewed.text(t, "refresh_token"))), http.StatusBadRequest, "invalid_grant")
	})
}

func TestCodeIsUsedOnceByItsClient(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		o := b.person(t, "ada@example.com").registeredClient(t)
		other := o.registeredClient(t)
		code := func() string { return o.allow(t, o.query(), "scope", "read").Get("code") }
		for claim, changes := range map[string][]string{
			"another client":   {"client_id", other.id},
			"another verifier": {"code_verifier", strings.Repeat("x", 43)},
			"another redirect": {"redirect_uri", "com.example.desk://callback"},
		} {
			first := code()
			if got := o.exchange(t, o.byCode(first), changes...); got.status != http.StatusBadRequest || !strings.Contains(got.body, "invalid_grant") {
				t.Errorf("%s: %d %s", claim, got.status, got.body)
			}
			if got := o.exchange(t, o.byCode(first)); got.status == http.StatusOK {
				t.Errorf("%s: the code is still valid", claim)
			}
		}
		late := code()
		b.clock.advance(time.Minute)
		refusedWith(t, o.exchange(t, o.byCode(late)), http.StatusBadRequest, "invalid_grant")
		again := code()
		access := o.exchange(t, o.byCode(again)).text(t, "access_token")
		refusedWith(t, o.exchange(t, o.byCode(again)), http.StatusBadRequest, "invalid_grant")
		if o.valid(t, access) {
			t.Error("the reuse of a code did not end its tokens")
		}
		guess := &program{b, again, ""}
		guess.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
	})
}

func TestAuthorizationRequestsAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.person(t, "ada@example.com").registeredClient(t)
	for _, changes := range [][]string{ // nothing is sent to an unknown address
		{"client_id", "x"},
		{"client_id", ""},
		{"client_id", "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"},
		{"redirect_uri", ""},
		{"redirect_uri", "https://evil.example.com"},
		{"redirect_uri", callback + "2"},
		{"redirect_uri", "http://127.0.0.1:4711.evil.example.com/callback?x=1"},
		{"redirect_uri", "http://127.0.0.1@evil.example.com/callback?x=1"},
		{"redirect_uri", "https://127.0.0.1:4711/callback?x=1"},
	} {
		if got := o.open(t, "/oauth/authorize?"+o.query(changes...).Encode()); got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%v: %d %v", changes, got.status, got.header)
		}
	}
	for _, c := range []struct{ name, value, problem string }{
		{"response_type", "token", "response_type must be code."},
		{"code_challenge_method", "plain", "PKCE with the method S256 is required."},
		{"code_challenge_method", "", "PKCE with the method S256 is required."},
		{"code_challenge", "", "PKCE with the method S256 is required."},
		{"scope", "read admin", "scope may contain read, write and destructive."},
		{"resource", issuer + "/v1", "resource must be " + issuer + "/mcp."},
	} {
		for _, visitor := range []*client{o.client, b.anonymous()} { // no redirect: any site can register an address and send users to it
			got := visitor.open(t, "/oauth/authorize?"+o.query(c.name, c.value).Encode()).expect(t, http.StatusBadRequest, c.problem)
			if got.header.Get("Location") != "" {
				t.Errorf("%s=%s: %v", c.name, c.value, got.header)
			}
		}
	}
	o.open(t, "/oauth/authorize?"+o.query("redirect_uri", "http://127.0.0.1:60001/callback?x=1").Encode()).expect(t, http.StatusOK, "asks for access")
	refused := o.allow(t, o.query(), "do", "refuse")
	if refused.Get("error") != "access_denied" || refused.Has("code") {
		t.Errorf("%v", refused)
	}
	if none := o.allow(t, o.query()); none.Get("error") != "access_denied" {
		t.Errorf("no scope: %v", none)
	}
	if more := o.allow(t, o.query("scope", "read"), "scope", "destructive"); more.Get("error") != "access_denied" {
		t.Errorf("a scope that was not requested: %v", more)
	}
	foreign := b.firm(t, "bob@example.com")
	if got := o.allow(t, o.query(), "scope", "read", "organization", foreign.id); got.Get("error") != "access_denied" {
		t.Errorf("a foreign organization: %v", got)
	}
}

func TestConsentRequiresThePageOfTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	o := ada.registeredClient(t)
	path := "/oauth/authorize?" + o.query().Encode()
	page := o.open(t, path)
	query, confirm := hiddenField(page.body, "query"), hiddenField(page.body, "confirm")
	bob := b.person(t, "bob@example.com")
	bob.submit(t, "/oauth/authorize", "query", query, "confirm", confirm, "scope", "read", "do", "allow").expect(t, http.StatusBadRequest, "outdated")
	o.submit(t, "/oauth/authorize", "query", query, "confirm", "", "scope", "read", "do", "allow").expect(t, http.StatusBadRequest, "outdated")
	o.submit(t, "/oauth/authorize", "query", o.query("scope", "destructive").Encode(), "confirm", confirm, "scope", "destructive", "do", "allow").
		expect(t, http.StatusBadRequest, "outdated")
	form := url.Values{"query": {query}, "confirm": {confirm}, "scope": {"read"}, "do": {"allow"}}.Encode()
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example.com"}, {"Origin", "https://evil.example.com", "Authorization", "Bearer x"}} {
		got := o.send(t, "POST", "/oauth/authorize", form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
		if got.status != http.StatusForbidden {
			t.Errorf("%v: %d %s", headers, got.status, got.body)
		}
	}
	stranger := b.anonymous()
	to := stranger.open(t, path).header.Get("Location")
	if !strings.HasPrefix(to, "/login?authorize=") {
		t.Fatal(to)
	}
	stranger.open(t, to).expect(t, http.StatusOK, startPage)
	returned, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	stranger.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, http.StatusOK)
	stranger.open(t, "/oauth/authorize?"+returned.Query().Get("authorize")).expect(t, http.StatusOK, "asks for access")
	got := b.anonymous().open(t, "/oauth/authorize?//evil.example.com/?a=b") // a forged value of the parameter
	if got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
		t.Errorf("an open redirect: %d %v", got.status, got.header)
	}
}

func TestGrantsEndWithTheirUserAndOnRevocation(t *testing.T) {
	t.Parallel()
	for claim, end := range map[string]func(t *testing.T, o *oauthClient, access, refresh string){
		"revoked by the client": func(t *testing.T, o *oauthClient, access, _ string) {
			t.Helper()
			form := url.Values{"token": {access}, "client_id": {o.id}}
			o.anonymous().must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
			form.Set("token", "unknown")
			o.anonymous().must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
		},
		"revoked by the user": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			listed := o.must(t, "GET", "/v1/user/token", "", http.StatusOK)
			o.must(t, "DELETE", "/v1/user/token/"+quotedAfter(listed.body, `"id":"`), "", http.StatusNoContent)
		},
		"user disabled": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			o.administrator(t, "admin@example.com").must(t, "POST", "/v1/admin/user/"+o.user.ID.String()+"/disable", "", http.StatusOK)
		},
		"user erased": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			o.must(t, "POST", "/v1/user/erase", erasureBody("ada@example.com"), http.StatusNoContent)
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			everywhere(t, func(t *testing.T, b *bundle) {
				t.Helper()
				o := b.person(t, "ada@example.com").registeredClient(t)
				access, refresh := o.tokens(t)
				other := o.registeredClient(t)
				form := url.Values{"token": {access}, "client_id": {other.id}}
				o.anonymous().must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
				if !o.valid(t, access) {
					t.Error("another client revoked the token")
				}
				end(t, o, access, refresh)
				if o.valid(t, access) {
					t.Error("the access token is still valid")
				}
				refusedWith(t, o.exchange(t, o.byRefresh(refresh)), http.StatusBadRequest, "invalid_grant")
			})
		})
	}
}

func TestRegistrationsAreCheckedAndLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	register := func(address string) answer {
		return b.anonymous().send(t, "POST", "/oauth/register", `{"redirect_uris":[`+quoted(t, address)+`]}`)
	}
	for _, address := range []string{
		"", "/callback", "http://example.com/callback", "https://example.com/#x", "https://u:p@example.com/", "javascript:alert(1)", "data:text/html,x",
		"https:///x", "https://example.com/\n", "http://127.0.0.1.example.com/", "JavaScript:alert(1)", "file:///etc/passwd",
		"desk://callback", "intent://x", "ms-settings:x", "ws://127.0.0.1/", "blob:https://example.com/x", "com.://x", ".app://x",
	} {
		refusedWith(t, register(address), http.StatusBadRequest, "invalid_redirect_uri")
	}
	refusedWith(t, b.anonymous().send(t, "POST", "/oauth/register", `{"redirect_uris":[]}`), http.StatusBadRequest, "invalid_redirect_uri")
	refusedWith(t, b.anonymous().send(t, "POST", "/oauth/register", `[]`), http.StatusBadRequest, "invalid_client_metadata")
	refusedWith(t, b.anonymous().send(t, "POST", "/oauth/register", `{"redirect_uris":["https://example.com/"],"grant_types":["password"]}`),
		http.StatusBadRequest, "invalid_client_metadata")
	for _, address := range []string{"https://example.com/callback", "http://localhost:1/", "http://LOCALHOST:1/", "http://[::1]/x", "com.example.app:/callback", "cursor://x/y"} {
		if got := register(address); got.status != http.StatusCreated || got.text(t, "token_endpoint_auth_method") != "none" {
			t.Errorf("%s: %d %s", address, got.status, got.body)
		}
	}
	for range 15 {
		register("https://example.com/callback")
	}
	refusedWith(t, register("https://example.com/callback"), http.StatusTooManyRequests, "slow_down")
	b.clock.advance(24 * time.Hour)
	if got := register("https://example.com/callback"); got.status != http.StatusCreated {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestMetadataDescribesTheServer(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.PublicURL = issuer + "/" })
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		got := b.anonymous().must(t, "GET", path, "", http.StatusOK)
		if got.text(t, "resource") != issuer+"/mcp" || !strings.Contains(got.body, `"authorization_servers":["`+issuer+`"]`) {
			t.Error(got.body)
		}
	}
	got := b.anonymous().must(t, "GET", "/.well-known/oauth-authorization-server", "", http.StatusOK)
	if got.text(t, "issuer") != issuer || got.text(t, "token_endpoint") != issuer+"/oauth/token" || !strings.Contains(got.body, `"code_challenge_methods_supported":["S256"]`) {
		t.Error(got.body)
	}
	b.anonymous().must(t, "DELETE", "/oauth/token", "", http.StatusMethodNotAllowed)
	refusedWith(
		t, b.anonymous().send(t, "POST", "/oauth/token", "grant_type=password", "Content-Type", "application/x-www-form-urlencoded"),
		http.StatusUnauthorized, "invalid_client",
	)
}
