package http_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"equity/messages"
)

// identity is the part of the story about signing in.
func (b *bundle) identity(t *testing.T) {
	t.Helper()
	c := b.person(t, "ida@example.com")
	other := c.signInAgain(t, password, http.StatusOK)
	_, handle := other.handles(t)
	c.must(t, "DELETE", "/v1/user/session/"+handle, "", http.StatusNoContent)
	seed := c.secret(t)
	c.must(t, "POST", "/v1/user/2fa/verify", token(seed, b.clock.Now()), http.StatusOK)
	c.must(t, "POST", "/v1/user/2fa", token(seed, b.clock.Now()), http.StatusOK)
	b.clock.advance(time.Minute)
	c.must(t, "POST", "/v1/user/2fa/recovery", token(seed, b.clock.Now()), http.StatusOK)
	b.clock.advance(time.Minute)
	c.must(t, "POST", "/v1/user/2fa/disable", token(seed, b.clock.Now()), http.StatusOK)
	c.must(t, "DELETE", "/v1/user/session", "", http.StatusNoContent)
	program := c.program(t, `"read"`)
	c.must(t, "GET", "/v1/user/token", "", http.StatusOK)
	c.must(t, "GET", "/v1/user/token/"+program.id, "", http.StatusOK)
	c.must(t, "DELETE", "/v1/user/token/"+program.id, "", http.StatusNoContent)
	c.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+newPassword+`"}`, http.StatusOK)
	b.provider(t)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"ida@example.com"}`, http.StatusOK)
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

// provider is the part of the story about the identity provider.
func (b *bundle) provider(t *testing.T) {
	t.Helper()
	c := b.anonymous()
	c.must(t, "GET", "/v1/user/idp-auth", "", http.StatusOK)
	c.must(t, "POST", "/v1/user/idp-auth", `{"token":"x"}`, http.StatusOK)
	c.must(t, "GET", "/v1/auth/diagnostic", "", http.StatusOK)
	b.anonymous().must(t, "POST", "/v1/user/idp-auth/redirect", "credential=x&g_csrf_token=y", http.StatusFound,
		"Content-Type", "application/x-www-form-urlencoded", "Cookie", "g_csrf_token=y")
}

// Knows reports true for every identity.
func (acceptingProvider) Knows(messages.Identity) bool { return true }

// Contacts returns no contacts.
func (acceptingProvider) Contacts(context.Context, string) ([]messages.Contact, error) {
	return nil, nil
}
