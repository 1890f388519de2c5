package http_test

import (
	"net/http"
	"testing"

	equityhttp "equity/http"
	"equity/messages"
)

func TestSettingPermitsPrivateSchemes(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.RedirectSchemes = []string{"desk", "javascript", "http"}
	})
	for address, status := range map[string]int{
		"desk://callback": http.StatusCreated, "vscode://example.mcp/callback": http.StatusCreated, "com.example.app:/callback": http.StatusCreated,
		"desks://callback": http.StatusBadRequest, "javascript:alert(1)": http.StatusBadRequest, "http://example.com/": http.StatusBadRequest,
	} {
		if got := b.anonymous().send(t, "POST", "/oauth/register", `{"redirect_uris":[`+quoted(t, address)+`]}`); got.status != status {
			t.Errorf("%s: %d %s", address, got.status, got.body)
		}
	}
}

func TestRedirectAddressOfAnEarlierVersionIsCheckedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	known := messages.OAuthClient{
		ID: messages.OAuthClientID(newID()), Name: "Desk", RedirectURIs: []string{"desk://callback"}, CreatedAt: b.clock.Now(),
	}
	if err := b.grants.AddClient(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	o := &oauthClient{b.person(t, "ada@example.com"), known.ID.String()}
	got := o.open(
		t, "/oauth/authorize?"+o.query("redirect_uri", known.RedirectURIs[0]).Encode(),
	).expect(t, http.StatusBadRequest, "OAUTH_REDIRECT_SCHEMES")
	if got.header.Get("Location") != "" {
		t.Errorf("%v", got.header)
	}
}

// A form with an invalid request is answered by a page too, with any session.
func TestFormOfAuthorizationDoesNotRedirectWithoutConsent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.person(t, "ada@example.com").registeredClient(t)
	for _, query := range []string{o.query("response_type", "token").Encode(), o.query().Encode()} {
		got := o.submit(t, "/oauth/authorize", "query", query, "do", "refuse")
		if got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%d %v", got.status, got.header)
		}
	}
}
