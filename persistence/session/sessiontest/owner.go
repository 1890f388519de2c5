package sessiontest

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"equity/messages"
)

func provesOwnership(t *testing.T, s server) {
	t.Helper()
	user := newUser()
	desk, phone, stranger := &browser{server: s}, &browser{server: s}, &browser{server: s}
	desk.signInAs(t, user)
	s.pass(t, time.Hour)
	w := httptest.NewRecorder()
	made, err := s.Create(w, phone.request(t), messages.SignIn{
		User: user, Address: "192.0.2.7", Agent: strings.Repeat("a", 299) + "€ and more",
	})
	must(t, err)
	phone.receive(w)
	theirs := stranger.signIn(t)
	list, err := s.List(t.Context(), user)
	must(t, err)
	if len(list) != 2 || list[0].Handle != made.Handle || list[0].Agent != strings.Repeat("a", 299) || list[0].Address != "192.0.2.7" {
		t.Fatalf("the last used is not first, or not as it was made: %+v", list)
	}
	if unused := list[0].SeenAt.Sub(list[1].SeenAt); unused < 59*time.Minute || unused > 61*time.Minute {
		t.Fatalf("the older session was last used %s before the newer one", unused)
	}
	if strings.Contains(identifierOf(made), list[0].Handle) || strings.Contains(made.Token, list[0].Handle) {
		t.Fatal("the handle is part of a secret")
	}
	for _, handle := range []string{theirs.Handle, "", "zz", identifierOf(made), strings.Repeat("0", 32)} {
		ended, err := s.End(t.Context(), user, handle)
		must(t, err)
		mustBe(t, "ended "+handle, ended, false)
	}
	ended, err := s.End(t.Context(), user, made.Handle)
	must(t, err)
	mustBe(t, "ended", ended, true)
	ended, err = s.End(t.Context(), user, made.Handle)
	must(t, err)
	mustBe(t, "ended again", ended, false)
	mustBe(t, "signed in after it was ended", phone.signedIn(t), false)
	mustBe(t, "the other session signed in", desk.signedIn(t), true)
	mustBe(t, "the stranger signed in", stranger.signedIn(t), true)
	desk.signOut(t)
	list, err = s.List(t.Context(), user)
	must(t, err)
	if len(list) != 0 {
		t.Fatalf("sessions that ended are listed: %+v", list)
	}
}
