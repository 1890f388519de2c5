package sessiontest

import (
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/gorilla/sessions"

	"equity/persistence/session"
)

const name = "connect.sid"

// open returns the browser's session through gorilla's interface.
func (b *browser) open(t *testing.T) *sessions.Session {
	t.Helper()
	opened, err := b.server.Get(b.request(t), name)
	must(t, err)
	return opened
}

func (b *browser) save(t *testing.T, saved *sessions.Session) error {
	t.Helper()
	w := httptest.NewRecorder()
	err := saved.Save(b.request(t), w)
	if set := b.receive(w); err != nil && set != nil {
		t.Fatal("a save that failed set a cookie")
	}
	return err
}

func provesValues(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	must(t, b.save(t, b.open(t)))
	if b.cookie != nil {
		t.Fatal("an empty session was stored")
	}
	first := b.open(t)
	first.Values["theme"] = "dark"
	must(t, b.save(t, first))
	mustBe(t, "signed in without a user", b.signedIn(t), false)
	second := b.open(t)
	if second.IsNew || second.Values["theme"] != "dark" {
		t.Fatalf("%+v", second)
	}
	second.Values["theme"] = "light"
	must(t, b.save(t, second))
	if third := b.open(t); third.ID != first.ID || third.Values["theme"] != "light" {
		t.Fatalf("%+v", third)
	}
	second.Values[7] = "a name that is not a string"
	if b.save(t, second) == nil {
		t.Fatal("saved")
	}
}

func provesNoResurrection(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	user := newUser()
	for _, end := range []func(){
		func() { (&browser{server: s, cookie: b.cookie}).signOut(t) },
		func() { must(t, s.RevokeUser(t.Context(), user)) },
		func() { (&browser{server: s, cookie: b.cookie}).signIn(t) },
	} {
		b.cookie = nil
		b.signInAs(t, user)
		underWay := b.open(t)
		end()
		underWay.Values["late"] = true
		if err := b.save(t, underWay); !errors.Is(err, session.ErrEnded) {
			t.Fatalf("saving an ended session: %v", err)
		}
		mustBe(t, "signed in", b.signedIn(t), false)
	}
}

func provesMaxAge(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	made := b.open(t)
	made.Values["theme"] = "dark"
	made.Options.MaxAge = 0
	must(t, b.save(t, made))
	again := b.open(t)
	mustBe(t, "new", again.IsNew, false)
	again.Options.MaxAge = 0
	must(t, b.save(t, again))
	again = b.open(t)
	mustBe(t, "new after saving", again.IsNew, false)
	kept := b.cookie
	again.Options.MaxAge = -1
	must(t, b.save(t, again))
	if b.cookie != nil {
		t.Fatal("the cookie was not cleared")
	}
	b.cookie = kept
	mustBe(t, "new after ending", b.open(t).IsNew, true)
}

func provesNoAdoption(t *testing.T, s server) {
	t.Helper()
	b := &browser{server: s}
	made := b.signIn(t)
	kept := b.cookie
	b.signOut(t)
	b.cookie = kept
	opened := b.open(t)
	if !opened.IsNew || opened.ID != "" || len(opened.Values) != 0 {
		t.Fatalf("%+v", opened)
	}
	opened.Values["theme"] = "dark"
	must(t, b.save(t, opened))
	if opened.ID == identifierOf(made) || b.cookie.Value == kept.Value {
		t.Fatal("the identifier was adopted")
	}
}
