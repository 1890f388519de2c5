package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence/storetest"
)

const redirectForm = "/v1/user/idp-auth/redirect"

// postForm sends the redirect form as the identity provider's page does.
func postForm(tb testing.TB, c *apitest.Client, form url.Values, cookies string) apitest.Answer {
	tb.Helper()
	return c.Send(tb, "POST", redirectForm, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Cookie", cookies,
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
			browser := v.Anonymous()
			got := postForm(t, browser, c.form, c.cookies)
			if got.Status != c.status || strings.TrimSpace(got.Body) != c.body || got.Header.Get("Location") != c.to {
				t.Errorf("%d %s to %q", got.Status, got.Body, got.Header.Get("Location"))
			}
			if in := browser.Cookie != ""; in != strings.HasSuffix(c.to, "=true") {
				t.Errorf("a session: %t", in)
			}
		})
	}
}

func TestRedirectFormSignsIn(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	browser := v.Anonymous()
	browser.Must(t, "POST", "/api"+redirectForm, url.Values{"g_csrf_token": {"a"}, "credential": {v.issuer.Token(t, "1", "ada@example.com")}}.Encode(),
		http.StatusFound, "Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=a", "Sec-Fetch-Site", "cross-site")
	if got := browser.Must(t, "GET", "/v1/user/current", "", 200); got.Text(t, "email") != "ada@example.com" {
		t.Error(got.Body)
	}
}

func TestRedirectFormRefusesAccountsWithASecondFactor(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	enableSecondFactor(t, v.NewPerson(t, "ada@example.com"))
	form := url.Values{"g_csrf_token": {"a"}, "credential": {v.issuer.Token(t, "1", "ada@example.com")}}
	got := postForm(t, v.Anonymous(), form, "g_csrf_token=a")
	if got.Status != http.StatusFound || got.Header.Get("Location") != "/login?error=two_factor_required" || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("%d %v", got.Status, got.Header)
	}
}

func TestUnavailableProviderIsLogged(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	token := v.issuer.Token(t, "1", "ada@example.com")
	if err := v.issuer.Mock.Server.Close(); err != nil {
		t.Fatal(err)
	}
	got := postForm(t, v.Anonymous(), url.Values{"g_csrf_token": {"a"}, "credential": {token}}, "g_csrf_token=a")
	if got.Header.Get("Location") != "/login?error=auth_failed" || !strings.Contains(v.Log.String(), "sign-in by redirect failed") {
		t.Errorf("%v", got.Header)
	}
	v.signInByToken(t, http.StatusServiceUnavailable, token)
}

func TestMalformedRedirectFormsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for body, status := range map[string]int{"credential=%zz&g_csrf_token=a": 400, strings.Repeat("x", 2<<20): 413} {
		if got := b.Anonymous().Send(
			t, "POST", redirectForm, body, "Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=a",
		); got.Status != status {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if got := b.Anonymous().Send(t, "POST", redirectForm, `{"credential":"x"}`); got.Status != http.StatusUnsupportedMediaType {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
