package http_test

import (
	"strings"
	"testing"

	"equity/persistence"
)

// handles returns the ids of the user's sessions and the id of the current one.
func (c *client) handles(tb testing.TB) (all []string, current string) {
	tb.Helper()
	list, _ := c.must(tb, "GET", "/v1/user/session", "", 200).get(tb, "data").([]any)
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
	for name, end := range map[string]func(ada *client){
		"with all sessions": func(ada *client) { ada.must(t, "DELETE", "/v1/user/session", "", 204) },
		"with the password": func(ada *client) {
			ada.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+newPassword+`","endTokens":true}`, 200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ada := b.person(t, "ada@example.com")
			token := ada.must(t, "POST", "/v1/user/token", `{"name":"Report","scopes":["read"]}`, 201).text(t, "token")
			b.secrets.add(token)
			if mail := b.newest(t, "ada@example.com"); mail.Subject != "A new API token" {
				t.Error(mail.Subject)
			}
			use := func(status int) {
				t.Helper()
				b.anonymous().must(t, "GET", "/v1/user/current", "", status, "Authorization", "Bearer "+token)
			}
			use(200)
			end(ada)
			use(401)
		})
	}
}

func TestSignInFromANewDeviceIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	body := `{"email":"ada@example.com","password":"` + password + `"}`
	mails := func() int {
		t.Helper()
		number, err := persistence.NewOutbox(b.db).Waiting(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return number
	}
	enter := func(agent string) { b.anonymous().must(t, "POST", "/v1/user/login", body, 200, "User-Agent", agent) }
	ada.signInAgain(t, password, 200)
	if mails() != 0 {
		t.Error("the first device is reported")
	}
	enter("Mozilla/5.0 (X11) Firefox/128.0")
	if mail := b.newest(t, "ada@example.com"); mails() != 1 || mail.Subject != "A sign-in from a new device" {
		t.Errorf("%d mails, %q", mails(), mail.Subject)
	}
	enter("Mozilla/5.0 (X11) Firefox/129.0")
	if mails() != 1 {
		t.Error("another version of the browser is reported")
	}
}

func TestSessionsAreListedAndEndedByTheirOwner(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c, stranger := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		phone := b.anonymous()
		phone.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, 200,
			"User-Agent", "A phone", "X-Forwarded-For", "203.0.113.9")
		got := c.must(t, "GET", "/v1/user/session", "", 200)
		if !strings.Contains(got.body, `"address":"203.0.113.9","agent":"A phone"`) || strings.Contains(got.body, strings.TrimPrefix(c.cookie, "connect.sid=")) {
			t.Error(got.body)
		}
		all, current := c.handles(t)
		_, other := phone.handles(t)
		if len(all) != 2 || current == "" || current == other {
			t.Fatalf("%v: %s is current, and %s", all, current, other)
		}
		stranger.must(t, "DELETE", "/v1/user/session/"+other, "", 404)
		c.must(t, "DELETE", "/v1/user/session/"+strings.Repeat("0", 32), "", 404)
		c.must(t, "DELETE", "/v1/user/session/x", "", 400)
		c.must(t, "DELETE", "/v1/user/session/"+other, "", 204)
		phone.must(t, "GET", "/v1/user/current", "", 401)
		c.must(t, "DELETE", "/v1/user/session/"+current, "", 204)
		if c.cookie != "" {
			t.Error("the cookie was not cleared")
		}
		stranger.must(t, "GET", "/v1/user/current", "", 200)
	})
}

func TestUserEndsAllOtherSessions(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c, stranger := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		phone, thief := c.signInAgain(t, password, 200), &client{bundle: b, cookie: c.cookie}
		c.must(t, "DELETE", "/v1/user/session", "", 204)
		phone.must(t, "GET", "/v1/user/current", "", 401)
		thief.must(t, "GET", "/v1/user/current", "", 401)
		stranger.must(t, "GET", "/v1/user/current", "", 200)
		if all, _ := c.handles(t); len(all) != 1 {
			t.Errorf("%v", all)
		}
	})
}
