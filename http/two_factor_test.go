package http_test

import (
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// secret requests a proposed secret without confirming it.
func (c *client) secret(tb testing.TB) string {
	tb.Helper()
	return c.must(tb, "GET", "/v1/user/2fa", "", 200).text(tb, "secret")
}

// token returns the body with the code of the given time.
func token(seed string, at time.Time) string {
	code, err := totp.GenerateCode(seed, at)
	if err != nil {
		panic(err)
	}
	return `{"token":"` + code + `"}`
}

// enableSecondFactor enables the second factor.
func (c *client) enableSecondFactor(tb testing.TB) (seed string, recovery []string) {
	tb.Helper()
	seed = c.secret(tb)
	list, _ := c.must(tb, "POST", "/v1/user/2fa", token(seed, c.clock.Now()), 200).get(tb, "recoveryCodes").([]any)
	for _, one := range list {
		code, _ := one.(string)
		recovery = append(recovery, code)
	}
	c.clock.advance(time.Minute)
	return seed, recovery
}

// withCode signs in with a second factor.
func (c *client) withCode(tb testing.TB, code string, status int) answer {
	tb.Helper()
	return c.anonymous().must(tb, "POST", "/v1/user/login",
		`{"email":"`+c.user.Email+`","password":"`+password+`","twoFactorToken":"`+code+`"}`, status)
}

func codeAt(seed string, at time.Time) string {
	return strings.TrimSuffix(strings.TrimPrefix(token(seed, at), `{"token":"`), `"}`)
}

func TestSignInRequiresTheSecondFactor(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		seed, _ := c.enableSecondFactor(t)
		if c.must(t, "GET", "/v1/user/current", "", 200).get(t, "twoFactorEnabled") != true {
			t.Error("twoFactorEnabled is not set")
		}
		if got := c.signInAgain(t, password, 400).send(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`); got.text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.body)
		}
		if got := c.withCode(t, "000000", 400); got.text(t, "key") != "invalidTwoFactorToken" || got.header.Get("Set-Cookie") != "" {
			t.Error(got.body)
		}
		wrong := b.anonymous().must(t, "POST", "/v1/user/login",
			`{"email":"ada@example.com","password":"x","twoFactorToken":"`+codeAt(seed, b.clock.Now())+`"}`, 400)
		if wrong.text(t, "key") != "invalidCredentials" {
			t.Errorf("a wrong password with a correct code must return invalidCredentials: %s", wrong.body)
		}
		right := codeAt(seed, b.clock.Now())
		c.withCode(t, right, 200)
		c.withCode(t, right, 400)
		b.clock.advance(30 * time.Second)
		c.withCode(t, right, 400)
		c.withCode(t, codeAt(seed, b.clock.Now().Add(-30*time.Second)), 400)
		c.withCode(t, codeAt(seed, b.clock.Now()), 200)
		c.withCode(t, codeAt(seed, b.clock.Now().Add(2*time.Minute)), 400)
	})
}

func TestTemporaryPasswordRequiresTheSecondFactor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	seed, _ := c.enableSecondFactor(t)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 200)
	temporary := b.temporary(t, "ada@example.com")
	c.signInAgain(t, temporary, 400)
	b.anonymous().must(t, "POST", "/v1/user/login",
		`{"email":"ada@example.com","password":"`+temporary+`","twoFactorToken":"`+codeAt(seed, b.clock.Now())+`"}`, 200)
}

// A client that confirms its address by the API alone leaves its credentials unproven.
func TestMailedCredentialsNeverReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.anonymous().must(t, "POST", "/v1/user", registration, 201)
		b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, "grace@example.com")+`"}`, 200)
		grace := b.anonymous()
		grace.must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 200)
		seed, _ := grace.enableSecondFactor(t)
		b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
		body := `{"email":"grace@example.com","password":"` + b.temporary(t, "grace@example.com") + `"`
		link := links.magicToken(t, "grace@example.com")
		for claim, got := range map[string]answer{
			"temporary password": b.anonymous().must(t, "POST", "/v1/user/login", body+"}", 400),
			"link":               links.anonymous().must(t, "POST", followPath, followBody(link), 400),
		} {
			if got.text(t, "key") != "invalidTwoFactorToken" || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %s", claim, got.body)
			}
		}
		again := b.anonymous()
		got := again.must(t, "POST", "/v1/user/login", body+`,"twoFactorToken":"`+codeAt(seed, b.clock.Now())+`"}`, 200)
		if got.get(t, "twoFactorEnabled") != true {
			t.Error("the second factor ended", got.body)
		}
		grace.must(t, "GET", "/v1/user/current", "", 401)
	})
}

