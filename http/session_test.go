package http_test

import (
	"strings"
	"testing"
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
