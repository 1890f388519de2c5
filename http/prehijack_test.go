package http_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"

	"equity/captable"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// hijack is one attack: an attacker registers the victim's address before the victim verifies it.
type hijack struct {
	*providerBundle
	email    string
	network  []string // a header that separates the networks of the attacks
	attacker *apitest.Client
	// entered holds the cookies of the attacker's sessions.
	entered []string
	// changed is the attacker's second password.
	changed string
	// entrenched reports that the attacker's second factor is on.
	entrenched bool
}

const attackersPassword = "the attacker chose this"

// register adds the attacker's account, like a registration, with a cheap password hash.
func (h *hijack) register(t *testing.T) {
	t.Helper()
	hash, err := argon2id.CreateHash(attackersPassword, &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	now := h.Clock.Now()
	err = h.Users.Register(t.Context(), messages.Registration{
		User: messages.User{
			ID: organization.UserID(apitest.NewID()), Entity: captable.EntityID(apitest.NewID()), Email: h.email, Username: "v", FirstName: "Not", LastName: "You",
			PasswordHash: hash, CreatedAt: now,
		},
		Verification: messages.Verification{Code: "code of " + h.email, SentAt: now, ExpiresAt: now.Add(1 << 40)},
		Mail:         messages.Mail{ID: apitest.NewID(), To: h.email, Text: "code", CreatedAt: now},
		Browser:      "browser of " + h.email,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// send sends a request from the network of the attack.
func (h *hijack) send(t *testing.T, c *apitest.Client, method, path, body string) apitest.Answer {
	t.Helper()
	return c.Send(t, method, path, body, h.network...)
}

// enter signs in with the attacker's passwords.
func (h *hijack) enter(t *testing.T) {
	t.Helper()
	for _, tried := range []string{attackersPassword, h.changed} {
		if tried == "" {
			continue
		}
		c := h.Anonymous()
		got := h.send(t, c, "POST", "/v1/user/login", `{"email":"`+h.email+`","password":"`+tried+`"}`)
		if got.Status == http.StatusOK {
			h.attacker, h.entered = c, append(h.entered, c.Cookie)
		}
	}
}

// entrench adds a second factor and changes the password, if the attacker is signed in.
func (h *hijack) entrench(t *testing.T) {
	t.Helper()
	if h.attacker == nil {
		return
	}
	proposed := h.send(t, h.attacker, "GET", "/v1/user/2fa", "")
	if proposed.Status != http.StatusOK {
		return
	}
	h.changed = "another password of the attacker"
	h.send(t, h.attacker, "POST", "/v1/user/password", `{"currentPassword":"`+attackersPassword+`","password":"`+h.changed+`"}`)
	h.entered = append(h.entered, h.attacker.Cookie)
	code := codeAt(proposed.Text(t, "secret"), h.Clock.Now())
	h.entrenched = h.send(t, h.attacker, "POST", "/v1/user/2fa", `{"token":"`+code+`"}`).Status == http.StatusOK
	h.entered = append(h.entered, h.attacker.Cookie)
}

// victimSteps maps names to the victim's steps. Steps that verify the address return the victim's session.
func (h *hijack) victimSteps() map[string]func(t *testing.T) *apitest.Client {
	post := func(t *testing.T, path, body string) (*apitest.Client, apitest.Answer) {
		t.Helper()
		c := h.Anonymous()
		return c, h.send(t, c, "POST", path, body)
	}
	return map[string]func(t *testing.T) *apitest.Client{
		"confirms the attacker's mail by the API": func(t *testing.T) *apitest.Client {
			t.Helper()
			post(t, "/v1/user/email/verify", `{"code":"code of `+h.email+`"}`)
			return nil
		},
		"registers": func(t *testing.T) *apitest.Client {
			t.Helper()
			post(t, "/v1/user", strings.Replace(registration, "grace@example.com", h.email, 1))
			return nil
		},
		"confirms the attacker's mail in the app": func(t *testing.T) *apitest.Client {
			t.Helper()
			c := h.Anonymous()
			got := h.send(t, c, "POST", "/v1/user/email/verify", `{"choosePassword":true,"code":"code of `+h.email+`"}`)
			if got.Status != http.StatusOK {
				return nil // the code was used before
			}
			h.mustChoose(t, c)
			return c
		},
		"signs in through the provider": func(t *testing.T) *apitest.Client {
			t.Helper()
			c, got := post(t, "/v1/user/idp-auth", `{"token":"`+h.issuer.Token(t, "subject of "+h.email, h.email)+`"}`)
			if got.Status != http.StatusOK {
				t.Fatalf("the victim cannot sign in: %s", got.Body)
			}
			return c
		},
		"resets the password": func(t *testing.T) *apitest.Client {
			t.Helper()
			if _, got := post(t, "/v1/user/password/reset", `{"email":"`+h.email+`"}`); got.Status != http.StatusOK {
				t.Fatalf("the victim receives no temporary password: %s", got.Body)
			}
			c, got := post(t, "/v1/user/login", `{"email":"`+h.email+`","password":"`+temporaryPassword(t, h.Server, h.email)+`"}`)
			if h.entrenched { // a mailed password never replaces a second factor; the provider does
				if got.Status != http.StatusBadRequest || got.Text(t, "key") != "invalidTwoFactorToken" {
					t.Fatalf("signed in past the second factor: %s", got.Body)
				}
				return h.victimSteps()["signs in through the provider"](t)
			}
			if got.Status != http.StatusOK {
				t.Fatalf("the victim cannot sign in: %s", got.Body)
			}
			h.mustChoose(t, c)
			return c
		},
	}
}

// mustChoose checks that the victim must choose a new password, without the current one.
func (h *hijack) mustChoose(t *testing.T, c *apitest.Client) {
	t.Helper()
	if got := h.send(t, c, "POST", "/v1/user/password", `{"password":"chosen by the victim"}`); got.Status/100 != 2 {
		t.Fatalf("the victim cannot choose a password: %s", got.Body)
	}
}

// checkRecovered checks that the attacker has no access and that the victim is signed in.
func (h *hijack) checkRecovered(t *testing.T, victim *apitest.Client) {
	t.Helper()
	for _, cookie := range h.entered {
		thief := &apitest.Client{Server: h.Server, Cookie: cookie}
		if got := h.send(t, thief, "GET", "/v1/user/current", ""); got.Status != http.StatusUnauthorized {
			t.Errorf("a session of the attacker is still valid: %s", got.Body)
		}
	}
	before := len(h.entered)
	if h.enter(t); len(h.entered) > before {
		t.Error("a password of the attacker still signs in")
	}
	got := h.send(t, victim, "GET", "/v1/user/current", "")
	if got.Status != http.StatusOK || got.Get(t, "twoFactorEnabled") != false {
		t.Errorf("the session of the victim: %s", got.Body)
	}
}

// interleavings returns all interleavings of two sequences.
func interleavings(a, b []string) [][]string {
	if len(a) == 0 || len(b) == 0 {
		return [][]string{slices.Concat(a, b)}
	}
	var all [][]string
	for _, rest := range interleavings(a[1:], b) {
		all = append(all, append([]string{a[0]}, rest...))
	}
	for _, rest := range interleavings(a, b[1:]) {
		all = append(all, append([]string{b[0]}, rest...))
	}
	return all
}

// victimSequences lists the victim's sequences of steps. The last step verifies the address.
func victimSequences() [][]string {
	return [][]string{
		{"signs in through the provider"},
		{"resets the password"},
		{"confirms the attacker's mail in the app"},
		{"confirms the attacker's mail by the API", "signs in through the provider"},
		{"confirms the attacker's mail by the API", "resets the password"},
		{"registers", "signs in through the provider"},
	}
}

func TestVerifiedAddressRemovesTheAccessOfTheFirstRegistrant(t *testing.T) {
	t.Parallel()
	everywhereWithProvider(t, func(t *testing.T, v *providerBundle) {
		t.Helper()
		number := 0
		all := victimSequences()
		if v.DB.Engine() == persistence.PostgreSQL {
			all = all[:2] // the statements are the same
		}
		for _, ending := range all {
			for _, order := range interleavings([]string{"the attacker signs in", "the attacker adds a second factor"}, ending) {
				number++
				h := &hijack{providerBundle: v, email: fmt.Sprintf("victim%d@example.com", number)}
				h.network = []string{"X-Forwarded-For", fmt.Sprintf("203.0.113.%d", number)}
				t.Run(strings.Join(order, ", "), func(t *testing.T) {
					h.runSteps(t, order, ending[len(ending)-1])
				})
			}
		}
	})
}

// runSteps runs the steps in order and checks the result after the verification and each later step.
func (h *hijack) runSteps(t *testing.T, order []string, proof string) {
	t.Helper()
	h.register(t)
	var victim *apitest.Client
	for _, step := range order {
		switch step {
		case "the attacker signs in":
			h.enter(t)
		case "the attacker adds a second factor":
			h.entrench(t)
		default:
			if c := h.victimSteps()[step](t); step == proof {
				victim = c
			}
		}
		if victim != nil {
			h.checkRecovered(t, victim)
		}
	}
}

func TestPasswordOfTheRegisteringBrowserIsKeptAfterProviderSignIn(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	grace := v.Anonymous()
	got := grace.Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	if cookie := got.Header.Get("Set-Cookie"); !regexp.MustCompile(`^registration=[\w-]{32}\.[\w-]+; .*HttpOnly; Secure; SameSite=Lax`).MatchString(cookie) {
		t.Error(cookie)
	}
	confirmed := grace.Must(
		t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, v.Server, "grace@example.com")+`","choosePassword":true}`, 200,
	)
	if strings.Contains(confirmed.Body, "mustChangePassword") {
		t.Error(confirmed.Body)
	}
	login := `{"email":"grace@example.com","password":"compilers are for people"}`
	grace.Must(t, "POST", "/v1/user/login", login, 200)
	v.signInByToken(t, 200, v.issuer.Token(t, "1", "grace@example.com"))
	grace.Must(t, "GET", "/v1/user/current", "", 200)
	v.Anonymous().Must(t, "POST", "/v1/user/login", login, 200)
}

func TestAccountTakenOverByTheProviderHasItsNames(t *testing.T) {
	t.Parallel()
	v := withProvider(t, storetest.SQLite(t))
	v.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	got := v.signInByToken(t, 200, v.issuer.Token(t, "1", "grace@example.com"))
	if got.Text(t, "lastName") != "Lovelace" || got.Get(t, "emailVerified") != true || strings.Contains(got.Body, "acceptedTermsAt") {
		t.Error(got.Body)
	}
	if mail := v.NewestMail(t, "grace@example.com"); !strings.Contains(mail.Text, "have ended") || strings.Contains(mail.Text, "Hopper") {
		t.Error(mail.Text)
	}
}
