package http_test

import (
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"equity/http/apitest"
)

// newSecondFactor requests a proposed secret without confirming it.
func newSecondFactor(tb testing.TB, c *apitest.Client) string {
	tb.Helper()
	return c.Must(tb, "GET", "/v1/user/2fa", "", 200).Text(tb, "secret")
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
func enableSecondFactor(tb testing.TB, c *apitest.Client) (seed string, recovery []string) {
	tb.Helper()
	seed = newSecondFactor(tb, c)
	list, _ := c.Must(tb, "POST", "/v1/user/2fa", token(seed, c.Clock.Now()), 200).Get(tb, "recoveryCodes").([]any)
	for _, one := range list {
		code, _ := one.(string)
		recovery = append(recovery, code)
	}
	c.Clock.Advance(time.Minute)
	return seed, recovery
}

// signInWithCode signs in with a second factor.
func signInWithCode(tb testing.TB, c *apitest.Client, code string, status int) apitest.Answer {
	tb.Helper()
	return c.Anonymous().Must(tb, "POST", "/v1/user/login",
		`{"email":"`+c.User.Email+`","password":"`+apitest.Password+`","twoFactorToken":"`+code+`"}`, status)
}

func codeAt(seed string, at time.Time) string {
	return strings.TrimSuffix(strings.TrimPrefix(token(seed, at), `{"token":"`), `"}`)
}

func TestSignInRequiresTheSecondFactor(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		seed, _ := enableSecondFactor(t, c)
		if c.Must(t, "GET", "/v1/user/current", "", 200).Get(t, "twoFactorEnabled") != true {
			t.Error("twoFactorEnabled is not set")
		}
		if got := c.SignInAgain(t, apitest.Password, 400).Send(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`); got.Text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.Body)
		}
		if got := signInWithCode(t, c, "000000", 400); got.Text(t, "key") != "invalidTwoFactorToken" || got.Header.Get("Set-Cookie") != "" {
			t.Error(got.Body)
		}
		wrong := b.Anonymous().Must(t, "POST", "/v1/user/login",
			`{"email":"ada@example.com","password":"x","twoFactorToken":"`+codeAt(seed, b.Clock.Now())+`"}`, 400)
		if wrong.Text(t, "key") != "invalidCredentials" {
			t.Errorf("a wrong password with a correct code must return invalidCredentials: %s", wrong.Body)
		}
		right := codeAt(seed, b.Clock.Now())
		signInWithCode(t, c, right, 200)
		signInWithCode(t, c, right, 400)
		b.Clock.Advance(30 * time.Second)
		signInWithCode(t, c, right, 400)
		signInWithCode(t, c, codeAt(seed, b.Clock.Now().Add(-30*time.Second)), 400)
		signInWithCode(t, c, codeAt(seed, b.Clock.Now()), 200)
		signInWithCode(t, c, codeAt(seed, b.Clock.Now().Add(2*time.Minute)), 400)
	})
}

func TestTemporaryPasswordRequiresTheSecondFactor(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	seed, _ := enableSecondFactor(t, c)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 200)
	temporary := temporaryPassword(t, b, "ada@example.com")
	c.SignInAgain(t, temporary, 400)
	b.Anonymous().Must(t, "POST", "/v1/user/login",
		`{"email":"ada@example.com","password":"`+temporary+`","twoFactorToken":"`+codeAt(seed, b.Clock.Now())+`"}`, 200)
}

// A client that confirms its address by the API alone leaves its credentials unproven.
func TestMailedCredentialsNeverReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.Anonymous().Must(t, "POST", "/v1/user", registration, 201)
		b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, "grace@example.com")+`"}`, 200)
		grace := b.Anonymous()
		grace.Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 200)
		seed, _ := enableSecondFactor(t, grace)
		b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
		body := `{"email":"grace@example.com","password":"` + temporaryPassword(t, b, "grace@example.com") + `"`
		link := magicToken(t, links, "grace@example.com")
		for claim, got := range map[string]apitest.Answer{
			"temporary password": b.Anonymous().Must(t, "POST", "/v1/user/login", body+"}", 400),
			"link":               links.Anonymous().Must(t, "POST", followPath, followBody(link), 400),
		} {
			if got.Text(t, "key") != "invalidTwoFactorToken" || got.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %s", claim, got.Body)
			}
		}
		again := b.Anonymous()
		got := again.Must(t, "POST", "/v1/user/login", body+`,"twoFactorToken":"`+codeAt(seed, b.Clock.Now())+`"}`, 200)
		if got.Get(t, "twoFactorEnabled") != true {
			t.Error("the second factor ended", got.Body)
		}
		grace.Must(t, "GET", "/v1/user/current", "", 401)
	})
}

