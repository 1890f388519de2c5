package persistence_test

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"

	"equity/fault"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// factors returns the second factors of db and a user.
func factors(t *testing.T, db *persistence.Database) (*persistence.TwoFactors, persistence.User) {
	t.Helper()
	secrets, err := persistence.OpenSecrets(t.Context(), db, make([]byte, 32), storetest.Epoch)
	must(t, err)
	return persistence.NewTwoFactors(db, secrets), person(t, persistence.NewUsers(db), "ada@example.org")
}

func TestTwoFactor(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		factors, ada := factors(t, db)
		users, mail := persistence.NewUsers(db), newMail(ada.Email)
		if found, err := factors.Find(t.Context(), ada.ID); err != nil || found.Seed != nil || found.Enabled {
			t.Fatalf("%+v %v", found, err)
		}
		must(t, factors.Propose(t.Context(), ada.ID, []byte("replaced")))
		replaced, err := factors.Find(t.Context(), ada.ID)
		must(t, err)
		must(t, factors.Propose(t.Context(), ada.ID, []byte("the seed")))
		refused(t, factors.Enable(t.Context(), ada.ID, replaced, 7, nil, mail), fault.Conflict)
		found, err := factors.Find(t.Context(), ada.ID)
		if err != nil || string(found.Seed) != "the seed" || found.Enabled || bytes.Contains(found.Sealed, found.Seed) {
			t.Fatalf("%+v %v", found, err)
		}
		if accepted, err := factors.Accept(t.Context(), ada.ID, 8); err != nil || accepted {
			t.Fatalf("a proposal accepts codes: %v", err)
		}
		must(t, factors.Enable(t.Context(), ada.ID, found, 7, []string{"one", "two"}, mail))
		mail = newMail(ada.Email)
		refused(t, factors.Enable(t.Context(), ada.ID, found, 8, nil, mail), fault.Conflict)
		refused(t, factors.Propose(t.Context(), ada.ID, []byte("mine")), fault.Conflict)
		if got, err := users.ByID(t.Context(), ada.ID); err != nil || !got.TwoFactorAt.Equal(storetest.Epoch()) {
			t.Fatalf("%+v %v", got, err)
		}
		for _, c := range []struct {
			step int64
			want bool
		}{{7, false}, {6, false}, {9, true}, {9, false}, {8, false}, {10, true}} {
			if got, err := factors.Accept(t.Context(), ada.ID, c.step); err != nil || got != c.want {
				t.Fatalf("step %d: %t %v", c.step, got, err)
			}
		}
		must(t, factors.Disable(t.Context(), ada.ID, mail))
		if got, err := users.ByID(t.Context(), ada.ID); err != nil || !got.TwoFactorAt.IsZero() {
			t.Fatalf("%+v %v", got, err)
		}
		if recovered, err := factors.Recover(t.Context(), ada.ID, "one"); err != nil || recovered {
			t.Fatalf("a recovery code outlived the seed: %v", err)
		}
	})
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		factors, ada := factors(t, db)
		bob := person(t, persistence.NewUsers(db), "bob@example.org")
		must(t, factors.Propose(t.Context(), ada.ID, []byte("the seed")))
		found, err := factors.Find(t.Context(), ada.ID)
		must(t, err)
		must(t, factors.Enable(t.Context(), ada.ID, found, 1, []string{"one", "two"}, newMail(ada.Email)))
		recovers := func(id organization.UserID, code string, want bool) {
			t.Helper()
			if got, err := factors.Recover(t.Context(), id, code); err != nil || got != want {
				t.Fatalf("%s: %t %v", code, got, err)
			}
		}
		recovers(bob.ID, "one", false)
		recovers(ada.ID, "one", true)
		recovers(ada.ID, "one", false)
		must(t, factors.Renew(t.Context(), ada.ID, []string{"three"}, newMail(ada.Email)))
		recovers(ada.ID, "two", false)
		recovers(ada.ID, "three", true)
	})
}

func TestConcurrentCodesAreAcceptedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		factors, ada := factors(t, db)
		must(t, factors.Propose(t.Context(), ada.ID, []byte("the seed")))
		found, err := factors.Find(t.Context(), ada.ID)
		must(t, err)
		must(t, factors.Enable(t.Context(), ada.ID, found, 1, []string{"one"}, newMail(ada.Email)))
		var accepted, recovered atomic.Int64
		var wait sync.WaitGroup
		for range 12 {
			wait.Go(func() {
				if worked, err := factors.Accept(t.Context(), ada.ID, 2); err == nil && worked {
					accepted.Add(1)
				}
				if worked, err := factors.Recover(t.Context(), ada.ID, "one"); err == nil && worked {
					recovered.Add(1)
				}
			})
		}
		wait.Wait()
		if accepted.Load() != 1 || recovered.Load() != 1 {
			t.Fatalf("%d codes and %d recovery codes", accepted.Load(), recovered.Load())
		}
	})
}

func TestTwoFactorSeedsOpenAfterKeyRotation(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		before, ada := factors(t, db)
		must(t, before.Propose(t.Context(), ada.ID, []byte("the seed")))
		rotating, err := persistence.OpenSecrets(t.Context(), db, make([]byte, 32), storetest.Epoch)
		must(t, err)
		key := bytes.Repeat([]byte{1}, 32)
		must(t, rotating.Rotate(t.Context(), key))
		after, err := persistence.OpenSecrets(t.Context(), db, key, storetest.Epoch)
		must(t, err)
		found, err := persistence.NewTwoFactors(db, after).Find(t.Context(), ada.ID)
		if err != nil || string(found.Seed) != "the seed" {
			t.Fatalf("%q %v", found.Seed, err)
		}
		if _, err := persistence.OpenSecrets(t.Context(), db, make([]byte, 32), storetest.Epoch); err == nil {
			t.Fatal("the old key still opens the keyset")
		}
	})
}
