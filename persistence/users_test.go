package persistence_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func newUser(email string) persistence.User {
	return persistence.User{
		ID: storetest.NewID[organization.User](), Entity: storetest.NewID[captable.Entity](), Email: email,
		Username: "ada", FirstName: "Ada", LastName: "Łovelace", PasswordHash: "$argon2id$…",
		AcceptedTermsAt: storetest.Epoch(), RegisteredIP: "192.0.2.1", CreatedAt: storetest.Epoch(),
	}
}

func newMail(to string) persistence.Mail {
	return persistence.Mail{
		ID: storetest.NewID[persistence.Mail](), To: to, Subject: "Confirm", Text: "the code", HTML: "<b>the code</b>",
		CreatedAt: storetest.Epoch(),
	}
}

func registration(email, code string) persistence.Registration {
	return persistence.Registration{
		User: newUser(email), Mail: newMail(email), AddressLimit: 3,
		Verification: persistence.Verification{
			Code: code, SentAt: storetest.Epoch(), ExpiresAt: storetest.Epoch().Add(24 * time.Hour),
		},
	}
}

// refused fails the test unless err is a refusal with the code.
func refused(t *testing.T, err error, code fault.Code) {
	t.Helper()
	refusal, is := errors.AsType[*fault.Error](err)
	if !is || refusal.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users := persistence.NewUsers(db)
		made := newUser(" Ada@Exämple.org ")
		must(t, users.Create(t.Context(), made))
		for how, find := range map[string]func() (persistence.User, error){
			"id":     func() (persistence.User, error) { return users.ByID(t.Context(), made.ID) },
			"email":  func() (persistence.User, error) { return users.ByEmail(t.Context(), "ADA@EXA\u0308MPLE.ORG") },
			"entity": func() (persistence.User, error) { return users.ByEntity(t.Context(), made.Entity) },
		} {
			if got, err := find(); err != nil || got != made {
				t.Fatalf("by %s: %+v %v", how, got, err)
			}
		}
		refused(t, users.Create(t.Context(), newUser("ada@exämple.ORG")), fault.EmailUnavailable)
		_, err := users.ByEmail(t.Context(), "nobody@example.org")
		refused(t, err, fault.UserNotFound)
		must(t, users.SetSiteAdmin(t.Context(), made.ID, true))
		refused(t, users.SetSiteAdmin(t.Context(), newUser("").ID, true), fault.UserNotFound)
		got, err := users.ByID(t.Context(), made.ID)
		if err != nil || !got.SiteAdmin || !got.DisabledAt.IsZero() {
			t.Fatalf("%+v %v", got, err)
		}
		must(t, users.Disable(t.Context(), made.ID, storetest.Epoch()))
		if got, err = users.ByID(t.Context(), made.ID); err != nil || !got.DisabledAt.Equal(storetest.Epoch()) {
			t.Fatalf("%+v %v", got, err)
		}
		must(t, users.Disable(t.Context(), made.ID, time.Time{}))
		if got, err = users.ByID(t.Context(), made.ID); err != nil || !got.DisabledAt.IsZero() {
			t.Fatalf("%+v %v", got, err)
		}
		refused(t, users.Disable(t.Context(), newUser("").ID, storetest.Epoch()), fault.UserNotFound)
	})
}

func TestRegister(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, outbox, blocklist := persistence.NewUsers(db), persistence.NewOutbox(db), persistence.NewBlocklist(db)
		must(t, blocklist.Block(t.Context(), "Eve@example.org", storetest.Epoch()))
		must(t, blocklist.Block(t.Context(), "@Throwaway.example", storetest.Epoch()))
		must(t, blocklist.Block(t.Context(), "throwaway.example", storetest.Epoch()))
		register := func(email string) error { return users.Register(t.Context(), registration(email, email)) }
		refused(t, register("eve@EXAMPLE.org"), fault.EmailBlocked)
		refused(t, register("x@throwaway.example"), fault.DomainBlocked)
		refused(t, register("x@deep.below.throwaway.example"), fault.DomainBlocked)
		must(t, register("x@notthrowaway.example"))
		refused(t, register("X@notthrowaway.example"), fault.EmailUnavailable)
		must(t, register("2@example.org"))
		must(t, register("3@example.org"))
		refused(t, register("4@example.org"), fault.AddressLimit)
		elsewhere := registration("4@example.org", "4")
		elsewhere.User.RegisteredIP = "192.0.2.2"
		must(t, users.Register(t.Context(), elsewhere))
		if waiting, err := outbox.Waiting(t.Context()); err != nil || waiting != 4 {
			t.Fatalf("%d mails for 4 accounts: %v", waiting, err)
		}
	})
}

