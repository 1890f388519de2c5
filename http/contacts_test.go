package http_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
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
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		issuer = identitytest.New(t, s.Now)
		s.Provider = identity.New(identity.Settings{
			Issuer: issuer.Mock.Issuer(), Audience: issuer.Mock.ClientID, Contacts: people.URL + "/{subject}", Token: "the token", Now: s.Now,
		})
	})
	ada := b.Anonymous()
	signInWithProvider(t, ada, 200, issuer.Token(t, "ada", "ada@example.com"))
	lists := func(as *apitest.Client, want string) {
		t.Helper()
		if got := as.Must(t, "GET", "/v1/external-contacts", "", http.StatusOK); strings.TrimSpace(got.Body) != want {
			t.Errorf("%s", got.Body)
		}
	}
	lists(ada, `{"data":[{"name":"Friend of ada","email":"friend@example.com"}]}`)
	lists(b.NewPerson(t, "bob@example.com"), `{"data":[]}`)
	eve := b.Anonymous()
	signInWithProvider(t, eve, 200, issuer.Token(t, "out/of/order", "eve@example.com"))
	got := eve.Must(t, "GET", "/v1/external-contacts", "", http.StatusServiceUnavailable)
	if strings.Contains(got.Body, "the token") || !strings.Contains(got.Body, "The identity provider cannot be reached") {
		t.Errorf("%s", got.Body)
	}
}
