package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/http/identity"
	"equity/http/identity/identitytest"
	"equity/messages"
	"equity/persistence/storetest"
)

// providerBundle is a server with an identity provider.
type providerBundle struct {
	*apitest.Server
	issuer *identitytest.Issuer
}

func withProvider(t *testing.T, on string, changes ...apitest.Change) *providerBundle {
	t.Helper()
	v := &providerBundle{}
	v.Server = apitest.SetupOn(t, on, append(changes, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		v.issuer = identitytest.New(t, s.Now)
		s.Provider = identity.New(identity.Settings{Issuer: v.issuer.Mock.Issuer(), Audience: v.issuer.Mock.ClientID, Now: s.Now})
	})...)
	return v
}

// signInByToken signs in a new browser by a token, with additional fields in the body.
func (v *providerBundle) signInByToken(t *testing.T, status int, token string, fields ...string) apitest.Answer {
	t.Helper()
	return signInWithProvider(t, v.Anonymous(), status, token, fields...)
}

func signInWithProvider(t *testing.T, c *apitest.Client, status int, token string, fields ...string) apitest.Answer {
	t.Helper()
	return c.Must(t, "POST", "/v1/user/idp-auth", `{`+strings.Join(append(fields, `"token":"`+token+`"`), ",")+`}`, status)
}