func TestEnablingTheSecondFactorEndsOtherSessions(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		thief := c.signInAgain(t, password, 200)
		copied := &client{bundle: b, cookie: c.cookie}
		c.enableSecondFactor(t)
		for _, out := range []*client{thief, copied} {
			out.must(t, "GET", "/v1/user/current", "", 401)
		}
		c.must(t, "GET", "/v1/user/current", "", 200)
	})
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c, other := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		seed, recovery := c.enableSecondFactor(t)
		other.enableSecondFactor(t)
		if len(recovery) != 10 {
			t.Fatalf("%v", recovery)
		}
		other.withCode(t, recovery[0], 400)
		c.withCode(t, strings.ToUpper(strings.ReplaceAll(recovery[0], "-", "")), 200)
		c.withCode(t, recovery[0], 400)
		b.clock.advance(time.Minute)
		c.must(t, "POST", "/v1/user/2fa/recovery", token(seed, b.clock.Now()), 200)
		c.withCode(t, recovery[1], 400)
	})
}

func TestCodeGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.person(t, "ada@example.com")
	seed, _ := c.enableSecondFactor(t)
	for range 5 {
		c.withCode(t, "000000", 400)
	}
	c.withCode(t, codeAt(seed, b.clock.Now()), 429)
	c.must(t, "POST", "/v1/user/2fa/disable", token(seed, b.clock.Now()), 429)
	b.clock.advance(15 * time.Minute)
	c.withCode(t, codeAt(seed, b.clock.Now()), 200)
}

func TestNewProposalReplacesThePreviousSecret(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		first := c.secret(t)
		got := c.must(t, "GET", "/v1/user/2fa", "", 200)
		second := got.text(t, "secret")
		if first == second || got.text(t, "otpauthUrl") != "otpauth://totp/Equity:ada@example.com?issuer=Equity&secret="+second {
			t.Error(got.body)
		}
		_, image, _ := strings.Cut(got.text(t, "qrCode"), "data:image/png;base64,")
		if _, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(image))); err != nil {
			t.Error(err)
		}
		c.must(t, "POST", "/v1/user/2fa", token(first, b.clock.Now()), 400)
		c.signInAgain(t, password, 200)
		c.must(t, "POST", "/v1/user/2fa/verify", token(second, b.clock.Now()), 200)
		c.must(t, "POST", "/v1/user/2fa", token(second, b.clock.Now()), 200)
		c.must(t, "GET", "/v1/user/2fa", "", 409)
		c.must(t, "POST", "/v1/user/2fa/verify", token(second, b.clock.Now()), 400)
		b.clock.advance(time.Minute)
		c.must(t, "POST", "/v1/user/2fa", token(second, b.clock.Now()), 409)
		c.must(t, "POST", "/v1/user/2fa/verify", token(second, b.clock.Now()), 200)
	})
}

func TestDisablingTheSecondFactorRequiresACode(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		c.must(t, "POST", "/v1/user/2fa/disable", `{"token":"000000"}`, 409)
		c.must(t, "POST", "/v1/user/2fa/recovery", `{"token":"000000"}`, 409)
		c.must(t, "POST", "/v1/user/2fa/verify", `{"token":"000000"}`, 409)
		_, recovery := c.enableSecondFactor(t)
		if got := c.must(t, "POST", "/v1/user/2fa/disable", `{"token":"000000"}`, 400); got.text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.body)
		}
		c.must(t, "POST", "/v1/user/2fa/disable", `{"token":"`+recovery[3]+`"}`, 200)
		c.signInAgain(t, password, 200)
		var subjects []string
		for _, mail := range b.mails(t, "ada@example.com") {
			subjects = append(subjects, mail.Subject)
		}
		if strings.Join(subjects, ", ") != "Two-factor authentication is on, Two-factor authentication is off" {
			t.Error(subjects)
		}
	})
}
