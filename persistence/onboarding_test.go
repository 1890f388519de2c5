package persistence_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// newOnboarding returns an onboarding of an address, without a user.
func newOnboarding(email string) messages.Onboarding {
	return messages.Onboarding{
		ID: uuid.New(), Email: email, Status: messages.OnboardingCreated, CreatedAt: storetest.Epoch(), ExpiresAt: storetest.Epoch().Add(time.Hour),
		OnboardingWork: messages.OnboardingWork{Prompt: "A company of Zoë 🚀."},
	}
}

// worked returns the onboarding with a value in each field that a change may replace.
func worked(o messages.Onboarding, user organization.UserID) messages.Onboarding {
	answer := "Engines"
	o.User, o.Organization, o.Status = user, storetest.NewID[organization.Organization](), messages.OnboardingBuilding
	o.LeasedUntil, o.LeasedBy = storetest.Epoch().Add(time.Minute), "ended"
	o.OnboardingWork = messages.OnboardingWork{
		Prompt: "Another company.", Facts: &messages.CompanyFacts{Name: "Engines", Shares: "10000000000000000000.5"}, AnalyzedOn: "2026-01-31",
		Answers:     map[string]string{"q": answer},
		Corrections: []messages.OnboardingCorrection{{Item: "i", Path: "/shares", Value: json.RawMessage(`"5"`)}},
		Items: []messages.PlanItem{{
			ID: "i", Kind: "security", Title: "Common", Operation: "createSecurity", Fields: json.RawMessage(`{"shares":"5"}`), Source: "prompt", Confidence: "high",
			Warnings: []messages.PlanWarning{{Code: "c", Message: "m"}},
		}},
		Questions: []messages.PlanQuestion{{ID: "q", Text: "Name?", Kind: "text", Required: true, Answer: &answer}},
		Created:   []messages.BuiltItem{{Item: "i", Kind: "security", ID: "r", Entity: "e"}},
		Failed:    []messages.FailedItem{{Item: "j", Code: "invalid", Message: "It is invalid."}},
	}
	return o
}

// onboardings returns the store, and a user.
func onboardings(t *testing.T, db *persistence.Database) (*persistence.Onboardings, messages.User) {
	t.Helper()
	user := newUser("ada@example.com")
	must(t, persistence.NewUsers(db).Create(t.Context(), user))
	return persistence.NewOnboardings(db), user
}

// creates stores the onboardings.
func creates(t *testing.T, store *persistence.Onboardings, all ...messages.Onboarding) {
	t.Helper()
	for _, one := range all {
		_, _, err := store.Create(t.Context(), messages.Once{}, one)
		must(t, err)
	}
}

func TestOnboardingIsStoredCompletely(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		made, other := newOnboarding("ada@example.com"), newOnboarding("grace@example.com")
		creates(t, store, made, other)
		if found, err := store.Find(t.Context(), made.ID); err != nil || !reflect.DeepEqual(found, made) {
			t.Errorf("%+v %v", found, err)
		}
		changed := worked(made, user.ID)
		if stored, err := store.Save(t.Context(), changed); err != nil || !stored {
			t.Fatalf("%v %v", stored, err)
		}
		changed.Revision++
		if found, err := store.Find(t.Context(), made.ID); err != nil || !reflect.DeepEqual(found, changed) {
			t.Errorf("%+v %v", found, err)
		}
		if found, err := store.Find(t.Context(), other.ID); err != nil || !reflect.DeepEqual(found, other) {
			t.Errorf("another onboarding changed: %+v %v", found, err)
		}
		if _, err := store.Find(t.Context(), uuid.New()); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("an unknown id: %v", err)
		}
	})
}

func TestRepeatedCreationReturnsTheFirstOnboarding(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, _ := onboardings(t, db)
		once := messages.Once{Key: "k", Fingerprint: "f", At: storetest.Epoch()}
		first, second := newOnboarding("ada@example.com"), newOnboarding("ada@example.com")
		_, replayed, err := store.Create(t.Context(), once, first)
		if must(t, err); replayed {
			t.Error("the first creation is a repetition")
		}
		if found, replayed, err := store.Create(t.Context(), once, second); err != nil || !replayed || found.ID != first.ID {
			t.Errorf("%v %v %v", found.ID, replayed, err)
		}
		if _, err := store.Find(t.Context(), second.ID); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("the repetition is stored: %v", err)
		}
		once.Fingerprint = "another"
		if _, _, err := store.Create(t.Context(), once, second); !errors.Is(err, messages.ErrKeyReused) {
			t.Errorf("another request: %v", err)
		}
	})
}

