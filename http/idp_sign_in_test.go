package http_test

import (
	"net/url"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence/storetest"
)

func TestSignInPageOfTheProviderReturnsToTheLogin(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	got := v.Anonymous().Must(t, "GET", "/v1/user/idp-auth", "", 200)
	page, err := url.Parse(got.Text(t, "signInUrl"))
	if err != nil {
		t.Fatal(err)
	}
	query := page.Query()
	if page.Scheme+"://"+page.Host+page.Path != v.issuer.Mock.AuthorizationEndpoint() || query.Get("client_id") != v.issuer.Mock.ClientID ||
		query.Get("response_type") != "id_token" || query.Get("redirect_uri") != "https://equity.example.com/login" {
		t.Error(page)
	}
}

func TestNoSignInPageIsNamedWithoutAProvider(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	if err := v.issuer.Mock.Server.Close(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*apitest.Server{"none": apitest.Setup(t), "unreachable": v.Server} {
		if got := b.Anonymous().Must(t, "GET", "/v1/user/idp-auth", "", 200); strings.Contains(got.Body, "signInUrl") {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
}
