package sessiontest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/messages"
	"equity/persistence/session"
)

// Store tests the guarantees of package session on stores of the factory.
func Store(t *testing.T, factory Factory) {
	t.Helper()
	for _, c := range []struct {
		name   string
		prove  func(t *testing.T, s server)
		change func(*session.Options)
	}{
		{"a session lasts from sign-in to sign-out", provesLife, nil},
		{"the cookie has the attributes of the interface", provesCookie, secure},
		{"a planted cookie is worthless, before and after signing in", provesNoFixation, nil},
		{"signing in ends the session that was presented", provesRotation, nil},
		{"a foreign cookie is not a session", provesGarbage, nil},
		{"use pushes the expiry forward", provesRolling, nil},
		{"a session is never extended beyond its absolute age", provesAbsoluteAge, nil},
		{"only the sessions of one user are revoked", provesRevocation, nil},
		{"an owner lists and ends only their own sessions", provesOwnership, nil},
		{"sessions are checked concurrently", provesConcurrency, nil},
		{"two servers share sessions, and sessions survive a key rotation", provesSharing, nil},
		{"sweeping keeps active sessions", provesSweep, nil},
		{"a closed store is an error and not a missing session", provesClosed, nil},
		{"gorilla: values are stored, but an empty session is not", provesValues, nil},
		{"gorilla: a save under way does not bring an ended session back", provesNoResurrection, nil},
		{"gorilla: a maximum age of 0 does not delete, below 0 does", provesMaxAge, nil},
		{"gorilla: an unknown identifier is never adopted", provesNoAdoption, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.prove(t, setup(t, factory, c.change))
		})
	}
}

func secure(o *session.Options) { o.Secure = true }

func provesLife(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	mustBe(t, "signed in at first", b.signedIn(t), false)
	user := newUser()
	w := httptest.NewRecorder()
	made, err := s.Create(w, b.request(t), messages.SignIn{
		User: user, SiteAdmin: true, MustChangePassword: true, Address: "192.0.2.1", Agent: "a browser",
	})
	must(t, err)
	b.receive(w)
	got, found, err := s.Load(b.request(t))
	must(t, err)
	mustBe(t, "signed in", found, true)
	if got != made || got.User != user || !got.SiteAdmin || got.Token != b.cookie.Value ||
		!got.CreatedAt.Equal(s.clock.Now().Truncate(time.Microsecond)) {
		t.Fatalf("got %+v, made %+v", got, made)
	}
	kept := b.cookie
	b.signOut(t)
	if b.cookie != nil {
		t.Fatal("signing out did not clear the cookie")
	}
	b.cookie = kept
	mustBe(t, "signed in after signing out", b.signedIn(t), false)
	b.signOut(t) // a second sign-out is not an error
}

func provesCookie(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	made := b.signIn(t)
	w := httptest.NewRecorder()
	s.Refresh(w, made)
	for _, cookie := range []*http.Cookie{b.cookie, b.receive(w)} {
		if cookie.Name != "connect.sid" || cookie.Value != made.Token || cookie.MaxAge != 604_800 || cookie.Path != "/" ||
			!cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Domain != "" {
			t.Fatalf("%+v", cookie)
		}
	}
	mustBe(t, "signed in after refreshing", b.signedIn(t), true)
}

func provesNoFixation(t *testing.T, s server) {
	t.Helper()
	attacker := &browser{server: s}
	attacker.signIn(t)
	planted := attacker.cookie
	attacker.signOut(t)
	victim := &browser{server: s, cookie: planted}
	mustBe(t, "signed in by a planted cookie", victim.signedIn(t), false)
	victim.signIn(t)
	if victim.cookie.Value == planted.Value {
		t.Fatal("the planted identifier was adopted")
	}
	attacker.cookie = planted
	mustBe(t, "the attacker signed in", attacker.signedIn(t), false)
}

func provesRotation(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	first := b.signIn(t)
	old := &browser{server: s, cookie: b.cookie}
	second := b.signIn(t)
	if identifierOf(first) == identifierOf(second) {
		t.Fatal("the identifier stayed")
	}
	mustBe(t, "the new session signed in", b.signedIn(t), true)
	mustBe(t, "the old session signed in", old.signedIn(t), false)
}

func provesGarbage(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	made := b.signIn(t)
	flipped := []byte(made.Token)
	flipped[3] ^= 1
	for _, value := range []string{
		"", "x", "s:abc.def", identifierOf(made), identifierOf(made) + ".", made.Token[:len(made.Token)-1], made.Token + "A",
		string(flipped),
		identifierOf(made) + "." + strings.Repeat("A", 43), strings.Repeat("A", 87), strings.Repeat(".", 87), strings.Repeat("%00", 29),
	} {
		other := &browser{server: s, cookie: presented(value)}
		mustBe(t, "signed in by "+value, other.signedIn(t), false)
	}
	r := (&browser{server: s, cookie: presented("rubbish")}).request(t)
	r.AddCookie(b.cookie)
	if _, found, err := s.Load(r); err != nil || !found {
		t.Fatalf("an invalid cookie with the same name hides the valid one: %v", err)
	}
}