func TestOneOfConcurrentChangesOfAnOnboardingIsStored(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		made := newOnboarding("ada@example.com")
		creates(t, store, made)
		var wins atomic.Int64
		var running sync.WaitGroup
		for range 8 {
			running.Go(func() {
				stored, err := store.Save(t.Context(), worked(made, user.ID))
				if err != nil {
					t.Error(err)
				}
				if stored {
					wins.Add(1)
				}
			})
		}
		running.Wait()
		if found, err := store.Find(t.Context(), made.ID); err != nil || wins.Load() != 1 || found.Revision != 1 {
			t.Errorf("%d changes, revision %d, %v", wins.Load(), found.Revision, err)
		}
	})
}

func TestLatestOnboardingOfAUser(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		latest := func(of organization.UserID, email string, now time.Time) messages.OnboardingID {
			found, err := store.Latest(t.Context(), of, email, now)
			if err != nil && !errors.Is(err, messages.ErrNoOnboarding) {
				t.Fatal(err)
			}
			return found.ID
		}
		early, late, foreign := newOnboarding("ADA@example.com"), newOnboarding("ada@example.com"), newOnboarding("grace@example.com")
		late.CreatedAt = late.CreatedAt.Add(time.Second)
		creates(t, store, early, late, foreign)
		if got := latest(user.ID, "Ada@Example.com", storetest.Epoch()); got != late.ID {
			t.Errorf("without a linked one: %v", got)
		}
		if got := latest(user.ID, "", storetest.Epoch()); got != (messages.OnboardingID{}) {
			t.Errorf("without an address: %v", got)
		}
		if got := latest(user.ID, "ada@example.com", late.ExpiresAt); got != (messages.OnboardingID{}) {
			t.Errorf("an expired one: %v", got)
		}
		early.User = user.ID
		if stored, err := store.Save(t.Context(), early); err != nil || !stored {
			t.Fatalf("%v %v", stored, err)
		}
		if got := latest(user.ID, "ada@example.com", late.ExpiresAt); got != early.ID {
			t.Errorf("a linked one: %v", got)
		}
		if got := latest(storetest.NewID[organization.User](), "ada@example.com", storetest.Epoch()); got != late.ID {
			t.Errorf("another user with the address: %v", got)
		}
	})
}

func TestUnfinishedOnboardingsAreListedAfterTheirLease(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, _ := onboardings(t, db)
		want := map[messages.OnboardingID]bool{}
		for _, status := range []messages.OnboardingStatus{
			messages.OnboardingCreated, messages.OnboardingAnalyzing, messages.OnboardingBuilding, messages.OnboardingQuestions,
			messages.OnboardingAnalyzed, messages.OnboardingBuilt, messages.OnboardingComplete, messages.OnboardingFailed,
		} {
			made := newOnboarding("ada@example.com")
			made.Status, made.LeasedUntil, made.LeasedBy = status, storetest.Epoch().Add(time.Minute), "ended"
			creates(t, store, made)
			if status == messages.OnboardingCreated || status == messages.OnboardingAnalyzing || status == messages.OnboardingBuilding {
				want[made.ID] = true
			}
		}
		listed := func(now time.Time) map[messages.OnboardingID]bool {
			all, err := store.Unfinished(t.Context(), now)
			must(t, err)
			found := map[messages.OnboardingID]bool{}
			for _, id := range all {
				found[id] = true
			}
			return found
		}
		if got := listed(storetest.Epoch().Add(time.Minute - time.Microsecond)); len(got) != 0 {
			t.Errorf("%d are listed before the end of their lease", len(got))
		}
		if got := listed(storetest.Epoch().Add(time.Minute)); !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		must(t, store.Release(t.Context(), "this"))
		if got := listed(storetest.Epoch()); !reflect.DeepEqual(got, want) {
			t.Errorf("after the release: %v, want %v", got, want)
		}
	})
}

func TestReleaseRefusesTheEarlierOwner(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		building := worked(newOnboarding("ada@example.com"), user.ID)
		creates(t, store, building)
		must(t, store.Release(t.Context(), "this"))
		if stored, err := store.Save(t.Context(), building); err != nil || stored {
			t.Errorf("%v %v", stored, err)
		}
	})
}

