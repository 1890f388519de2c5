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
	"equity/http/apitest"
	"equity/persistence"
)

const registration = `{"email":"grace@example.com","password":"compilers are for people","firstName":"Grace","lastName":"Hopper","acceptedTerms":true}`

// mailedCode returns the code from the newest mail to the address.
func mailedCode(t *testing.T, b *apitest.Server, to string) string {
	t.Helper()
	mails, err := persistence.NewOutbox(b.DB).Claim(context.Background(), b.Clock.Now(), time.Minute, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, mail := range slices.Backward(mails) {
		if mail.To == to {
			code := regexp.MustCompile(`code=([\w-]+)`).FindStringSubmatch(mail.Text)[1]
			b.Secrets.Add(code)
			return code
		}
	}
	return ""
}

func TestUserRegistersSignsInAndLogsOut(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.Anonymous()
	login := `{"email":"GRACE@example.com","password":"compilers are for people"}`

	got := c.Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	if got.Header.Get("Location") != "/v1/user/current" || got.Get(t, "emailVerified") != false || got.Text(t, "username") != "grace" {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	got = c.Must(t, "POST", "/v1/user/login", login, http.StatusBadRequest)
	if want := `{"error":"Bad Request","key":"emailNotVerified","code":"emailNotVerified",`; !strings.HasPrefix(got.Body, want) {
		t.Errorf("unverified: %s", got.Body)
	}
	code := mailedCode(t, b, "grace@example.com")
	c.Must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, http.StatusOK)
	c.Must(t, "GET", "/v1/user/current", "", http.StatusOK) // the code signs the registering browser in
	got = c.Must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, http.StatusBadRequest)
	if got.Text(t, "key") != "invalidEmailVerificationCode" {
		t.Errorf("used code: %s", got.Body)
	}
	got = c.Must(t, "POST", "/v1/user/login", login, http.StatusOK)
	cookie := got.Header.Get("Set-Cookie")
	for _, part := range []string{"connect.sid=", "HttpOnly", "SameSite=Lax", "Max-Age=604800", "Path=/"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("the cookie lacks %s: %s", part, cookie)
		}
	}
	got = c.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if got.Text(t, "email") != "grace@example.com" || got.Header.Get("Set-Cookie") == "" || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("current: %v %s", got.Header, got.Body)
	}
	thief := &apitest.Client{Server: b, Cookie: c.Cookie}
	c.Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
	if c.Cookie != "" {
		t.Error("the cookie was not cleared")
	}
	thief.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
	thief.Must(t, "POST", "/v1/user/logout", "", http.StatusUnauthorized)
}

func TestInvalidRegistrationsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "taken@example.com")
	blocklist := persistence.NewBlocklist(b.DB)
	if err := blocklist.Block(context.Background(), "bad@example.com", b.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	if err := blocklist.Block(context.Background(), "spam.example", b.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	change := func(old, replacement string) string { return strings.Replace(registration, old, replacement, 1) }
	key := func(key string) []string { return []string{`"error":"Bad Request"`, `"key":"` + key + `"`} }
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a registered address is refused in any letter case", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("grace@", "TAKEN@"), Status: 400, Has: key("emailUnavailable"),
		},
		{
			Claim: "an address on the blocklist is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("grace@", "bad@"), Status: 400, Has: key("EmailBlacklisted"),
		},
		{
			Claim: "a subdomain of a blocked domain is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("@example.com", "@mail.spam.example"), Status: 400, Has: key("DomainBlacklisted"),
		},
		{
			Claim: "every wrong field is named", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: `{"email":"x","password":"short","firstName":" ","acceptedTerms":false,"admin":true}`, Status: 400,
			Has: []string{
				`"/email","code":"invalidEmail"`, `"/password","code":"tooShort"`, `"/firstName","code":"pattern"`,
				`"/acceptedTerms","code":"enum"`, `"/admin","code":"unknownField"`, `"/lastName","code":"required"`,
			},
		},
		{
			Claim: "a common password is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("compilers are for people", "Password123"), Status: 400, Has: []string{`"/password","code":"tooCommon"`},
		},
		{
			Claim: "a password with few distinct letters is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("compilers are for people", "abababababab"), Status: 400, Has: []string{`"tooCommon"`},
		},
		{
			Claim: "the address as password is refused", As: b.Anonymous(), Method: "POST", Path: "/v1/user",
			Body: change("compilers are for people", "Grace@example.com"), Status: 400, Has: []string{`"isEmail"`},
		},
	})
	for _, name := range []string{"a", "b", "c"} {
		b.Anonymous().Must(t, "POST", "/v1/user", change("grace@", name+"@"), http.StatusCreated)
	}
	got := b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusBadRequest)
	if got.Text(t, "key") != "ipLimitReached" {
		t.Errorf("a fourth account from one network address: %s", got.Body)
	}
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated, "X-Forwarded-For", "203.0.113.9")
}

func TestLoginDoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "ada@example.com")
	wrong := b.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"x"}`, http.StatusBadRequest)
	unknown := b.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"who@example.com","password":"x"}`, http.StatusBadRequest)
	if wrong.Text(t, "key") != "invalidCredentials" || unknown.Text(t, "key") != "invalidCredentials" {
		t.Errorf("%s %s", wrong.Body, unknown.Body)
	}
}

func TestPasswordGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	for range 10 {
		b.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"Ada@example.com","password":"x"}`, http.StatusBadRequest)
	}
	right := `{"email":"ada@example.com","password":"` + apitest.Password + `"}`
	got := c.Must(t, "POST", "/v1/user/login", right, http.StatusTooManyRequests)
	if got.Text(t, "code") != "tooManyAttempts" || got.Header.Get("Retry-After") != "900" {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	b.Clock.Advance(15 * time.Minute)
	c.Must(t, "POST", "/v1/user/login", right, http.StatusOK)
}

// Guesses lock out the network that they come from, not the owner. A second limit counts the
// guesses of all networks.
func TestPasswordGuessesLockOutTheirOwnNetwork(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "ada@example.com")
	guess := func(from string, times, status int) {
		t.Helper()
		for range times {
			b.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"x"}`, status, "X-Forwarded-For", from)
		}
	}
	right := `{"email":"ada@example.com","password":"` + apitest.Password + `"}`
	guess("198.51.100.1", 10, http.StatusBadRequest)
	guess("198.51.100.1", 20, http.StatusTooManyRequests)
	b.Anonymous().Must(t, "POST", "/v1/user/login", right, http.StatusOK, "X-Forwarded-For", "203.0.113.1")
	b.Anonymous().Must(t, "POST", "/v1/user/login", right, http.StatusTooManyRequests, "X-Forwarded-For", "198.51.100.1")
	guess("198.51.100.2", 10, http.StatusBadRequest)
	guess("198.51.100.3", 10, http.StatusBadRequest)
	guess("198.51.100.4", 5, http.StatusBadRequest)
	guess("198.51.100.5", 1, http.StatusTooManyRequests)
}

// Mails to unconfirmed addresses must not contain text entered by another person.
func TestMailToUnconfirmedAddressContainsNoEnteredText(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.Anonymous().Must(t, "POST", "/v1/user", strings.Replace(registration, `"Grace"`, `"Win at evil.example"`, 1), http.StatusCreated)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, http.StatusOK)
	mails := b.Mails(t, "grace@example.com")
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
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	before := &apitest.Client{Server: b, Cookie: c.Cookie}
	c.Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, http.StatusOK)
	before.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
	c.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
}

func TestBrowserOfTheRegistrationGetsAnotherMailWithoutABody(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	registered := b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	cookie, _, _ := strings.Cut(registered.Header.Get("Set-Cookie"), ";")
	first := mailedCode(t, b, "grace@example.com")
	b.Clock.Advance(time.Hour)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", "", http.StatusOK, "Cookie", cookie)
	second := mailedCode(t, b, "grace@example.com")
	if second == "" || second == first {
		t.Errorf("no new code: %q %q", first, second)
	}
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest, "Cookie", "registration=x.!")
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+second+`"}`, http.StatusOK, "Cookie", cookie)
}

func TestVerificationMailsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	verified := b.NewPerson(t, "ada@example.com")
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	if got := b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusBadRequest); got.Text(t, "key") != "recentEmailVerification" {
		t.Errorf("the registration mail is not counted: %s", got.Body)
	}
	first := mailedCode(t, b, "grace@example.com")
	b.Clock.Advance(time.Hour)
	for _, email := range []string{"grace@example.com", "ada@example.com", "who@example.com"} {
		body := `{"email":"` + email + `"}`
		if got := b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", body, http.StatusOK); got.Body != `{"sent":true}`+"\n" {
			t.Errorf("%s: %s", email, got.Body)
		}
		got := b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", strings.Replace(body, "com", "COM", 1), http.StatusBadRequest)
		if got.Text(t, "key") != "recentEmailVerification" {
			t.Errorf("%s: %s", email, got.Body)
		}
	}
	second := mailedCode(t, b, "grace@example.com")
	if second == "" || second == first {
		t.Errorf("no new code: %q %q", first, second)
	}
	if mailedCode(t, b, "ada@example.com") != "" {
		t.Error("a mail was sent to a verified address")
	}
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+first+`"}`, http.StatusBadRequest)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest)
	b.Clock.Advance(time.Hour)
	verified.Must(t, "POST", "/v1/user/email/verify/send", "", http.StatusOK)
	got := verified.Must(t, "POST", "/v1/user/email/verify/send", "", http.StatusBadRequest)
	if got.Text(t, "key") != "recentEmailVerification" {
		t.Errorf("%s", got.Body)
	}
}

func TestFailingSessionStoreDoesNotSignOut(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Sessions = brokenSessions{s.Sessions} })
	got := (&apitest.Client{Server: b, Cookie: "connect.sid=x"}).Must(t, "GET", "/v1/user/current", "", http.StatusServiceUnavailable)
	if got.Text(t, "code") != "unavailable" || got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, "secret cause") {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	if !strings.Contains(b.Log.String(), "secret cause") {
		t.Error("the cause is not in the log")
	}
}

func TestSignInStateNamesTheUserAndIsNoErrorWithoutOne(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	if got := b.Anonymous().Must(t, "GET", "/v1/user/sign-in", "", http.StatusOK); strings.TrimSpace(got.Body) != "{}" {
		t.Errorf("without a session: %s", got.Body)
	}
	c := b.NewPerson(t, "ada@example.com")
	got := c.Must(t, "GET", "/v1/user/sign-in", "", http.StatusOK)
	current := c.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if want := `{"user":` + strings.TrimSpace(current.Body) + `}`; strings.TrimSpace(got.Body) != want {
		t.Errorf("with a session: %s, want %s", got.Body, want)
	}
}
