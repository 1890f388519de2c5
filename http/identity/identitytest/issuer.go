// Package identitytest runs an identity provider in the process of a test.
package identitytest

import (
	"crypto/rand"
	"errors"
	"maps"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"
)

// Issuer is an identity provider that signs any claims for a test.
type Issuer struct {
	// Mock is the provider itself.
	Mock *mockoidc.MockOIDC
	now  func() time.Time
}

// New starts a provider with tokens that expire after an hour of the test's clock. It stops with the test.
func New(tb testing.TB, now func() time.Time, around ...func(http.Handler) http.Handler) *Issuer {
	tb.Helper()
	mock, err := mockoidc.NewServer(nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, middleware := range around {
		err = errors.Join(err, mock.AddMiddleware(middleware))
	}
	listener, failure := net.Listen("tcp", "127.0.0.1:0")
	if err := errors.Join(err, failure); err != nil {
		tb.Fatal(err)
	}
	if err := mock.Start(listener, nil); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := mock.Shutdown(); err != nil {
			tb.Errorf("stop the issuer: %v", err)
		}
	})
	// The first call stores the result without a lock; later calls only read it.
	if _, err := mock.Keypair.KeyID(); err != nil {
		tb.Fatal(err)
	}
	return &Issuer{Mock: mock, now: now}
}

// Claims returns the claims of a valid token with this subject and address, with the changes. A nil value removes a
// claim.
func (i *Issuer) Claims(subject, email string, changes ...map[string]any) jwt.MapClaims {
	claims := jwt.MapClaims{
		"iss": i.Mock.Issuer(), "aud": i.Mock.ClientID, "sub": subject, "email": email, "email_verified": true,
		"given_name": "Ada", "family_name": "Lovelace", "jti": rand.Text(), "iat": i.now().Unix(), "exp": i.now().Add(time.Hour).Unix(),
	}
	for _, change := range changes {
		maps.Copy(claims, change)
	}
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

// Token is such a token, signed by the provider's key.
func (i *Issuer) Token(tb testing.TB, subject, email string, changes ...map[string]any) string {
	tb.Helper()
	token, err := i.Mock.Keypair.SignJWT(i.Claims(subject, email, changes...))
	if err != nil {
		tb.Fatal(err)
	}
	return token
}