func TestReleaseKeepsTheLeasesOfRunningServersAndPauses(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO node (id, address, name, seen_at) VALUES ('other', '10.0.0.2:7000', '', 0)`)
		must(t, err)
		for _, holder := range []string{"this", "other", ""} {
			held := worked(newOnboarding("ada@example.com"), user.ID)
			held.LeasedBy = holder
			creates(t, store, held)
			must(t, store.Release(t.Context(), "this"))
			if stored, err := store.Save(t.Context(), held); err != nil || !stored {
				t.Errorf("the lease of %q was ended: %v", holder, err)
			}
		}
	})
}

func TestExpiredOnboardingsAreNotContinued(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, _ := onboardings(t, db)
		made := newOnboarding("ada@example.com")
		creates(t, store, made)
		for at, want := range map[time.Time]int{made.ExpiresAt.Add(-time.Microsecond): 1, made.ExpiresAt: 0} {
			if all, err := store.Unfinished(t.Context(), at); err != nil || len(all) != want {
				t.Errorf("%d at %s; want %d: %v", len(all), at, want, err)
			}
		}
	})
}

func TestAttachmentIsReplacedAndForgotten(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		made, expired := newOnboarding("ada@example.com"), newOnboarding("grace@example.com")
		made.User = user.ID
		creates(t, store, made, expired)
		if _, err := store.Attachment(t.Context(), made.ID); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("without an attachment: %v", err)
		}
		for _, file := range []messages.OnboardingFile{
			{Name: "first.zip", Content: []byte{0, 1, 255}}, {Name: "second.zip", Content: []byte("second")},
		} {
			must(t, store.Attach(t.Context(), made.ID, file))
			if found, err := store.Attachment(t.Context(), made.ID); err != nil || !reflect.DeepEqual(found, file) {
				t.Errorf("%+v %v", found, err)
			}
		}
		must(t, store.Attach(t.Context(), expired.ID, messages.OnboardingFile{Name: "third.zip", Content: []byte("third")}))
		must(t, store.Forget(t.Context(), made.ExpiresAt))
		if _, err := store.Find(t.Context(), expired.ID); err != nil {
			t.Errorf("forgotten before its expiry: %v", err)
		}
		must(t, store.Forget(t.Context(), made.ExpiresAt.Add(time.Microsecond)))
		if _, err := store.Find(t.Context(), expired.ID); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("not forgotten after its expiry: %v", err)
		}
		if _, err := store.Attachment(t.Context(), expired.ID); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("the attachment remains: %v", err)
		}
		if _, err := store.Attachment(t.Context(), made.ID); err != nil {
			t.Errorf("the attachment of a linked one: %v", err)
		}
		made.Status = messages.OnboardingComplete
		if stored, err := store.Save(t.Context(), made); err != nil || !stored {
			t.Fatalf("%v %v", stored, err)
		}
		must(t, store.Forget(t.Context(), storetest.Epoch()))
		if _, err := store.Attachment(t.Context(), made.ID); !errors.Is(err, messages.ErrNoOnboarding) {
			t.Errorf("the attachment of a complete one remains: %v", err)
		}
		if _, err := store.Find(t.Context(), made.ID); err != nil {
			t.Errorf("the complete one is forgotten: %v", err)
		}
	})
}

func TestWelcomeIsRememberedForEachUser(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		other := newUser("grace@example.com")
		must(t, persistence.NewUsers(db).Create(t.Context(), other))
		for range 2 {
			must(t, store.Welcome(t.Context(), user.ID))
		}
		for id, want := range map[organization.UserID]bool{user.ID: true, other.ID: false} {
			if got, err := store.Welcomed(t.Context(), id); err != nil || got != want {
				t.Errorf("%v %v", got, err)
			}
		}
	})
}

func TestErasureDeletesTheOnboardingsOfAnAddress(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, user := onboardings(t, db)
		own, unlinked, foreign := worked(newOnboarding("ada@example.com"), user.ID), newOnboarding("ada@example.com"), newOnboarding("grace@example.com")
		creates(t, store, own, unlinked, foreign)
		must(t, persistence.NewUsers(db).Erase(t.Context(), user))
		for id, kept := range map[messages.OnboardingID]bool{own.ID: false, unlinked.ID: false, foreign.ID: true} {
			if _, err := store.Find(t.Context(), id); fault.Is(err, fault.NotFound) == kept {
				t.Errorf("kept %v: %v", kept, err)
			}
		}
	})
}