func TestConcurrentRegistrationsKeepLimits(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users := persistence.NewUsers(db)
		var same, limited atomic.Int64
		var wait sync.WaitGroup
		for i := range 12 {
			wait.Go(func() {
				r := registration("same@example.org", fmt.Sprint("a", i))
				r.User.RegisteredIP = ""
				if users.Register(t.Context(), r) == nil {
					same.Add(1)
				}
				if users.Register(t.Context(), registration(fmt.Sprint(i, "@example.org"), fmt.Sprint("b", i))) == nil {
					limited.Add(1)
				}
			})
		}
		wait.Wait()
		if same.Load() != 1 || limited.Load() != 3 {
			t.Fatalf("%d accounts with one address, %d from one network address", same.Load(), limited.Load())
		}
	})
}

func TestVerificationCodeIsUsedOnceByConcurrentCalls(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users := persistence.NewUsers(db)
		for n := range 5 {
			code := fmt.Sprintf("code %d", n)
			r := registration(fmt.Sprintf("ada%d@example.org", n), code)
			r.User.RegisteredIP = ""
			must(t, users.Register(t.Context(), r))
			var all sync.WaitGroup
			var verified atomic.Int32
			for range 8 {
				all.Go(func() {
					if _, err := users.VerifyEmail(t.Context(), "", code, storetest.Epoch()); err == nil {
						verified.Add(1)
					}
				})
			}
			all.Wait()
			if verified.Load() != 1 {
				t.Fatalf("%d had the code", verified.Load())
			}
		}
	})
}

func TestVerifyEmail(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users := persistence.NewUsers(db)
		now := storetest.Epoch().Add(time.Hour)
		verify := func(email, code string, at time.Time) error {
			_, err := users.VerifyEmail(t.Context(), email, code, at)
			return err
		}
		r := registration("ada@example.org", "ada's code")
		must(t, users.Register(t.Context(), r))
		must(t, users.Register(t.Context(), registration("bob@example.org", "bob's code")))
		refused(t, verify("", "wrong", now), fault.InvalidVerification)
		refused(t, verify("", "", now), fault.InvalidVerification)
		refused(t, verify("ada@example.org", "bob's code", now), fault.InvalidVerification)
		refused(t, verify("nobody@example.org", "ada's code", now), fault.InvalidVerification)
		refused(t, verify("", "ada's code", now.Add(24*time.Hour)), fault.InvalidVerification)
		got, err := users.VerifyEmail(t.Context(), "", "ada's code", now)
		if err != nil || got.ID != r.User.ID || !got.EmailVerifiedAt.Equal(now) {
			t.Fatalf("%+v %v", got, err)
		}
		refused(t, verify("", "ada's code", now), fault.InvalidVerification)
		for range 9 {
			refused(t, verify("bob@example.org", "a guess", now), fault.InvalidVerification)
		}
		must(t, verify("BOB@example.org", "bob's code", now))
		must(t, users.Register(t.Context(), registration("eve@example.org", "eve's code")))
		for range 10 {
			refused(t, verify("eve@example.org", "a guess", now), fault.InvalidVerification)
		}
		refused(t, verify("eve@example.org", "eve's code", now), fault.InvalidVerification)
	})
}

func TestRenewVerification(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users := persistence.NewUsers(db)
		r := registration("ada@example.org", "first")
		must(t, users.Register(t.Context(), r))
		renew := func(code string, after time.Duration) error {
			sent := storetest.Epoch().Add(after)
			v := persistence.Verification{Code: code, SentAt: sent, ExpiresAt: sent.Add(24 * time.Hour)}
			return users.RenewVerification(t.Context(), r.User.ID, v, newMail(r.User.Email))
		}
		must(t, renew("second", 30*time.Minute))
		now := storetest.Epoch().Add(time.Hour)
		_, err := users.VerifyEmail(t.Context(), "", "first", now)
		refused(t, err, fault.InvalidVerification)
		_, err = users.VerifyEmail(t.Context(), "", "second", now)
		must(t, err)
		if waiting, err := persistence.NewOutbox(db).Waiting(t.Context()); err != nil || waiting != 2 {
			t.Fatalf("%d mails: %v", waiting, err)
		}
	})
}
