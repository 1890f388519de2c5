package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

const redirectForm = "/v1/user/idp-auth/redirect"

// post sends the redirect form as the identity provider's page does.
func (c *client) post(tb testing.TB, form url.Values, cookies string) answer {
	tb.Helper()
	return c.send(tb, "POST", redirectForm, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookies,
		"Origin", "https://provider.example", "Sec-Fetch-Site", "cross-site")
}

func TestRedirectFormRequiresMatchingTokens(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	good := v.issuer.Token(t, "1", "ada@example.com")
	const refused, missing = `{"message":"CSRF token validation failed"}`, `{"message":"Missing credential"}`
	for claim, c := range map[string]struct {
		form     url.Values
		cookies  string
		status   int
		body, to string
	}{
		"no token at all":        {url.Values{"credential": {good}}, "", 403, refused, ""},
		"no token in the form":   {url.Values{"credential": {good}}, "g_csrf_token=a", 403, refused, ""},
		"no token in the cookie": {url.Values{"credential": {good}, "g_csrf_token": {"a"}}, "other=a", 403, refused, ""},
		"empty tokens":           {url.Values{"credential": {good}, "g_csrf_token": {""}}, "g_csrf_token=", 403, refused, ""},
		"different tokens":       {url.Values{"credential": {good}, "g_csrf_token": {"a"}}, "g_csrf_token=b", 403, refused, ""},
		"a second cookie": {
			url.Values{"credential": {good}, "g_csrf_token": {"a"}}, "g_csrf_token=b; g_csrf_token=a", 403, refused, "",
		},
		"the token precedes the credential": {url.Values{}, "", 403, refused, ""},
		"no credential":                     {url.Values{"g_csrf_token": {"a"}}, "g_csrf_token=a", 400, missing, ""},
		"an empty credential":               {url.Values{"g_csrf_token": {"a"}, "credential": {""}}, "g_csrf_token=a", 400, missing, ""},
		"a valid credential": {
			url.Values{"g_csrf_token": {"a"}, "credential": {good}, "select_by": {"btn"}},
			"x=y; g_csrf_token=a", 302, "",
			"/login?authenticated=true",
		},
		"an invalid credential": {
			url.Values{"g_csrf_token": {"a"}, "credential": {good + "x"}}, "g_csrf_token=a", 302, "", "/login?error=auth_failed",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			browser := v.anonymous()
			got := browser.post(t, c.form, c.cookies)
			if got.status != c.status || strings.TrimSpace(got.body) != c.body || got.header.Get("Location") != c.to {
				t.Errorf("%d %s to %q", got.status, got.body, got.header.Get("Location"))
			}
			if in := browser.cookie != ""; in != strings.HasSuffix(c.to, "=true") {
				t.Errorf("a session: %t", in)
			}
		})
	}
}

func TestRedirectFormSignsIn(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	browser := v.anonymous()
	browser.must(t, "POST", "/api"+redirectForm, url.Values{"g_csrf_token": {"a"}, "credential": {v.issuer.Token(t, "1", "ada@example.com")}}.Encode(),
		http.StatusFound, "Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=a", "Sec-Fetch-Site", "cross-site")
	if got := browser.must(t, "GET", "/v1/user/current", "", 200); got.text(t, "email") != "ada@example.com" {
		t.Error(got.body)
	}
}

func TestRedirectFormRefusesAccountsWithASecondFactor(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	v.person(t, "ada@example.com").enableSecondFactor(t)
	form := url.Values{"g_csrf_token": {"a"}, "credential": {v.issuer.Token(t, "1", "ada@example.com")}}
	got := v.anonymous().post(t, form, "g_csrf_token=a")
	if got.status != http.StatusFound || got.header.Get("Location") != "/login?error=two_factor_required" || got.header.Get("Set-Cookie") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

func TestUnavailableProviderIsLogged(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	token := v.issuer.Token(t, "1", "ada@example.com")
	if err := v.issuer.Mock.Server.Close(); err != nil {
		t.Fatal(err)
	}
	got := v.anonymous().post(t, url.Values{"g_csrf_token": {"a"}, "credential": {token}}, "g_csrf_token=a")
	if got.header.Get("Location") != "/login?error=auth_failed" || !strings.Contains(v.log.String(), "sign-in by redirect failed") {
		t.Errorf("%v", got.header)
	}
	v.signInByToken(t, http.StatusServiceUnavailable, token)
}

func TestMalformedRedirectFormsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, status := range map[string]int{"credential=%zz&g_csrf_token=a": 400, strings.Repeat("x", 2<<20): 413} {
		if got := b.anonymous().send(
			t, "POST", redirectForm, body, "Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=a",
		); got.status != status {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	if got := b.anonymous().send(t, "POST", redirectForm, `{"credential":"x"}`); got.status != http.StatusUnsupportedMediaType {
		t.Errorf("%d %s", got.status, got.body)
	}
}
