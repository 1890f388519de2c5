package http_test

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/persistence"
)

const registration = `{"email":"grace@example.com","password":"compilers are for people","firstName":"Grace","lastName":"Hopper","acceptedTerms":true}`

// code returns the code from the newest mail to the address.
func (b *bundle) code(t *testing.T, to string) string {
	t.Helper()
	mails, err := persistence.NewOutbox(b.db).Claim(context.Background(), b.clock.Now(), time.Minute, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, mail := range slices.Backward(mails) {
		if mail.To == to {
			code := regexp.MustCompile(`code=([\w-]+)`).FindStringSubmatch(mail.Text)[1]
			b.secrets.add(code)
			return code
		}
	}
	return ""
}

func TestUserRegistersSignsInAndLogsOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.anonymous()
	login := `{"email":"GRACE@example.com","password":"compilers are for people"}`

	got := c.must(t, "POST", "/v1/user", registration, http.StatusCreated)
	if got.header.Get("Location") != "/v1/user/current" || got.get(t, "emailVerified") != false || got.text(t, "username") != "grace" {
		t.Errorf("%v %s", got.header, got.body)
	}
	got = c.must(t, "POST", "/v1/user/login", login, http.StatusBadRequest)
	if want := `{"error":"Bad Request","key":"emailNotVerified","code":"emailNotVerified",`; !strings.HasPrefix(got.body, want) {
		t.Errorf("unverified: %s", got.body)
	}
	code := b.code(t, "grace@example.com")
	c.must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, http.StatusOK)
	c.must(t, "GET", "/v1/user/current", "", http.StatusOK) // the code signs the registering browser in
	got = c.must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, http.StatusBadRequest)
	if got.text(t, "key") != "invalidEmailVerificationCode" {
		t.Errorf("used code: %s", got.body)
	}
	got = c.must(t, "POST", "/v1/user/login", login, http.StatusOK)
	cookie := got.header.Get("Set-Cookie")
	for _, part := range []string{"connect.sid=", "HttpOnly", "SameSite=Lax", "Max-Age=604800", "Path=/"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie lacks %s: %s", part, cookie)
		}
	}
	got = c.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if got.text(t, "email") != "grace@example.com" || got.header.Get("Set-Cookie") == "" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("current: %v %s", got.header, got.body)
	}
	thief := &client{bundle: b, cookie: c.cookie}
	c.must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
	if c.cookie != "" {
		t.Error("the cookie was not cleared")
	}
	thief.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
	thief.must(t, "POST", "/v1/user/logout", "", http.StatusUnauthorized)
}

//nolint:tparallel // one scenario builds on another
func TestInvalidRegistrationsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "taken@example.com")
	blocklist := persistence.NewBlocklist(b.db)
	if err := blocklist.Block(context.Background(), "bad@example.com", b.clock.Now()); err != nil {
		t.Fatal(err)
	}
	if err := blocklist.Block(context.Background(), "spam.example", b.clock.Now()); err != nil {
		t.Fatal(err)
	}
	change := func(old, replacement string) string { return strings.Replace(registration, old, replacement, 1) }
	key := func(key string) []string { return []string{`"error":"Bad Request"`, `"key":"` + key + `"`} }
	run(t, []scenario{
		{
			claim: "a registered address is refused in any letter case", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("grace@", "TAKEN@"), status: 400, has: key("emailUnavailable"),
		},
		{
			claim: "an address on the blocklist is refused", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("grace@", "bad@"), status: 400, has: key("EmailBlacklisted"),
		},
		{
			claim: "a subdomain of a blocked domain is refused", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("@example.com", "@mail.spam.example"), status: 400, has: key("DomainBlacklisted"),
		},
		{
			claim: "every wrong field is named", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: `{"email":"x","password":"short","firstName":" ","acceptedTerms":false,"admin":true}`, status: 400,
			has: []string{
				`"/email","code":"invalidEmail"`, `"/password","code":"tooShort"`, `"/firstName","code":"pattern"`,
				`"/acceptedTerms","code":"enum"`, `"/admin","code":"unknownField"`, `"/lastName","code":"required"`,
			},
		},
		{
			claim: "a common password is refused", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("compilers are for people", "Password123"), status: 400, has: []string{`"/password","code":"tooCommon"`},
		},
		{
			claim: "a password with few distinct letters is refused", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("compilers are for people", "abababababab"), status: 400, has: []string{`"tooCommon"`},
		},
		{
			claim: "the address as password is refused", as: b.anonymous(), method: "POST", path: "/v1/user",
			body: change("compilers are for people", "Grace@example.com"), status: 400, has: []string{`"isEmail"`},
		},
	})
	for _, name := range []string{"a", "b", "c"} {
		b.anonymous().must(t, "POST", "/v1/user", change("grace@", name+"@"), http.StatusCreated)
	}
	got := b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusBadRequest)
	if got.text(t, "key") != "ipLimitReached" {
		t.Errorf("a fourth account from one network address: %s", got.body)
	}
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated, "X-Forwarded-For", "203.0.113.9")
}

func TestLoginDoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	wrong := b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"x"}`, http.StatusBadRequest)
	unknown := b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"who@example.com","password":"x"}`, http.StatusBadRequest)
	if wrong.text(t, "key") != "invalidCredentials" || unknown.text(t, "key") != "invalidCredentials" {
		t.Errorf("%s %s", wrong.body, unknown.body)
	}
}

func TestPasswordGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	for range 10 {
		b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"Ada@example.com","password":"x"}`, http.StatusBadRequest)
	}
	right := `{"email":"ada@example.com","password":"` + password + `"}`
	got := c.must(t, "POST", "/v1/user/login", right, http.StatusTooManyRequests)
	if got.text(t, "code") != "tooManyAttempts" || got.header.Get("Retry-After") != "900" {
		t.Errorf("%v %s", got.header, got.body)
	}
	b.clock.advance(15 * time.Minute)
	c.must(t, "POST", "/v1/user/login", right, http.StatusOK)
}

// Guesses lock out the network that they come from, not the owner. A second limit counts the
// guesses of all networks.
func TestPasswordGuessesLockOutTheirOwnNetwork(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	guess := func(from string, times, status int) {
		t.Helper()
		for range times {
			b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"x"}`, status, "X-Forwarded-For", from)
		}
	}
	right := `{"email":"ada@example.com","password":"` + password + `"}`
	guess("198.51.100.1", 10, http.StatusBadRequest)
	guess("198.51.100.1", 20, http.StatusTooManyRequests)
	b.anonymous().must(t, "POST", "/v1/user/login", right, http.StatusOK, "X-Forwarded-For", "203.0.113.1")
	b.anonymous().must(t, "POST", "/v1/user/login", right, http.StatusTooManyRequests, "X-Forwarded-For", "198.51.100.1")
	guess("198.51.100.2", 10, http.StatusBadRequest)
	guess("198.51.100.3", 10, http.StatusBadRequest)
	guess("198.51.100.4", 5, http.StatusBadRequest)
	guess("198.51.100.5", 1, http.StatusTooManyRequests)
}

// Mails to unconfirmed addresses must not contain text entered by another person.
func TestMailToUnconfirmedAddressContainsNoEnteredText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.anonymous().must(t, "POST", "/v1/user", strings.Replace(registration, `"Grace"`, `"Win at evil.example"`, 1), http.StatusCreated)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, http.StatusOK)
	mails := b.mails(t, "grace@example.com")
	if len(mails) != 2 {
		t.Fatalf("%d mails", len(mails))
	}
	for _, mail := range mails {
		if strings.Contains(mail.Text+mail.HTML, "evil") {
			t.Error(mail.Text, mail.HTML)
		}
	}
}

func TestLoginEndsThePreviousSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	before := &client{bundle: b, cookie: c.cookie}
	c.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, http.StatusOK)
	before.must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
	c.must(t, "GET", "/v1/user/current", "", http.StatusOK)
}

func TestBrowserOfTheRegistrationGetsAnotherMailWithoutABody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	registered := b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	cookie, _, _ := strings.Cut(registered.header.Get("Set-Cookie"), ";")
	first := b.code(t, "grace@example.com")
	b.clock.advance(time.Hour)
	b.anonymous().must(t, "POST", "/v1/user/email/verify/send", "", http.StatusOK, "Cookie", cookie)
	second := b.code(t, "grace@example.com")
	if second == "" || second == first {
		t.Errorf("no new code: %q %q", first, second)
	}
	b.anonymous().must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest, "Cookie", "registration=x.!")
	b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+second+`"}`, http.StatusOK, "Cookie", cookie)
}

func TestVerificationMailsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	verified := b.person(t, "ada@example.com")
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	if got := b.anonymous().must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusBadRequest); got.text(t, "key") != "recentEmailVerification" {
		t.Errorf("the registration mail is not counted: %s", got.body)
	}
	first := b.code(t, "grace@example.com")
	b.clock.advance(time.Hour)
	for _, email := range []string{"grace@example.com", "ada@example.com", "who@example.com"} {
		body := `{"email":"` + email + `"}`
		if got := b.anonymous().must(t, "POST", "/v1/user/email/verify/send", body, http.StatusOK); got.body != `{"sent":true}`+"\n" {
			t.Errorf("%s: %s", email, got.body)
		}
		got := b.anonymous().must(t, "POST", "/v1/user/email/verify/send", strings.Replace(body, "com", "COM", 1), http.StatusBadRequest)
		if got.text(t, "key") != "recentEmailVerification" {
			t.Errorf("%s: %s", email, got.body)
		}
	}
	second := b.code(t, "grace@example.com")
	if second == "" || second == first {
		t.Errorf("no new code: %q %q", first, second)
	}
	if b.code(t, "ada@example.com") != "" {
		t.Error("a mail was sent to a verified address")
	}
	b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+first+`"}`, http.StatusBadRequest)
	b.anonymous().must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest)
	b.clock.advance(time.Hour)
	verified.must(t, "POST", "/v1/user/email/verify/send", "", http.StatusOK)
	got := verified.must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest)
	if got.text(t, "key") != "recentEmailVerification" {
		t.Errorf("%s", got.body)
	}
}

func TestFailingSessionStoreDoesNotSignOut(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Sessions = brokenSessions{s.Sessions} })
	got := (&client{bundle: b, cookie: "connect.sid=x"}).must(t, "GET", "/v1/user/current", "", http.StatusServiceUnavailable)
	if got.text(t, "code") != "unavailable" || got.header.Get("Retry-After") == "" || strings.Contains(got.body, "secret cause") {
		t.Errorf("%v %s", got.header, got.body)
	}
	if !strings.Contains(b.log.String(), "secret cause") {
		t.Error("the cause is not in the log")
	}
}

func TestSignInStateNamesTheUserAndIsNoErrorWithoutOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.anonymous().must(t, "GET", "/v1/user/sign-in", "", http.StatusOK); strings.TrimSpace(got.body) != "{}" {
		t.Errorf("without a session: %s", got.body)
	}
	c := b.person(t, "ada@example.com")
	got := c.must(t, "GET", "/v1/user/sign-in", "", http.StatusOK)
	current := c.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if want := `{"user":` + strings.TrimSpace(current.body) + `}`; strings.TrimSpace(got.body) != want {
		t.Errorf("with a session: %s, want %s", got.body, want)
	}
}
