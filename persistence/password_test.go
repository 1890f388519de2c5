package persistence_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// person registers a user with an unverified address.
func person(t *testing.T, users *persistence.Users, email string) persistence.User {
	t.Helper()
	r := registration(email, "code of "+email)
	r.AddressLimit = 0
	must(t, users.Register(t.Context(), r))
	return r.User
}

// waiting returns the number of pending mails.
func waiting(t *testing.T, db *persistence.Database) int {
	t.Helper()
	number, err := persistence.NewOutbox(db).Waiting(t.Context())
	must(t, err)
	return number
}

func temporary(password string, sent time.Time) messages.TemporaryPassword {
	return messages.TemporaryPassword{Password: password, SentAt: sent, ExpiresAt: sent.Add(time.Hour)}
}

func TestTemporaryPassword(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, now := persistence.NewUsers(db), storetest.Epoch()
		ada, bob := person(t, users, "ada@example.org"), person(t, users, "bob@example.org")
		send := func(password string, at time.Time) error {
			return users.SendTemporaryPassword(t.Context(), ada.ID, temporary(password, at), newMail(ada.Email))
		}
		fits := func(user persistence.User, password string, at time.Time) bool {
			fits, err := users.IsTemporaryPassword(t.Context(), user.ID, password, at)
			must(t, err)
			return fits
		}
		must(t, send("first", now))
		refused(t, send("second", now.Add(59*time.Minute)), fault.ActiveTemporaryPassword)
		if !fits(ada, "first", now) || fits(ada, "second", now) || fits(bob, "first", now) || fits(ada, "first", now.Add(time.Hour)) {
			t.Fatal("it fits another user, or at another time")
		}
		must(t, send("third", now.Add(time.Hour)))
		if got := waiting(t, db); got != 4 { // two to confirm an address
			t.Fatalf("%d mails", got)
		}
		now = now.Add(time.Hour)
		if used, err := users.UseTemporaryPassword(t.Context(), ada.ID, "first", now); used || err != nil {
			t.Fatalf("replaced, and used: %t %v", used, err)
		}
		if used, err := users.UseTemporaryPassword(t.Context(), ada.ID, "third", now); !used || err != nil {
			t.Fatalf("%t %v", used, err)
		}
		got, err := users.ByID(t.Context(), ada.ID)
		if err != nil || !got.MustChangePassword || got.PasswordHash != "" || !got.EmailVerifiedAt.Equal(now) {
			t.Fatalf("%+v %v", got, err)
		}
		must(t, send("fourth", now))
		must(t, users.ChangePassword(t.Context(), ada.ID, "", "new hash", newMail(ada.Email)))
		if fits(ada, "fourth", now) {
			t.Fatal("a temporary password outlived the change")
		}
		got, err = users.ByID(t.Context(), ada.ID)
		if err != nil || got.MustChangePassword || got.PasswordHash != "new hash" {
			t.Fatalf("%+v %v", got, err)
		}
		refused(t, users.ChangePassword(t.Context(), ada.ID, "", "another", newMail(ada.Email)), fault.Conflict)
	})
}

func TestTemporaryPasswordIsUsedOnceByConcurrentCalls(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, now := persistence.NewUsers(db), storetest.Epoch()
		ada := person(t, users, "ada@example.org")
		var sent, used atomic.Int64
		var wait sync.WaitGroup
		for range 12 {
			wait.Go(func() {
				if users.SendTemporaryPassword(t.Context(), ada.ID, temporary("once", now), newMail(ada.Email)) == nil {
					sent.Add(1)
				}
				if worked, err := users.UseTemporaryPassword(t.Context(), ada.ID, "once", now); err == nil && worked {
					used.Add(1)
				}
			})
		}
		wait.Wait()
		if sent.Load() != used.Load() || sent.Load() == 0 {
			t.Fatalf("%d were sent, %d were used", sent.Load(), used.Load())
		}
	})
}
