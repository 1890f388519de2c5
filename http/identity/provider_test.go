package identity_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"equity/account"
	"equity/http/identity"
	"equity/http/identity/identitytest"
)

func TestUnavailableProviderIsNotARefusal(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	away.Store(true)
	issuer := identitytest.New(t, noon, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	})
	provider := identity.New(identity.Settings{Issuer: issuer.Mock.Issuer(), Audience: issuer.Mock.ClientID, Now: noon})
	token := issuer.Token(t, "1", "ada@example.com")
	ask := func() error {
		_, err := provider.Verify(t.Context(), token)
		return err
	}
	if err := ask(); err == nil || errors.Is(err, account.ErrInvalidToken) {
		t.Errorf("before the discovery: %v", err)
	}
	away.Store(false)
	if _, err := provider.Verify(t.Context(), "no token"); !errors.Is(err, account.ErrInvalidToken) {
		t.Error(err)
	}
	away.Store(true)
	if err := ask(); err == nil || errors.Is(err, account.ErrInvalidToken) {
		t.Errorf("before the keys are read: %v", err)
	}
	away.Store(false)
	if err := ask(); err != nil {
		t.Error(err)
	}
	away.Store(true)
	if err := ask(); err != nil {
		t.Errorf("the keys are not cached: %v", err)
	}
}

func TestDiscoveryWithoutTheAddressOfKeysIsRepeated(t *testing.T) {
	t.Parallel()
	var incomplete atomic.Bool
	incomplete.Store(true)
	issuer := identitytest.New(t, noon, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if incomplete.Load() {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"issuer":"http://` + r.Host + strings.TrimSuffix(r.URL.Path, "/.well-known/openid-configuration") + `"}`))
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	provider := identity.New(identity.Settings{Issuer: issuer.Mock.Issuer(), Audience: issuer.Mock.ClientID, Now: noon})
	token := issuer.Token(t, "1", "ada@example.com")
	if _, err := provider.Verify(t.Context(), token); err == nil || errors.Is(err, account.ErrInvalidToken) {
		t.Errorf("without the address of the keys: %v", err)
	}
	incomplete.Store(false)
	if _, err := provider.Verify(t.Context(), token); err != nil {
		t.Errorf("with the address of the keys: %v", err)
	}
}

func TestDiscoveryOfAnotherIssuerIsRefused(t *testing.T) {
	t.Parallel()
	issuer, _ := setup(t)
	provider := identity.New(identity.Settings{Issuer: issuer.Mock.Issuer() + "/", Audience: issuer.Mock.ClientID, Now: noon})
	if _, err := provider.Verify(t.Context(), issuer.Token(t, "1", "ada@example.com")); err == nil {
		t.Error("the token was accepted")
	}
}
