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
	"equity/http/apitest"
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
	*apitest.Client // the browser of the user
	id              string
}

func newOAuthClient(tb testing.TB, c *apitest.Client) *oauthClient {
	tb.Helper()
	got := c.Anonymous().Must(tb, "POST", "/oauth/register", `{"client_name":"Desk\u202e <b>client</b>","redirect_uris":["`+callback+`","com.example.desk://callback"]}`, http.StatusCreated)
	return &oauthClient{c, got.Text(tb, "client_id")}
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
	page := expectPage(tb, openPage(tb, o.Client, "/oauth/authorize?"+asked.Encode()), http.StatusOK, "asks for access")
	form := append([]string{"query", hiddenField(page.Body, "query"), "confirm", hiddenField(page.Body, "confirm"), "do", "allow"}, fields...)
	return o.answered(tb, submitPage(tb, o.Client, "/oauth/authorize", form...))
}

// answered returns the parameters of a redirect to the client.
func (o *oauthClient) answered(tb testing.TB, got apitest.Answer) url.Values {
	tb.Helper()
	to, err := url.Parse(got.Header.Get("Location"))
	if err != nil || got.Status != http.StatusSeeOther || !strings.HasPrefix(to.String(), callback+"&") {
		tb.Fatalf("%d %v %s", got.Status, got.Header, got.Body)
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
func (o *oauthClient) exchange(tb testing.TB, fields url.Values, changes ...string) apitest.Answer {
	tb.Helper()
	for i := 0; i+1 < len(changes); i += 2 {
		if fields.Set(changes[i], changes[i+1]); changes[i+1] == "" {
			fields.Del(changes[i])
		}
	}
	return o.Anonymous().Send(tb, "POST", "/oauth/token", fields.Encode(), "Content-Type", "application/x-www-form-urlencoded")
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
	if got.Status != http.StatusOK || got.Header.Get("Cache-Control") != "no-store" || got.Text(tb, "token_type") != "Bearer" || got.Get(tb, "expires_in") != 3600.0 {
		tb.Fatalf("%d %v %s", got.Status, got.Header, got.Body)
	}
	return got.Text(tb, "access_token"), got.Text(tb, "refresh_token")
}

func (o *oauthClient) valid(tb testing.TB, access string) bool {
	tb.Helper()
	_, found, err := o.AccessTokens.Use(tb.Context(), access, o.Clock.Now())
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func refusedWith(tb testing.TB, got apitest.Answer, status int, code string) {
	tb.Helper()
	if got.Status != status || !strings.HasPrefix(got.Body, `{"error":"`+code+`"`) {
		tb.Errorf("%d %s, want %d %s", got.Status, got.Body, status, code)
	}
}

func TestClientReceivesTokensAfterConsent(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		o := newOAuthClient(t, f.Client)
		page := openPage(t, o.Client, "/oauth/authorize?"+o.query().Encode())
		for _, text := range []string{"Desk &lt;b&gt;client&lt;/b&gt;", "http://127.0.0.1:4711", `value="write" checked`, "Analytical Engines"} {
			expectPage(t, page, http.StatusOK, text)
		}
		if strings.Contains(page.Body, `value="destructive"`) || page.Header.Get("X-Frame-Options") != "DENY" ||
			!strings.Contains(page.Header.Get("Content-Security-Policy"), "form-action 'self' http://127.0.0.1:4711; frame-ancestors 'none'") {
			t.Errorf("%v %s", page.Header, page.Body)
		}
		access, refresh := o.tokens(t, "organization", f.ID)
		listed := f.Must(t, "GET", "/v1/user/token", "", http.StatusOK)
		if !strings.Contains(listed.Body, `"authorized":true`) || !strings.Contains(listed.Body, `"scopes":["read"],"organization":"`+f.ID) {
			t.Error(listed.Body)
		}
		p := &program{b, access, ""}
		p.gets(t, "GET", f.Home, "", http.StatusUnauthorized, "unauthorized") // another audience
		b.Clock.Advance(59 * time.Minute)
		if !o.valid(t, access) {
			t.Error("the access token ended early")
		}
		renewed := o.exchange(t, o.byRefresh(refresh))
		if renewed.Status != http.StatusOK || renewed.Text(t, "refresh_token") == refresh {
			t.Fatal(renewed.Body)
		}
		b.Clock.Advance(time.Minute)
		if o.valid(t, access) || !o.valid(t, renewed.Text(t, "access_token")) {
			t.Error("the lifetime is wrong")
		}
		refusedWith(t, o.exchange(t, o.byRefresh(refresh)), http.StatusBadRequest, "invalid_grant")
		if o.valid(t, renewed.Text(t, "access_token")) {
			t.Error("the reuse of a refresh token did not end the grant")
		}
		refusedWith(t, o.exchange(t, o.byRefresh(renewed.Text(t, "refresh_token"))), http.StatusBadRequest, "invalid_grant")
	})
}

func TestCodeIsUsedOnceByItsClient(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		o := newOAuthClient(t, b.NewPerson(t, "ada@example.com"))
		other := newOAuthClient(t, o.Client)
		code := func() string { return o.allow(t, o.query(), "scope", "read").Get("code") }
		for claim, changes := range map[string][]string{
			"another client":   {"client_id", other.id},
			"another verifier": {"code_verifier", strings.Repeat("x", 43)},
			"another redirect": {"redirect_uri", "com.example.desk://callback"},
		} {
			first := code()
			if got := o.exchange(t, o.byCode(first), changes...); got.Status != http.StatusBadRequest || !strings.Contains(got.Body, "invalid_grant") {
				t.Errorf("%s: %d %s", claim, got.Status, got.Body)
			}
			if got := o.exchange(t, o.byCode(first)); got.Status == http.StatusOK {
				t.Errorf("%s: the code is still valid", claim)
			}
		}
		late := code()
		b.Clock.Advance(time.Minute)
		refusedWith(t, o.exchange(t, o.byCode(late)), http.StatusBadRequest, "invalid_grant")
		again := code()
		access := o.exchange(t, o.byCode(again)).Text(t, "access_token")
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
	b := apitest.Setup(t)
	o := newOAuthClient(t, b.NewPerson(t, "ada@example.com"))
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
		if got := openPage(t, o.Client, "/oauth/authorize?"+o.query(changes...).Encode()); got.Status != http.StatusBadRequest || got.Header.Get("Location") != "" {
			t.Errorf("%v: %d %v", changes, got.Status, got.Header)
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
		for _, visitor := range []*apitest.Client{o.Client, b.Anonymous()} { // no redirect: any site can register an address and send users to it
			got := expectPage(
				t, openPage(t, visitor, "/oauth/authorize?"+o.query(c.name, c.value).Encode()), http.StatusBadRequest, c.problem,
			)
			if got.Header.Get("Location") != "" {
				t.Errorf("%s=%s: %v", c.name, c.value, got.Header)
			}
		}
	}
	expectPage(t, openPage(t, o.Client, "/oauth/authorize?"+o.query("redirect_uri", "http://127.0.0.1:60001/callback?x=1").Encode()), http.StatusOK, "asks for access")
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
	foreign := b.NewFirm(t, "bob@example.com")
	if got := o.allow(t, o.query(), "scope", "read", "organization", foreign.ID); got.Get("error") != "access_denied" {
		t.Errorf("a foreign organization: %v", got)
	}
}

func TestConsentRequiresThePageOfTheSession(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	o := newOAuthClient(t, ada)
	path := "/oauth/authorize?" + o.query().Encode()
	page := openPage(t, o.Client, path)
	query, confirm := hiddenField(page.Body, "query"), hiddenField(page.Body, "confirm")
	bob := b.NewPerson(t, "bob@example.com")
	expectPage(t, submitPage(t, bob, "/oauth/authorize", "query", query, "confirm", confirm, "scope", "read", "do", "allow"), http.StatusBadRequest, "outdated")
	expectPage(t, submitPage(t, o.Client, "/oauth/authorize", "query", query, "confirm", "", "scope", "read", "do", "allow"), http.StatusBadRequest, "outdated")
	expectPage(t, submitPage(t, o.Client, "/oauth/authorize", "query", o.query("scope", "destructive").Encode(), "confirm", confirm, "scope", "destructive", "do", "allow"), http.StatusBadRequest, "outdated")
	form := url.Values{"query": {query}, "confirm": {confirm}, "scope": {"read"}, "do": {"allow"}}.Encode()
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example.com"}, {"Origin", "https://evil.example.com", "Authorization", "Bearer x"}} {
		got := o.Send(t, "POST", "/oauth/authorize", form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
		if got.Status != http.StatusForbidden {
			t.Errorf("%v: %d %s", headers, got.Status, got.Body)
		}
	}
	stranger := b.Anonymous()
	to := openPage(t, stranger, path).Header.Get("Location")
	if !strings.HasPrefix(to, "/login?authorize=") {
		t.Fatal(to)
	}
	expectPage(t, openPage(t, stranger, to), http.StatusOK, apitest.StartPage)
	returned, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	stranger.Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
	expectPage(t, openPage(t, stranger, "/oauth/authorize?"+returned.Query().Get("authorize")), http.StatusOK, "asks for access")
	got := openPage(t, b.Anonymous(), "/oauth/authorize?//evil.example.com/?a=b") // a forged value of the parameter
	if got.Status != http.StatusBadRequest || got.Header.Get("Location") != "" {
		t.Errorf("an open redirect: %d %v", got.Status, got.Header)
	}
}

func TestGrantsEndWithTheirUserAndOnRevocation(t *testing.T) {
	t.Parallel()
	for claim, end := range map[string]func(t *testing.T, o *oauthClient, access, refresh string){
		"revoked by the client": func(t *testing.T, o *oauthClient, access, _ string) {
			t.Helper()
			form := url.Values{"token": {access}, "client_id": {o.id}}
			o.Anonymous().Must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
			form.Set("token", "unknown")
			o.Anonymous().Must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
		},
		"revoked by the user": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			listed := o.Must(t, "GET", "/v1/user/token", "", http.StatusOK)
			o.Must(t, "DELETE", "/v1/user/token/"+quotedAfter(listed.Body, `"id":"`), "", http.StatusNoContent)
		},
		"user disabled": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			administrator(t, o.Server, "admin@example.com").Must(
				t, "POST", "/v1/admin/user/"+o.User.ID.String()+"/disable", "", http.StatusOK,
			)
		},
		"user erased": func(t *testing.T, o *oauthClient, _, _ string) {
			t.Helper()
			o.Must(t, "POST", "/v1/user/erase", erasureBody("ada@example.com"), http.StatusNoContent)
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
				t.Helper()
				o := newOAuthClient(t, b.NewPerson(t, "ada@example.com"))
				access, refresh := o.tokens(t)
				other := newOAuthClient(t, o.Client)
				form := url.Values{"token": {access}, "client_id": {other.id}}
				o.Anonymous().Must(t, "POST", "/oauth/revoke", form.Encode(), http.StatusOK, "Content-Type", "application/x-www-form-urlencoded")
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
	b := apitest.Setup(t)
	register := func(address string) apitest.Answer {
		return b.Anonymous().Send(t, "POST", "/oauth/register", `{"redirect_uris":[`+apitest.Quoted(t, address)+`]}`)
	}
	for _, address := range []string{
		"", "/callback", "http://example.com/callback", "https://example.com/#x", "https://u:p@example.com/", "javascript:alert(1)", "data:text/html,x",
		"https:///x", "https://example.com/\n", "http://127.0.0.1.example.com/", "JavaScript:alert(1)", "file:///etc/passwd",
		"desk://callback", "intent://x", "ms-settings:x", "ws://127.0.0.1/", "blob:https://example.com/x", "com.://x", ".app://x",
	} {
		refusedWith(t, register(address), http.StatusBadRequest, "invalid_redirect_uri")
	}
	refusedWith(t, b.Anonymous().Send(t, "POST", "/oauth/register", `{"redirect_uris":[]}`), http.StatusBadRequest, "invalid_redirect_uri")
	refusedWith(t, b.Anonymous().Send(t, "POST", "/oauth/register", `[]`), http.StatusBadRequest, "invalid_client_metadata")
	refusedWith(t, b.Anonymous().Send(t, "POST", "/oauth/register", `{"redirect_uris":["https://example.com/"],"grant_types":["password"]}`),
		http.StatusBadRequest, "invalid_client_metadata")
	for _, address := range []string{"https://example.com/callback", "http://localhost:1/", "http://LOCALHOST:1/", "http://[::1]/x", "com.example.app:/callback", "cursor://x/y"} {
		if got := register(address); got.Status != http.StatusCreated || got.Text(t, "token_endpoint_auth_method") != "none" {
			t.Errorf("%s: %d %s", address, got.Status, got.Body)
		}
	}
	for range 15 {
		register("https://example.com/callback")
	}
	refusedWith(t, register("https://example.com/callback"), http.StatusTooManyRequests, "slow_down")
	b.Clock.Advance(24 * time.Hour)
	if got := register("https://example.com/callback"); got.Status != http.StatusCreated {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestMetadataDescribesTheServer(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.PublicURL = issuer + "/" })
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		got := b.Anonymous().Must(t, "GET", path, "", http.StatusOK)
		if got.Text(t, "resource") != issuer+"/mcp" || !strings.Contains(got.Body, `"authorization_servers":["`+issuer+`"]`) {
			t.Error(got.Body)
		}
	}
	got := b.Anonymous().Must(t, "GET", "/.well-known/oauth-authorization-server", "", http.StatusOK)
	if got.Text(t, "issuer") != issuer || got.Text(t, "token_endpoint") != issuer+"/oauth/token" || !strings.Contains(got.Body, `"code_challenge_methods_supported":["S256"]`) {
		t.Error(got.Body)
	}
	b.Anonymous().Must(t, "DELETE", "/oauth/token", "", http.StatusMethodNotAllowed)
	refusedWith(
		t, b.Anonymous().Send(t, "POST", "/oauth/token", "grant_type=password", "Content-Type", "application/x-www-form-urlencoded"),
		http.StatusUnauthorized, "invalid_client",
	)
}

// quotedAfter returns the text after the first occurrence of from, up to the following quotation mark.
func quotedAfter(text, from string) string {
	_, after, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(after, `"`)
	return found
}