// presented returns a cookie as sent by browsers: a name and a value.
func presented(value string) *http.Cookie {
	return &http.Cookie{Name: "connect.sid", Value: value}
}

const day = 24 * time.Hour

func provesRolling(t *testing.T, s server) {
	t.Helper()
	used, unused := &browser{server: s}, &browser{server: s}
	used.signIn(t)
	unused.signIn(t)
	for range 3 {
		s.pass(t, 4*day)
		mustBe(t, "signed in while used", used.signedIn(t), true)
	}
	mustBe(t, "signed in while not used", unused.signedIn(t), false)
	s.pass(t, 7*day-time.Hour)
	mustBe(t, "signed in just before the end", used.signedIn(t), true)
	s.pass(t, 7*day+time.Second)
	mustBe(t, "signed in after the end", used.signedIn(t), false)
}

func provesAbsoluteAge(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	b.signIn(t)
	for range 29 {
		s.pass(t, day)
		mustBe(t, "signed in", b.signedIn(t), true)
	}
	s.pass(t, day+time.Second)
	mustBe(t, "signed in after 30 days of use", b.signedIn(t), false)
	mustBe(t, "signed in thereafter", b.signedIn(t), false)
}

func provesRevocation(t *testing.T, s server) {
	t.Helper()
	user := newUser()
	browsers := []*browser{{server: s}, {server: s}, {server: s}}
	for _, b := range browsers {
		b.signInAs(t, user)
	}
	other := &browser{server: s}
	other.signIn(t)
	must(t, s.RevokeUser(t.Context(), user))
	for _, b := range browsers {
		mustBe(t, "signed in after revocation", b.signedIn(t), false)
	}
	mustBe(t, "the other user signed in", other.signedIn(t), true)
	browsers[0].signInAs(t, user)
	mustBe(t, "signed in again", browsers[0].signedIn(t), true)
	must(t, s.RevokeUser(t.Context(), user))
	mustBe(t, "signed in after a second revocation", browsers[0].signedIn(t), false)
	must(t, s.RevokeUser(t.Context(), newUser()))
}

func provesConcurrency(t *testing.T, s server) {
	t.Helper()
	const callers, checks = 48, 40
	var wait sync.WaitGroup
	for range callers {
		b := &browser{server: s}
		made := b.signIn(t)
		ended := &browser{server: s, cookie: b.cookie}
		if made.Token[0]&1 == 0 {
			ended.signIn(t) // ends b's
		}
		wait.Go(func() {
			for range checks {
				got, found, err := s.Load(b.request(t))
				if err != nil || found != (made.Token[0]&1 == 1) || (found && got.User != made.User) {
					t.Errorf("found %t of %s as %s: %v", found, made.User, got.User, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

func provesSharing(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	b.signIn(t)
	renewed := s.bench.Open(t, session.Options{Keys: [][]byte{key(2), key(1)}, Clock: s.clock.Now, Random: zeroes{}})
	mustBe(t, "accepted by a server with a newer key", (&browser{server{renewed, s.bench, s.clock}, b.cookie}).signedIn(t), true)
	stranger := s.bench.Open(t, session.Options{Keys: [][]byte{key(3)}, Clock: s.clock.Now, Random: zeroes{}})
	mustBe(t, "accepted by a server with another key", (&browser{server{stranger, s.bench, s.clock}, b.cookie}).signedIn(t), false)
}

// zeroes is a random source that fails, for a server that must not draw identifiers.
type zeroes struct{}

func (zeroes) Read([]byte) (int, error) { return 0, errors.New("identifiers must not be drawn") }

func provesSweep(t *testing.T, s server) {
	t.Helper()
	dead, alive := &browser{server: s}, &browser{server: s}
	dead.signIn(t)
	s.pass(t, 6*day)
	alive.signIn(t)
	s.pass(t, 2*day)
	must(t, s.Sweep(t.Context()))
	mustBe(t, "an expired session", dead.signedIn(t), false)
	mustBe(t, "a live session", alive.signedIn(t), true)
}

func provesClosed(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	b.signIn(t)
	ended := b.request(t)
	must(t, s.Close())
	if _, found, err := s.Load(ended); found && err != nil {
		t.Fatal("both found and failed")
	} else if !found && err == nil {
		t.Fatal("a closed store returns no error")
	}
}