func TestProviderSubjectCreatesOneAccount(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		c := v.Anonymous()
		made := signInWithProvider(t, c, 200, v.issuer.Token(t, "1", "New@Example.com"))
		if made.Text(t, "email") != "New@Example.com" || made.Get(t, "emailVerified") != true || made.Text(t, "lastName") != "Lovelace" {
			t.Error(made.Body)
		}
		if got := c.Must(t, "GET", "/v1/user/current", "", 200); got.Text(t, "id") != made.Text(t, "id") {
			t.Error(got.Body)
		}
		again := v.signInByToken(t, 200, v.issuer.Token(t, "1", "moved@example.com", map[string]any{"email_verified": false}))
		if again.Text(t, "id") != made.Text(t, "id") || again.Text(t, "email") != "New@Example.com" {
			t.Errorf("the subject must identify the account even with another address: %s", again.Body)
		}
		mononym := v.signInByToken(t, 200, v.issuer.Token(t, "2", "cher@example.com", map[string]any{"given_name": nil, "family_name": nil}))
		if mononym.Text(t, "firstName") != "cher" || mononym.Get(t, "lastName") != "" {
			t.Error(mononym.Body)
		}
		v.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"new@example.com","password":"x"}`, 400)
	})
}

// everywhereWithProvider is the variant of [apitest.OnAllStores] with an identity provider.
func everywhereWithProvider(t *testing.T, test func(t *testing.T, v *providerBundle)) {
	t.Helper()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		test(t, withProvider(t, store, changes...))
	})
}

func TestAccountIsLinkedIfBothSidesVerifiedTheAddress(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		ada := v.NewPerson(t, "ada@example.com")
		if got := v.signInByToken(
			t, 400, v.issuer.Token(t, "1", "ada@example.com", map[string]any{"email_verified": false}),
		); got.Text(t, "key") != "emailNotVerified" {
			t.Error(got.Body)
		}
		if got := v.signInByToken(t, 200, v.issuer.Token(t, "1", "ADA@example.com")); got.Text(t, "id") != ada.User.ID.String() {
			t.Error(got.Body)
		}
		v.signInByToken(t, 200, v.issuer.Token(t, "1", "ADA@example.com"))
		if mails := v.Mails(t, "ada@example.com"); len(mails) != 1 || mails[0].Subject != "Another way to sign in" {
			t.Errorf("%+v", mails)
		}
		if got := v.signInByToken(t, 400, v.issuer.Token(t, "2", "ada@example.com")); got.Text(t, "key") != "Unauthorized" {
			t.Errorf("another subject with the same address was signed in: %s", got.Body)
		}
		ada.SignInAgain(t, apitest.Password, 200)
	})
}

func TestUnverifiedAddressIsTakenOverByTheProvider(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	v.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	code := mailedCode(t, v.Server, "grace@example.com")
	v.signInByToken(t, 200, v.issuer.Token(t, "1", "grace@example.com"))
	v.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 400)
	v.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, 400)
}

func TestProviderDoesNotReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	ada := v.NewPerson(t, "ada@example.com")
	seed, _ := enableSecondFactor(t, ada)
	token := v.issuer.Token(t, "1", "ada@example.com")
	if got := v.signInByToken(t, 400, token); got.Text(t, "key") != "invalidTwoFactorToken" {
		t.Error(got.Body)
	}
	if _, err := v.Users.ByIdentity(t.Context(), messages.Identity{Issuer: v.issuer.Mock.Issuer(), Subject: "1"}); err == nil {
		t.Error("the identity is linked before the code was checked")
	}
	v.signInByToken(t, 400, token, `"twoFactorToken":"000000"`)
	code := codeAt(seed, v.Clock.Now())
	v.signInByToken(t, 200, token, `"twoFactorToken":"`+code+`"`)
	v.signInByToken(t, 400, token, `"twoFactorToken":"`+code+`"`)
}

func TestProviderTokenIsUsedOnce(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		token := v.issuer.Token(t, "1", "ada@example.com")
		v.signInByToken(t, 200, token)
		if got := v.signInByToken(t, 400, token); got.Text(t, "key") != "Unauthorized" || got.Header.Get("Set-Cookie") != "" {
			t.Error(got.Body)
		}
		if got := postForm(
			t, v.Anonymous(), url.Values{"g_csrf_token": {"a"}, "credential": {token}}, "g_csrf_token=a",
		); got.Header.Get("Location") != "/login?error=auth_failed" {
			t.Errorf("reused token in the form: %v", got.Header)
		}
		v.Clock.Advance(59 * time.Minute) // tokens are valid for an hour
		v.signInByToken(t, 400, token)
		lasting := v.issuer.Token(t, "1", "ada@example.com", map[string]any{"exp": 99_999_999_999})
		v.signInByToken(t, 200, lasting)
		v.signInByToken(t, 400, lasting)

		token = v.issuer.Token(t, "1", "ada@example.com")
		const together = 8
		statuses := make(chan int, together)
		for range together {
			go func() { statuses <- v.Anonymous().Send(t, "POST", "/v1/user/idp-auth", `{"token":"`+token+`"}`).Status }()
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
	v.Clock.Advance(2 * time.Hour)
	for claim, token := range map[string]string{
		"expired": old, "malformed": "x", "for another client": v.issuer.Token(t, "1", "ada@example.com", map[string]any{"aud": "another"}),
	} {
		got := v.signInByToken(t, 400, token)
		if got.Text(t, "error") != "Bad Request" || got.Text(t, "key") != "Unauthorized" || got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %s", claim, got.Body)
		}
	}
	if _, err := v.Users.ByEmail(t.Context(), "ada@example.com"); err == nil {
		t.Error("an account was created")
	}
	if strings.Contains(v.Log.String(), old) {
		t.Error("the token is in the log")
	}
	v.Anonymous().Must(t, "POST", "/v1/user/idp-auth", `{}`, 400)
	signInWithProvider(t, apitest.Setup(t).Anonymous(), 400, old)
}

func TestProviderRegistrationsHaveTheSameLimits(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	for i, name := range []string{"a", "b", "c"} {
		v.signInByToken(t, 200, v.issuer.Token(t, string(rune('1'+i)), name+"@example.com"))
	}
	if got := v.signInByToken(t, 400, v.issuer.Token(t, "4", "d@example.com")); got.Text(t, "key") != "ipLimitReached" {
		t.Error(got.Body)
	}
}
