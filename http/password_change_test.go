package http_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// temporary returns the temporary password of the newest mail to the address.
func (b *bundle) temporary(tb testing.TB, to string) string {
	tb.Helper()
	found := regexp.MustCompile(`[0-9a-z]{5}(-[0-9a-z]{5}){3}`).FindString(b.newest(tb, to).Text)
	if found == "" {
		tb.Fatal("the mail contains no password")
	}
	b.secrets.add(found)
	return found
}

const (
	resetAda    = `{"email":"ada@example.com"}`
	newPassword = "the ninth wave at dawn"
)

func TestTemporaryPasswordIsUsedOnceAndThenChanged(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"ADA@example.com"}`, 200)
		temporary := b.temporary(t, "ada@example.com")
		c.must(t, "GET", "/v1/user/current", "", 200)
		c.signInAgain(t, password, 200)

		typed := strings.ToUpper(strings.ReplaceAll(temporary, "-", " "))
		in := c.signInAgain(t, typed, 200)
		c.must(t, "GET", "/v1/user/current", "", 401)
		c.signInAgain(t, temporary, 400)
		c.signInAgain(t, password, 400)
		if got := in.must(t, "GET", "/v1/user/current", "", 200); got.get(t, "mustChangePassword") != true {
			t.Errorf("mustChangePassword is not set: %s", got.body)
		}
		for _, path := range []string{"/v1/organization", "/v1/user/session"} {
			if got := in.must(t, "GET", path, "", 403); got.text(t, "code") != "mustChangePassword" {
				t.Errorf("%s: %s", path, got.body)
			}
		}
		in.must(t, "POST", "/v1/organization", `{"name":"Hats","currency":"USD"}`, 403)
		got := in.must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 200)
		if got.get(t, "mustChangePassword") != false {
			t.Errorf("mustChangePassword is still set: %s", got.body)
		}
		in.must(t, "GET", "/v1/user/session", "", 200)
		c.signInAgain(t, newPassword, 200)
	})
}

func TestTemporaryPasswordIsRefusedForOthersAndAfterItsExpiry(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		reset := func(body string, status int) answer {
			return b.anonymous().must(t, "POST", "/v1/user/password/reset", body, status)
		}
		if got := reset(`{"email":"who@example.com"}`, 400); got.text(t, "key") != "userNotFound" {
			t.Error(got.body)
		}
		reset(resetAda, 200)
		if got := reset(resetAda, 400); got.text(t, "key") != "existingActiveTempPassword" {
			t.Error(got.body)
		}
		late := b.temporary(t, "ada@example.com")
		other := b.person(t, "bob@example.com")
		other.signInAgain(t, late, 400)
		b.clock.advance(time.Hour)
		c.signInAgain(t, late, 400)
		reset(resetAda, 200)
		if b.temporary(t, "ada@example.com") == late {
			t.Error("the same temporary password was sent twice")
		}
		c.signInAgain(t, password, 200)
	})
}

func TestTemporaryPasswordConfirmsTheAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.anonymous().must(t, "POST", "/v1/user", registration, 201)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
	c := b.anonymous()
	got := c.must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"`+b.temporary(t, "grace@example.com")+`"}`, 200)
	if got.get(t, "emailVerified") != true {
		t.Error(got.body)
	}
}

func TestTemporaryPasswordRequestsAreThrottled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 30 {
		b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 400)
	}
	b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 429)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 400, "X-Forwarded-For", "203.0.113.9")
}

func TestPasswordChangeEndsAllOtherSessions(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		stranger := b.person(t, "bob@example.com")
		phone, thief := c.signInAgain(t, password, 200), &client{bundle: b, cookie: c.cookie}
		b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 200)
		waiting := b.temporary(t, "ada@example.com")
		c.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+newPassword+`"}`, 200)
		c.must(t, "GET", "/v1/user/current", "", 200)
		phone.must(t, "GET", "/v1/user/current", "", 401)
		thief.must(t, "GET", "/v1/user/current", "", 401)
		stranger.must(t, "GET", "/v1/user/current", "", 200)
		c.signInAgain(t, waiting, 400)
		c.signInAgain(t, password, 400)
		c.signInAgain(t, newPassword, 200)
		if mail := b.newest(t, "ada@example.com"); mail.Subject != "Your password was changed" || !strings.Contains(mail.HTML, "Hello Ada") {
			t.Errorf("no notice: %+v", mail)
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestInvalidPasswordChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	change := func(current, to string) string {
		return `{"currentPassword":"` + current + `","password":"` + to + `"}`
	}
	const path = "/v1/user/password"
	run(t, []scenario{
		{
			claim: "a change without a session is refused", as: b.anonymous(), method: "POST", path: path,
			body: change(password, newPassword), status: 401,
		},
		{claim: "a wrong current password is refused", as: c, method: "POST", path: path, body: change("x", newPassword), status: 400, has: []string{`"key":"invalidCredentials"`}},
		{claim: "a missing current password is refused", as: c, method: "POST", path: path, body: `{"password":"` + newPassword + `"}`, status: 400, has: []string{`"key":"invalidCredentials"`}},
		{claim: "the same password is refused", as: c, method: "POST", path: path, body: change(password, password), status: 400, has: []string{`"/password","code":"unchanged"`}},
		{claim: "a common password is refused", as: c, method: "POST", path: path, body: change(password, "Password123"), status: 400, has: []string{`"tooCommon"`}},
		{claim: "the address as password is refused", as: c, method: "POST", path: path, body: change(password, "ada@example.com"), status: 400, has: []string{`"isEmail"`}},
	})
	for range 10 {
		c.send(t, "POST", path, change("x", newPassword))
	}
	c.must(t, "POST", path, change(password, newPassword), 429)
	c.must(t, "GET", "/v1/user/current", "", 200)
}
