package session_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// exclusive is a store that alone changes its sessions, and a request with one of them.
type exclusive struct {
	*session.Store
	clock   *manualClock
	user    organization.UserID
	request *http.Request
	made    messages.Session
}

func newExclusive(t *testing.T) exclusive {
	t.Helper()
	db := storetest.Open(t, storetest.Engines()["sqlite"](t))
	e := exclusive{
		clock: &manualClock{now: time.Now()}, user: storetest.NewID[organization.User](),
		request: httptest.NewRequest(http.MethodGet, "/", nil),
	}
	store, err := session.NewSQL(db.Reader(), db.Writer(), session.Options{
		Keys: [][]byte{make([]byte, 32)}, Clock: e.clock.Now, Random: rand.Reader, Exclusive: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Store = store
	if e.made, err = store.Create(httptest.NewRecorder(), e.request, messages.SignIn{User: e.user}); err != nil {
		t.Fatal(err)
	}
	e.request.AddCookie(&http.Cookie{Name: "connect.sid", Value: e.made.Token})
	e.valid(t, true)
	return e
}

// another returns the same store with a session of the user.
func (e exclusive) another(t *testing.T, user organization.UserID) exclusive {
	t.Helper()
	other := e
	other.user, other.request = user, httptest.NewRequest(http.MethodGet, "/", nil)
	made, err := e.Create(httptest.NewRecorder(), other.request, messages.SignIn{User: user})
	if err != nil {
		t.Fatal(err)
	}
	other.made = made
	other.request.AddCookie(&http.Cookie{Name: "connect.sid", Value: other.made.Token})
	other.valid(t, true)
	return other
}

func (e exclusive) valid(t *testing.T, want bool) {
	t.Helper()
	if _, found, err := e.Load(e.request); err != nil || found != want {
		t.Fatalf("found %t, want %t, %v", found, want, err)
	}
}

func TestExclusiveSessionsAreCheckedInMemory(t *testing.T) {
	t.Parallel()
	e := newExclusive(t)
	_, before := e.Checks()
	for range 10 {
		e.valid(t, true)
	}
	if _, queries := e.Checks(); queries != before {
		t.Errorf("%d queries for checks within a minute", queries-before)
	}
	e.clock.pass(2 * time.Minute)
	e.valid(t, true)
	if _, queries := e.Checks(); queries != before+1 {
		t.Errorf("%d queries when the expiry was due, want 1", queries-before)
	}
}

func TestExclusiveSessionsEndAtOnce(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(e exclusive) error{
		"handle": func(e exclusive) error {
			_, err := e.End(context.Background(), e.user, e.made.Handle)
			return err
		},
		"user":     func(e exclusive) error { return e.RevokeUser(context.Background(), e.user) },
		"sign-out": func(e exclusive) error { return e.Destroy(httptest.NewRecorder(), e.request) },
		"idle age": func(e exclusive) error { e.clock.pass(8 * 24 * time.Hour); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newExclusive(t)
			if err := end(e); err != nil {
				t.Fatal(err)
			}
			e.valid(t, false)
		})
	}
}

func TestExclusiveSessionsEndSeparately(t *testing.T) {
	t.Parallel()
	e := newExclusive(t)
	second, stranger := e.another(t, e.user), e.another(t, storetest.NewID[organization.User]())
	if _, err := e.End(t.Context(), e.user, e.made.Handle); err != nil {
		t.Fatal(err)
	}
	e.valid(t, false)
	second.valid(t, true)
	if err := e.RevokeUser(t.Context(), e.user); err != nil {
		t.Fatal(err)
	}
	second.valid(t, false)
	stranger.valid(t, true)
}
