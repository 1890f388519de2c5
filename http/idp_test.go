package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/identity"
	"equity/http/identity/identitytest"
	"equity/messages"
	"equity/persistence/storetest"
)

// providerBundle is a server with an identity provider.
type providerBundle struct {
	*bundle
	issuer *identitytest.Issuer
}

func withProvider(t *testing.T, on string, changes ...change) *providerBundle {
	t.Helper()
	v := &providerBundle{}
	v.bundle = setupOn(t, on, append(changes, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		v.issuer = identitytest.New(t, s.Now)
		s.Provider = identity.New(identity.Settings{Issuer: v.issuer.Mock.Issuer(), Audience: v.issuer.Mock.ClientID, Now: s.Now})
	})...)
	return v
}

// signInByToken signs in a new browser by a token, with additional fields in the body.
func (v *providerBundle) signInByToken(t *testing.T, status int, token string, fields ...string) answer {
	t.Helper()
	return v.anonymous().signInWith(t, status, token, fields...)
}

func (c *client) signInWith(t *testing.T, status int, token string, fields ...string) answer {
	t.Helper()
	return c.must(t, "POST", "/v1/user/idp-auth", `{`+strings.Join(append(fields, `"token":"`+token+`"`), ",")+`}`, status)
}

func TestProviderSubjectCreatesOneAccount(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		c := v.anonymous()
		made := c.signInWith(t, 200, v.issuer.Token(t, "1", "New@Example.com"))
		if made.text(t, "email") != "New@Example.com" || made.get(t, "emailVerified") != true || made.text(t, "lastName") != "Lovelace" {
			t.Error(made.body)
		}
		if got := c.must(t, "GET", "/v1/user/current", "", 200); got.text(t, "id") != made.text(t, "id") {
			t.Error(got.body)
		}
		again := v.signInByToken(t, 200, v.issuer.Token(t, "1", "moved@example.com", map[string]any{"email_verified": false}))
		if again.text(t, "id") != made.text(t, "id") || again.text(t, "email") != "New@Example.com" {
			t.Errorf("the subject must identify the account even with another address: %s", again.body)
		}
		mononym := v.signInByToken(t, 200, v.issuer.Token(t, "2", "cher@example.com", map[string]any{"given_name": nil, "family_name": nil}))
		if mononym.text(t, "firstName") != "cher" || mononym.get(t, "lastName") != "" {
			t.Error(mononym.body)
		}
		v.anonymous().must(t, "POST", "/v1/user/login", `{"email":"new@example.com","password":"x"}`, 400)
	})
}

// everywhereWithProvider is the variant of everywhere with an identity provider.
func everywhereWithProvider(t *testing.T, test func(t *testing.T, v *providerBundle)) {
	t.Helper()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		test(t, withProvider(t, store, changes...))
	})
}

func TestAccountIsLinkedIfBothSidesVerifiedTheAddress(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		ada := v.person(t, "ada@example.com")
		if got := v.signInByToken(
			t, 400, v.issuer.Token(t, "1", "ada@example.com", map[string]any{"email_verified": false}),
		); got.text(t, "key") != "emailNotVerified" {
			t.Error(got.body)
		}
		if got := v.signInByToken(t, 200, v.issuer.Token(t, "1", "ADA@example.com")); got.text(t, "id") != ada.user.ID.String() {
			t.Error(got.body)
		}
		v.signInByToken(t, 200, v.issuer.Token(t, "1", "ADA@example.com"))
		if mails := v.mails(t, "ada@example.com"); len(mails) != 1 || mails[0].Subject != "Another way to sign in" {
			t.Errorf("%+v", mails)
		}
		if got := v.signInByToken(t, 400, v.issuer.Token(t, "2", "ada@example.com")); got.text(t, "key") != "Unauthorized" {
			t.Errorf("another subject with the same address was signed in: %s", got.body)
		}
		ada.signInAgain(t, password, 200)
	})
}

