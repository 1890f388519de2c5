package persistence_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestIdentities(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, now := persistence.NewUsers(db), storetest.Epoch()
		ada := person(t, users, "ada@example.org")
		google := persistence.Identity{Issuer: "https://id.example", Subject: "1"}
		link := func(i persistence.Identity) error {
			return users.LinkIdentity(t.Context(), ada.ID, i, now, newMail(ada.Email))
		}
		_, err := users.ByIdentity(t.Context(), google)
		refused(t, err, fault.UserNotFound)
		refused(t, link(google), fault.Conflict)
		_, err = users.VerifyEmail(t.Context(), "", "code of ada@example.org", now)
		must(t, err)
		refused(t, link(google), fault.Conflict) // the password is unproven
		taken := messages.TakeOver{User: ada.ID, Identity: google, At: now}
		must(t, users.TakeOver(t.Context(), taken, newMail(ada.Email)))
		refused(t, users.TakeOver(t.Context(), taken, newMail(ada.Email)), fault.Conflict)
		refused(t, link(google), fault.Conflict)
		refused(t, link(persistence.Identity{Issuer: google.Issuer, Subject: "another"}), fault.Conflict)
		must(t, link(persistence.Identity{Issuer: "https://second.example", Subject: "1"}))
		if got, err := users.ByIdentity(t.Context(), google); err != nil || got.ID != ada.ID {
			t.Fatalf("%+v %v", got, err)
		}
		if all, err := users.IdentitiesOf(t.Context(), ada.ID); err != nil || len(all) != 2 || !slices.Contains(all, google) {
			t.Fatalf("%+v %v", all, err)
		}
		_, err = users.ByIdentity(t.Context(), persistence.Identity{Issuer: "https://other.example", Subject: "1"})
		refused(t, err, fault.UserNotFound)

		bob := newUser("bob@example.org")
		bob.EmailVerifiedAt, bob.PasswordHash = now, ""
		refused(t, users.RegisterIdentity(t.Context(), bob, google, 0), fault.Conflict)
		must(t, users.RegisterIdentity(t.Context(), bob, persistence.Identity{Issuer: "https://id.example", Subject: "2"}, 0))
		again := newUser("BOB@example.org")
		third := persistence.Identity{Issuer: "https://id.example", Subject: "3"}
		refused(t, users.RegisterIdentity(t.Context(), again, third, 0), fault.EmailUnavailable)
		must(t, persistence.NewBlocklist(db).Block(t.Context(), "spam.example", now))
		refused(t, users.RegisterIdentity(t.Context(), newUser("x@spam.example"), third, 0), fault.DomainBlocked)
		refused(t, users.RegisterIdentity(t.Context(), newUser("x@example.org"), third, 1), fault.AddressLimit)
	})
}

func TestMagicLinks(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, now := persistence.NewUsers(db), storetest.Epoch()
		ada := person(t, users, "ada@example.org")
		send := func(token string) {
			t.Helper()
			link := messages.MagicLink{Token: token, ExpiresAt: now.Add(15 * time.Minute)}
			must(t, users.SendMagicLink(t.Context(), ada.ID, link, newMail(ada.Email)))
		}
		send("one")
		_, err := users.ByMagicLink(t.Context(), "one", now.Add(15*time.Minute))
		refused(t, err, fault.UserNotFound)
		if used, err := users.UseMagicLink(t.Context(), "one", now.Add(15*time.Minute)); err != nil || used {
			t.Fatalf("used after its time: %v", err)
		}
		if got, err := users.ByMagicLink(t.Context(), "one", now); err != nil || got.ID != ada.ID {
			t.Fatalf("%+v %v", got, err)
		}
		var used atomic.Int64
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if worked, err := users.UseMagicLink(t.Context(), "one", now); err == nil && worked {
					used.Add(1)
				}
			})
		}
		wait.Wait()
		got, err := users.ByID(t.Context(), ada.ID)
		if err != nil || used.Load() != 1 || !got.EmailVerifiedAt.Equal(now) || got.PasswordHash != "" {
			t.Fatalf("used %d times: %+v %v", used.Load(), got, err)
		}
	})
}