func TestEnablingTheSecondFactorEndsOtherSessions(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		thief := c.SignInAgain(t, apitest.Password, 200)
		copied := &apitest.Client{Server: b, Cookie: c.Cookie}
		enableSecondFactor(t, c)
		for _, out := range []*apitest.Client{thief, copied} {
			out.Must(t, "GET", "/v1/user/current", "", 401)
		}
		c.Must(t, "GET", "/v1/user/current", "", 200)
	})
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c, other := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		seed, recovery := enableSecondFactor(t, c)
		enableSecondFactor(t, other)
		if len(recovery) != 10 {
			t.Fatalf("%v", recovery)
		}
		signInWithCode(t, other, recovery[0], 400)
		signInWithCode(t, c, strings.ToUpper(strings.ReplaceAll(recovery[0], "-", "")), 200)
		signInWithCode(t, c, recovery[0], 400)
		b.Clock.Advance(time.Minute)
		c.Must(t, "POST", "/v1/user/2fa/recovery", token(seed, b.Clock.Now()), 200)
		signInWithCode(t, c, recovery[1], 400)
	})
}

func TestCodeGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c := b.NewPerson(t, "ada@example.com")
	seed, _ := enableSecondFactor(t, c)
	for range 5 {
		signInWithCode(t, c, "000000", 400)
	}
	signInWithCode(t, c, codeAt(seed, b.Clock.Now()), 429)
	c.Must(t, "POST", "/v1/user/2fa/disable", token(seed, b.Clock.Now()), 429)
	b.Clock.Advance(15 * time.Minute)
	signInWithCode(t, c, codeAt(seed, b.Clock.Now()), 200)
}

func TestNewProposalReplacesThePreviousSecret(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		first := newSecondFactor(t, c)
		got := c.Must(t, "GET", "/v1/user/2fa", "", 200)
		second := got.Text(t, "secret")
		if first == second || got.Text(t, "otpauthUrl") != "otpauth://totp/Equity:ada@example.com?issuer=Equity&secret="+second {
			t.Error(got.Body)
		}
		_, image, _ := strings.Cut(got.Text(t, "qrCode"), "data:image/png;base64,")
		if _, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(image))); err != nil {
			t.Error(err)
		}
		c.Must(t, "POST", "/v1/user/2fa", token(first, b.Clock.Now()), 400)
		c.SignInAgain(t, apitest.Password, 200)
		c.Must(t, "POST", "/v1/user/2fa/verify", token(second, b.Clock.Now()), 200)
		c.Must(t, "POST", "/v1/user/2fa", token(second, b.Clock.Now()), 200)
		c.Must(t, "GET", "/v1/user/2fa", "", 409)
		c.Must(t, "POST", "/v1/user/2fa/verify", token(second, b.Clock.Now()), 400)
		b.Clock.Advance(time.Minute)
		c.Must(t, "POST", "/v1/user/2fa", token(second, b.Clock.Now()), 409)
		c.Must(t, "POST", "/v1/user/2fa/verify", token(second, b.Clock.Now()), 200)
	})
}

func TestDisablingTheSecondFactorRequiresACode(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		c.Must(t, "POST", "/v1/user/2fa/disable", `{"token":"000000"}`, 409)
		c.Must(t, "POST", "/v1/user/2fa/recovery", `{"token":"000000"}`, 409)
		c.Must(t, "POST", "/v1/user/2fa/verify", `{"token":"000000"}`, 409)
		_, recovery := enableSecondFactor(t, c)
		if got := c.Must(t, "POST", "/v1/user/2fa/disable", `{"token":"000000"}`, 400); got.Text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.Body)
		}
		c.Must(t, "POST", "/v1/user/2fa/disable", `{"token":"`+recovery[3]+`"}`, 200)
		c.SignInAgain(t, apitest.Password, 200)
		var subjects []string
		for _, mail := range b.Mails(t, "ada@example.com") {
			subjects = append(subjects, mail.Subject)
		}
		if strings.Join(subjects, ", ") != "Two-factor authentication is on, Two-factor authentication is off" {
			t.Error(subjects)
		}
	})
}
