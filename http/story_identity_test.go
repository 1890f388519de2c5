package http_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"equity/http/apitest"
	"equity/messages"
)

// identityStory is the part of the story about signing in.
func identityStory(t *testing.T, b *apitest.Server) {
	t.Helper()
	c := b.NewPerson(t, "ida@example.com")
	other := c.SignInAgain(t, apitest.Password, http.StatusOK)
	_, handle := sessionHandles(t, other)
	c.Must(t, "DELETE", "/v1/user/session/"+handle, "", http.StatusNoContent)
	seed := newSecondFactor(t, c)
	c.Must(t, "POST", "/v1/user/2fa/verify", token(seed, b.Clock.Now()), http.StatusOK)
	c.Must(t, "POST", "/v1/user/2fa", token(seed, b.Clock.Now()), http.StatusOK)
	b.Clock.Advance(time.Minute)
	c.Must(t, "POST", "/v1/user/2fa/recovery", token(seed, b.Clock.Now()), http.StatusOK)
	b.Clock.Advance(time.Minute)
	c.Must(t, "POST", "/v1/user/2fa/disable", token(seed, b.Clock.Now()), http.StatusOK)
	c.Must(t, "DELETE", "/v1/user/session", "", http.StatusNoContent)
	program := newProgram(t, c, `"read"`)
	c.Must(t, "GET", "/v1/user/token", "", http.StatusOK)
	c.Must(t, "GET", "/v1/user/token/"+program.id, "", http.StatusOK)
	c.Must(t, "DELETE", "/v1/user/token/"+program.id, "", http.StatusNoContent)
	c.Must(t, "POST", "/v1/user/password", `{"currentPassword":"`+apitest.Password+`","password":"`+newPassword+`"}`, http.StatusOK)
	providerStory(t, b)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"ida@example.com"}`, http.StatusOK)
}

// acceptingProvider is an identity provider that accepts every token as ida's.
type acceptingProvider struct{}

func (acceptingProvider) Verify(context.Context, string) (messages.Claims, error) {
	return messages.Claims{Identity: messages.Identity{Issuer: "i", Subject: "ida"}, Email: "ida@example.com", EmailVerified: true}, nil
}

// SignInURL returns an address.
func (acceptingProvider) SignInURL(context.Context, string) (string, error) {
	return "https://accounts.example.com/authorize", nil
}

// providerStory is the part of the story about the identity provider.
func providerStory(t *testing.T, b *apitest.Server) {
	t.Helper()
	c := b.Anonymous()
	c.Must(t, "GET", "/v1/user/idp-auth", "", http.StatusOK)
	c.Must(t, "POST", "/v1/user/idp-auth", `{"token":"x"}`, http.StatusOK)
	c.Must(t, "GET", "/v1/auth/diagnostic", "", http.StatusOK)
	b.Anonymous().Must(t, "POST", "/v1/user/idp-auth/redirect", "credential=x&g_csrf_token=y", http.StatusFound,
		"Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=y")
}

// Knows reports true for every identity.
func (acceptingProvider) Knows(messages.Identity) bool { return true }

// Contacts returns no contacts.
func (acceptingProvider) Contacts(context.Context, string) ([]messages.Contact, error) {
	return nil, nil
}
