package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence"
)

// TestEveryErrorKeyIsReturned causes every authentication error of the interface at its
// documented operation. Clients compare these key values.
func TestEveryErrorKeyIsReturned(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		as := func(email string) string { return strings.Replace(registration, "grace@example.com", email, 1) }
		login := func(email, with string) string { return `{"email":"` + email + `","password":"` + with + `"}` }
		to := func(email string) string { return `{"email":"` + email + `"}` }
		ada, anonymous := b.NewPerson(t, "ada@example.com"), b.Anonymous()
		newSecondFactor(t, ada)
		blocklist := persistence.NewBlocklist(b.DB)
		if err := blocklist.Block(t.Context(), "bad@example.com", b.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		if err := blocklist.Block(t.Context(), "spam.example", b.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		anonymous.Must(t, "POST", "/v1/user", registration, http.StatusCreated)
		anonymous.Must(t, "POST", "/v1/user/password/reset", to("ada@example.com"), http.StatusOK)
		anonymous.Must(t, "POST", "/v1/user/email/verify/send", to("someone@example.com"), http.StatusOK)
		for _, row := range []struct {
			value string
			as    *apitest.Client
			path  string
			body  string
		}{
			{"emailUnavailable", anonymous, "/v1/user", registration},
			{"Unauthorized", anonymous, "/v1/user/idp-auth", `{"token":"of.no.provider"}`},
			{"emailNotVerified", anonymous, "/v1/user/login", login("grace@example.com", "compilers are for people")},
			{"existingActiveTempPassword", anonymous, "/v1/user/password/reset", to("ada@example.com")},
			{"invalidCredentials", anonymous, "/v1/user/login", login("ada@example.com", "wrong")},
			{"invalidCredentials", anonymous, "/v1/user/login", login("unknown@example.com", "wrong")},
			{"invalidEmailVerificationCode", anonymous, "/v1/user/email/verify", `{"code":"q2W0kF4hXb1nS7cVtY9mPz"}`},
			{"invalidTwoFactorToken", ada, "/v1/user/2fa/verify", `{"token":"000000"}`},
			{"invalidTwoFactorToken", ada, "/v1/user/2fa", `{"token":"000000"}`},
			{"recentEmailVerification", anonymous, "/v1/user/email/verify/send", to("someone@example.com")},
			{"userNotFound", anonymous, "/v1/user/password/reset", to("unknown@example.com")},
			{"EmailBlacklisted", anonymous, "/v1/user", as("bad@example.com")},
			{"DomainBlacklisted", anonymous, "/v1/user", as("ada@spam.example")},
		} {
			refuseValue(t, row.as, row.value, row.path, row.body)
		}
		for _, name := range []string{"one", "two"} { // the limit is three accounts for each address
			anonymous.Must(t, "POST", "/v1/user", as(name+"@example.com"), http.StatusCreated)
		}
		refuseValue(t, anonymous, "ipLimitReached", "/v1/user", as("four@example.com"))
	})
}

// refuseValue posts the body and expects the authentication error with the given key.
func refuseValue(tb testing.TB, c *apitest.Client, value, path, body string) {
	tb.Helper()
	got := c.Send(tb, "POST", path, body)
	if want := `{"error":"Bad Request","key":"` + value + `",`; got.Status != http.StatusBadRequest || !strings.HasPrefix(got.Body, want) {
		tb.Errorf("%s: %d %s, want 400 %s", path, got.Status, got.Body, want)
	}
}
