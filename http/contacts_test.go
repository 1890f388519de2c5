package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/identity"
	"equity/http/identity/identitytest"
	"equity/persistence/storetest"
)

func TestContactsBelongToTheCaller(t *testing.T) {
	t.Parallel()
	people := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/out/of/order" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write([]byte(`{"connections":[{"names":[{"displayName":"Friend of ` + r.URL.Path[1:] + `"}],"emailAddresses":[{"value":"friend@example.com"}]}]}`))
	}))
	storetest.Cleanup(t, people.Close)
	var issuer *identitytest.Issuer
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		issuer = identitytest.New(t, s.Now)
		s.Provider = identity.New(identity.Settings{
			Issuer: issuer.Mock.Issuer(), Audience: issuer.Mock.ClientID, Contacts: people.URL + "/{subject}", Token: "the token", Now: s.Now,
		})
	})
	ada := b.anonymous()
	ada.signInWith(t, 200, issuer.Token(t, "ada", "ada@example.com"))
	lists := func(as *client, want string) {
		t.Helper()
		if got := as.must(t, "GET", "/v1/external-contacts", "", http.StatusOK); strings.TrimSpace(got.body) != want {
			t.Errorf("%s", got.body)
		}
	}
	lists(ada, `{"data":[{"name":"Friend of ada","email":"friend@example.com"}]}`)
	lists(b.person(t, "bob@example.com"), `{"data":[]}`)
	eve := b.anonymous()
	eve.signInWith(t, 200, issuer.Token(t, "out/of/order", "eve@example.com"))
	got := eve.must(t, "GET", "/v1/external-contacts", "", http.StatusServiceUnavailable)
	if strings.Contains(got.body, "the token") || !strings.Contains(got.body, "The identity provider cannot be reached") {
		t.Errorf("%s", got.body)
	}
}
