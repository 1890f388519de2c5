package http_test

import (
	"net/http"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/messages"
)

func TestSettingPermitsPrivateSchemes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.RedirectSchemes = []string{"desk", "javascript", "http"}
	})
	for address, status := range map[string]int{
		"desk://callback": http.StatusCreated, "vscode://example.mcp/callback": http.StatusCreated, "com.example.app:/callback": http.StatusCreated,
		"desks://callback": http.StatusBadRequest, "javascript:alert(1)": http.StatusBadRequest, "http://example.com/": http.StatusBadRequest,
	} {
		if got := b.Anonymous().Send(
			t, "POST", "/oauth/register", `{"redirect_uris":[`+apitest.Quoted(t, address)+`]}`,
		); got.Status != status {
			t.Errorf("%s: %d %s", address, got.Status, got.Body)
		}
	}
}

func TestRedirectAddressOfAnEarlierVersionIsCheckedAgain(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	known := messages.OAuthClient{
		ID: messages.OAuthClientID(apitest.NewID()), Name: "Desk", RedirectURIs: []string{"desk://callback"}, CreatedAt: b.Clock.Now(),
	}
	if err := b.AccessTokens.AddClient(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	o := &oauthClient{b.NewPerson(t, "ada@example.com"), known.ID.String()}
	got := expectPage(t, openPage(t, o.Client, "/oauth/authorize?"+o.query("redirect_uri", known.RedirectURIs[0]).Encode()), http.StatusBadRequest, "OAUTH_REDIRECT_SCHEMES")
	if got.Header.Get("Location") != "" {
		t.Errorf("%v", got.Header)
	}
}

// A form with an invalid request is answered by a page too, with any session.
func TestFormOfAuthorizationDoesNotRedirectWithoutConsent(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	o := newOAuthClient(t, b.NewPerson(t, "ada@example.com"))
	for _, query := range []string{o.query("response_type", "token").Encode(), o.query().Encode()} {
		got := submitPage(t, o.Client, "/oauth/authorize", "query", query, "do", "refuse")
		if got.Status != http.StatusBadRequest || got.Header.Get("Location") != "" {
			t.Errorf("%d %v", got.Status, got.Header)
		}
	}
}
