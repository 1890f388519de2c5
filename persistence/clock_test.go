package persistence_test

import (
	"testing"
	"time"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestThrottleIgnoresCountsOfAWrongClock(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		now := storetest.Epoch().Add(48 * time.Hour)
		throttle := persistence.NewThrottle(db, func() time.Time { return now })
		for range 5 {
			_, err := throttle.Take(t.Context(), "login", 3, 15*time.Minute)
			must(t, err)
		}
		now = storetest.Epoch()
		if wait, err := throttle.Take(t.Context(), "login", 3, 15*time.Minute); err != nil || wait != 0 {
			t.Errorf("locked for %s: %v", wait, err)
		}
	})
}

func TestMailScheduledByAWrongClockIsSent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		outbox := persistence.NewOutbox(db)
		must(t, outbox.Enqueue(t.Context(), persistence.Mail{ID: [16]byte{1}, To: "ada@example.org", CreatedAt: storetest.Epoch().AddDate(10, 0, 0)}))
		claimed, err := outbox.Claim(t.Context(), storetest.Epoch(), time.Minute, 10)
		if must(t, err); len(claimed) != 1 {
			t.Errorf("%d mails are due", len(claimed))
		}
	})
}

func TestKeysOfTheLastRowsAreReadRegardlessOfAge(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal, w := storetest.OpenJournal(t, db), storetest.NewWriter()
		batch := w.Next("{}", "{}")
		batch.Rows[1].IdempotencyKey = "k"
		storetest.MustPut(t, journal, batch)
		found := 0
		must(t, journal.Keys(t.Context(), w.ID, storetest.Epoch().AddDate(1, 0, 0), func(string, string, uint64) error { found++; return nil }))
		if found != 1 {
			t.Errorf("%d keys are remembered", found)
		}
	})
}
