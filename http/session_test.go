package http_test

import (
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/persistence"
)

// sessionHandles returns the ids of the user's sessions and the id of the current one.
func sessionHandles(tb testing.TB, c *apitest.Client) (all []string, current string) {
	tb.Helper()
	list, _ := c.Must(tb, "GET", "/v1/user/session", "", 200).Get(tb, "data").([]any)
	for _, one := range list {
		session, _ := one.(map[string]any)
		handle, _ := session["id"].(string)
		all = append(all, handle)
		if session["current"] == true {
			current = handle
		}
	}
	return all, current
}

func TestEndOfTokens(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(ada *apitest.Client){
		"with all sessions": func(ada *apitest.Client) { ada.Must(t, "DELETE", "/v1/user/session", "", 204) },
		"with the password": func(ada *apitest.Client) {
			ada.Must(t, "POST", "/v1/user/password", `{"currentPassword":"`+apitest.Password+`","password":"`+newPassword+`","endTokens":true}`, 200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := apitest.Setup(t)
			ada := b.NewPerson(t, "ada@example.com")
			token := ada.Must(t, "POST", "/v1/user/token", `{"name":"Report","scopes":["read"]}`, 201).Text(t, "token")
			b.Secrets.Add(token)
			if mail := b.NewestMail(t, "ada@example.com"); mail.Subject != "A new API token" {
				t.Error(mail.Subject)
			}
			use := func(status int) {
				t.Helper()
				b.Anonymous().Must(t, "GET", "/v1/user/current", "", status, "Authorization", "Bearer "+token)
			}
			use(200)
			end(ada)
			use(401)
		})
	}
}

func TestSignInFromANewDeviceIsReported(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	body := `{"email":"ada@example.com","password":"` + apitest.Password + `"}`
	mails := func() int {
		t.Helper()
		number, err := persistence.NewOutbox(b.DB).Waiting(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return number
	}
	enter := func(agent string) { b.Anonymous().Must(t, "POST", "/v1/user/login", body, 200, "User-Agent", agent) }
	ada.SignInAgain(t, apitest.Password, 200)
	if mails() != 0 {
		t.Error("the first device is reported")
	}
	enter("Mozilla/5.0 (X11) Firefox/128.0")
	if mail := b.NewestMail(t, "ada@example.com"); mails() != 1 || mail.Subject != "A sign-in from a new device" {
		t.Errorf("%d mails, %q", mails(), mail.Subject)
	}
	enter("Mozilla/5.0 (X11) Firefox/129.0")
	if mails() != 1 {
		t.Error("another version of the browser is reported")
	}
}

func TestSessionsAreListedAndEndedByTheirOwner(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c, stranger := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		phone := b.Anonymous()
		phone.Must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, 200,
			"User-Agent", "A phone", "X-Forwarded-For", "203.0.113.9")
		got := c.Must(t, "GET", "/v1/user/session", "", 200)
		if !strings.Contains(got.Body, `"address":"203.0.113.9","agent":"A phone"`) || strings.Contains(got.Body, strings.TrimPrefix(c.Cookie, "connect.sid=")) {
			t.Error(got.Body)
		}
		all, current := sessionHandles(t, c)
		_, other := sessionHandles(t, phone)
		if len(all) != 2 || current == "" || current == other {
			t.Fatalf("%v: %s is current, and %s", all, current, other)
		}
		stranger.Must(t, "DELETE", "/v1/user/session/"+other, "", 404)
		c.Must(t, "DELETE", "/v1/user/session/"+strings.Repeat("0", 32), "", 404)
		c.Must(t, "DELETE", "/v1/user/session/x", "", 400)
		c.Must(t, "DELETE", "/v1/user/session/"+other, "", 204)
		phone.Must(t, "GET", "/v1/user/current", "", 401)
		c.Must(t, "DELETE", "/v1/user/session/"+current, "", 204)
		if c.Cookie != "" {
			t.Error("the cookie was not cleared")
		}
		stranger.Must(t, "GET", "/v1/user/current", "", 200)
	})
}

func TestUserEndsAllOtherSessions(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c, stranger := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		phone, thief := c.SignInAgain(t, apitest.Password, 200), &apitest.Client{Server: b, Cookie: c.Cookie}
		c.Must(t, "DELETE", "/v1/user/session", "", 204)
		phone.Must(t, "GET", "/v1/user/current", "", 401)
		thief.Must(t, "GET", "/v1/user/current", "", 401)
		stranger.Must(t, "GET", "/v1/user/current", "", 200)
		if all, _ := sessionHandles(t, c); len(all) != 1 {
			t.Errorf("%v", all)
		}
	})
}
