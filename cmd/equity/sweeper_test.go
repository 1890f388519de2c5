package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

func TestOneServerSweepsInEachPeriod(t *testing.T) {
	t.Parallel()
	db, root, now := storetest.Open(t, storetest.PostgreSQL(t)), t.TempDir(), time.Now()
	key := blob.Key("p/"+storetest.NewID[captable.Entity]().String(), strings.Repeat("ab", 32))
	server := func() *assembly {
		folder, err := blob.OpenFolder(root)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Cleanup(t, func() { _ = folder.Close() })
		return &assembly{db: db, journal: storetest.OpenJournal(t, db), objects: blob.NewGuarded(folder), log: slog.New(slog.DiscardHandler)}
	}
	servers := []*assembly{server(), server()}
	for _, step := range []struct {
		server int
		after  time.Duration
		swept  bool
	}{{0, 0, true}, {1, time.Hour, false}, {0, time.Hour, false}, {1, sweepEvery, true}} {
		if err := servers[0].objects.Put(t.Context(), key, strings.NewReader("unused"), 6); err != nil {
			t.Fatal(err)
		}
		old := now.Add(-2 * blob.GarbageAge)
		if err := os.Chtimes(filepath.Join(root, filepath.FromSlash(key)), old, old); err != nil {
			t.Fatal(err)
		}
		servers[step.server].sweepOnce(t.Context(), now.Add(step.after))
		if _, err := servers[0].objects.Stat(t.Context(), key); errors.Is(err, blob.ErrNotFound) != step.swept {
			t.Errorf("server %d after %s: %v", step.server, step.after, err)
		}
	}
}

func TestServerContinuesTheOnboardingsOfEndedServers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["AGENT_PROVIDER"] = "embedded"
	s.variables["DATABASE_URL"] = storetest.PostgreSQL(t)
	s.serve(t)
	db, err := persistence.Open(t.Context(), s.variables["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = db.Close() })
	id, now := newID(), time.Now()
	store := persistence.NewOnboardings(db)
	_, _, err = store.Create(t.Context(), messages.Once{}, messages.Onboarding{
		ID: id, Email: "ada@example.com", Status: messages.OnboardingAnalyzing, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		LeasedUntil: now.Add(time.Hour), LeasedBy: "ended", OnboardingWork: messages.OnboardingWork{Prompt: "Engines Inc. has 1,000 shares."},
	})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		found, err := store.Find(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if found.Status != messages.OnboardingAnalyzing {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the analysis was not continued")
		}
		<-time.After(50 * time.Millisecond) // the server continues it
	}
}
