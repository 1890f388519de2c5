package http_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// temporaryPassword returns the temporary password of the newest mail to the address.
func temporaryPassword(tb testing.TB, b *apitest.Server, to string) string {
	tb.Helper()
	found := regexp.MustCompile(`[0-9a-z]{5}(-[0-9a-z]{5}){3}`).FindString(b.NewestMail(tb, to).Text)
	if found == "" {
		tb.Fatal("the mail contains no password")
	}
	b.Secrets.Add(found)
	return found
}

const (
	resetAda    = `{"email":"ada@example.com"}`
	newPassword = "the ninth wave at dawn"
)

func TestTemporaryPasswordIsUsedOnceAndThenChanged(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"ADA@example.com"}`, 200)
		temporary := temporaryPassword(t, b, "ada@example.com")
		c.Must(t, "GET", "/v1/user/current", "", 200)
		c.SignInAgain(t, apitest.Password, 200)

		typed := strings.ToUpper(strings.ReplaceAll(temporary, "-", " "))
		in := c.SignInAgain(t, typed, 200)
		c.Must(t, "GET", "/v1/user/current", "", 401)
		c.SignInAgain(t, temporary, 400)
		c.SignInAgain(t, apitest.Password, 400)
		if got := in.Must(t, "GET", "/v1/user/current", "", 200); got.Get(t, "mustChangePassword") != true {
			t.Errorf("mustChangePassword is not set: %s", got.Body)
		}
		for _, path := range []string{"/v1/organization", "/v1/user/session"} {
			if got := in.Must(t, "GET", path, "", 403); got.Text(t, "code") != "mustChangePassword" {
				t.Errorf("%s: %s", path, got.Body)
			}
		}
		in.Must(t, "POST", "/v1/organization", `{"name":"Hats","currency":"USD"}`, 403)
		got := in.Must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 200)
		if got.Get(t, "mustChangePassword") != false {
			t.Errorf("mustChangePassword is still set: %s", got.Body)
		}
		in.Must(t, "GET", "/v1/user/session", "", 200)
		c.SignInAgain(t, newPassword, 200)
	})
}

func TestTemporaryPasswordIsRefusedForOthersAndAfterItsExpiry(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		reset := func(body string, status int) apitest.Answer {
			return b.Anonymous().Must(t, "POST", "/v1/user/password/reset", body, status)
		}
		if got := reset(`{"email":"who@example.com"}`, 400); got.Text(t, "key") != "userNotFound" {
			t.Error(got.Body)
		}
		reset(resetAda, 200)
		if got := reset(resetAda, 400); got.Text(t, "key") != "existingActiveTempPassword" {
			t.Error(got.Body)
		}
		late := temporaryPassword(t, b, "ada@example.com")
		other := b.NewPerson(t, "bob@example.com")
		other.SignInAgain(t, late, 400)
		b.Clock.Advance(time.Hour)
		c.SignInAgain(t, late, 400)
		reset(resetAda, 200)
		if temporaryPassword(t, b, "ada@example.com") == late {
			t.Error("the same temporary password was sent twice")
		}
		c.SignInAgain(t, apitest.Password, 200)
	})
}

func TestTemporaryPasswordConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.Anonymous().Must(t, "POST", "/v1/user", registration, 201)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
	c := b.Anonymous()
	got := c.Must(
		t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"`+temporaryPassword(t, b, "grace@example.com")+`"}`, 200,
	)
	if got.Get(t, "emailVerified") != true {
		t.Error(got.Body)
	}
}

func TestTemporaryPasswordRequestsAreThrottled(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for range 30 {
		b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 400)
	}
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 429)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 400, "X-Forwarded-For", "203.0.113.9")
}

func TestPasswordChangeEndsAllOtherSessions(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		stranger := b.NewPerson(t, "bob@example.com")
		phone, thief := c.SignInAgain(t, apitest.Password, 200), &apitest.Client{Server: b, Cookie: c.Cookie}
		b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 200)
		waiting := temporaryPassword(t, b, "ada@example.com")
		c.Must(t, "POST", "/v1/user/password", `{"currentPassword":"`+apitest.Password+`","password":"`+newPassword+`"}`, 200)
		c.Must(t, "GET", "/v1/user/current", "", 200)
		phone.Must(t, "GET", "/v1/user/current", "", 401)
		thief.Must(t, "GET", "/v1/user/current", "", 401)
		stranger.Must(t, "GET", "/v1/user/current", "", 200)
		c.SignInAgain(t, waiting, 400)
		c.SignInAgain(t, apitest.Password, 400)
		c.SignInAgain(t, newPassword, 200)
		if mail := b.NewestMail(t, "ada@example.com"); mail.Subject != "Your password was changed" || !strings.Contains(mail.HTML, "Hello Ada") {
			t.Errorf("no notice: %+v", mail)
		}
	})
}

func TestInvalidPasswordChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	change := func(current, to string) string {
		return `{"currentPassword":"` + current + `","password":"` + to + `"}`
	}
	const path = "/v1/user/password"
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a change without a session is refused", As: b.Anonymous(), Method: "POST", Path: path,
			Body: change(apitest.Password, newPassword), Status: 401,
		},
		{Claim: "a wrong current password is refused", As: c, Method: "POST", Path: path, Body: change("x", newPassword), Status: 400, Has: []string{`"key":"invalidCredentials"`}},
		{Claim: "a missing current password is refused", As: c, Method: "POST", Path: path, Body: `{"password":"` + newPassword + `"}`, Status: 400, Has: []string{`"key":"invalidCredentials"`}},
		{Claim: "the same password is refused", As: c, Method: "POST", Path: path, Body: change(apitest.Password, apitest.Password), Status: 400, Has: []string{`"/password","code":"unchanged"`}},
		{Claim: "a common password is refused", As: c, Method: "POST", Path: path, Body: change(apitest.Password, "Password123"), Status: 400, Has: []string{`"tooCommon"`}},
		{Claim: "the address as password is refused", As: c, Method: "POST", Path: path, Body: change(apitest.Password, "ada@example.com"), Status: 400, Has: []string{`"isEmail"`}},
	})
	for range 10 {
		c.Send(t, "POST", path, change("x", newPassword))
	}
	c.Must(t, "POST", path, change(apitest.Password, newPassword), 429)
	c.Must(t, "GET", "/v1/user/current", "", 200)
}
