package http_test

import (
	"net/http"
	"testing"
	"time"
)

// identity is the part of the story that is about signing in.
func (b *bundle) identity(t *testing.T) {
	t.Helper()
	c := b.person(t, "ida@example.com")
	other := c.again(t, password, http.StatusOK)
	_, handle := other.handles(t)
	c.must(t, "DELETE", "/v1/user/session/"+handle, "", http.StatusNoContent)
	seed := c.secret(t)
	c.must(t, "POST", "/v1/user/2fa/verify", token(seed, b.clock.Now()), http.StatusOK)
	c.must(t, "POST", "/v1/user/2fa", token(seed, b.clock.Now()), http.StatusOK)
	b.clock.pass(time.Minute)
	c.must(t, "POST", "/v1/user/2fa/recovery", token(seed, b.clock.Now()), http.StatusOK)
	b.clock.pass(time.Minute)
	c.must(t, "POST", "/v1/user/2fa/disable", token(seed, b.clock.Now()), http.StatusOK)
	c.must(t, "DELETE", "/v1/user/session", "", http.StatusNoContent)
	c.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+newPassword+`"}`, http.StatusOK)
	b.nobody().must(t, "POST", "/v1/user/password/reset", `{"email":"ida@example.com"}`, http.StatusOK)
}