func TestUnverifiedAddressIsTakenOverByTheProvider(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	v.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	code := v.code(t, "grace@example.com")
	v.signInByToken(t, 200, v.issuer.Token(t, "1", "grace@example.com"))
	v.anonymous().must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 400)
	v.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, 400)
}

func TestProviderDoesNotReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	ada := v.person(t, "ada@example.com")
	seed, _ := ada.enableSecondFactor(t)
	token := v.issuer.Token(t, "1", "ada@example.com")
	if got := v.signInByToken(t, 400, token); got.text(t, "key") != "invalidTwoFactorToken" {
		t.Error(got.body)
	}
	if _, err := v.users.ByIdentity(t.Context(), messages.Identity{Issuer: v.issuer.Mock.Issuer(), Subject: "1"}); err == nil {
		t.Error("the identity is linked before the code was checked")
	}
	v.signInByToken(t, 400, token, `"twoFactorToken":"000000"`)
	code := codeAt(seed, v.clock.Now())
	v.signInByToken(t, 200, token, `"twoFactorToken":"`+code+`"`)
	v.signInByToken(t, 400, token, `"twoFactorToken":"`+code+`"`)
}

func TestProviderTokenIsUsedOnce(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		token := v.issuer.Token(t, "1", "ada@example.com")
		v.signInByToken(t, 200, token)
		if got := v.signInByToken(t, 400, token); got.text(t, "key") != "Unauthorized" || got.header.Get("Set-Cookie") != "" {
			t.Error(got.body)
		}
		if got := v.anonymous().post(
			t, url.Values{"g_csrf_token": {"a"}, "credential": {token}}, "g_csrf_token=a",
		); got.header.Get("Location") != "/login?error=auth_failed" {
			t.Errorf("reused token in the form: %v", got.header)
		}
		v.clock.advance(59 * time.Minute) // tokens are valid for an hour
		v.signInByToken(t, 400, token)
		lasting := v.issuer.Token(t, "1", "ada@example.com", map[string]any{"exp": 99_999_999_999})
		v.signInByToken(t, 200, lasting)
		v.signInByToken(t, 400, lasting)

		token = v.issuer.Token(t, "1", "ada@example.com")
		const together = 8
		statuses := make(chan int, together)
		for range together {
			go func() { statuses <- v.anonymous().send(t, "POST", "/v1/user/idp-auth", `{"token":"`+token+`"}`).status }()
		}
		in := 0
		for range together {
			if <-statuses == http.StatusOK {
				in++
			}
		}
		if in != 1 {
			t.Errorf("%d of %d concurrent requests were signed in", in, together)
		}
	})
}

func TestRefusedTokenChangesNoState(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	old := v.issuer.Token(t, "1", "ada@example.com")
	v.clock.advance(2 * time.Hour)
	for claim, token := range map[string]string{
		"expired": old, "malformed": "x", "for another client": v.issuer.Token(t, "1", "ada@example.com", map[string]any{"aud": "another"}),
	} {
		got := v.signInByToken(t, 400, token)
		if got.text(t, "error") != "Bad Request" || got.text(t, "key") != "Unauthorized" || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %s", claim, got.body)
		}
	}
	if _, err := v.users.ByEmail(t.Context(), "ada@example.com"); err == nil {
		t.Error("an account was created")
	}
	if strings.Contains(v.log.String(), old) {
		t.Error("the token is in the log")
	}
	v.anonymous().must(t, "POST", "/v1/user/idp-auth", `{}`, 400)
	setup(t).anonymous().signInWith(t, 400, old)
}

func TestProviderRegistrationsHaveTheSameLimits(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	for i, name := range []string{"a", "b", "c"} {
		v.signInByToken(t, 200, v.issuer.Token(t, string(rune('1'+i)), name+"@example.com"))
	}
	if got := v.signInByToken(t, 400, v.issuer.Token(t, "4", "d@example.com")); got.text(t, "key") != "ipLimitReached" {
		t.Error(got.body)
	}
}
