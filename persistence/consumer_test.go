package persistence_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestCursorIsFencedByItsVersion(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id := persistence.NewConsumers(db), organization.ID{1}
		first := messages.Cursor{Sequence: 3, Epoch: 1, State: messages.ConsumerOK, LastSuccessAt: storetest.Epoch()}
		must(t, store.Save(t.Context(), id, "mail", first, nil))
		if err := store.Save(t.Context(), id, "mail", first, nil); !errors.Is(err, messages.ErrCursorMoved) {
			t.Errorf("a second writer of a new cursor: %v", err)
		}
		cursor, alarm, err := store.Load(t.Context(), id, "mail")
		first.Version = 1
		if err != nil || cursor != first || alarm != (messages.Alarm{}) {
			t.Fatalf("%+v %+v %v", cursor, alarm, err)
		}
		cursor.Sequence = 4
		must(t, store.Save(t.Context(), id, "mail", cursor, nil))
		if err := store.Save(t.Context(), id, "mail", cursor, nil); !errors.Is(err, messages.ErrCursorMoved) {
			t.Errorf("a second writer: %v", err)
		}
	})
}

func TestAlarmIsClaimedOnceWithinItsLease(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, now := persistence.NewConsumers(db), storetest.Epoch()
		for i := range byte(3) {
			must(t, store.Save(t.Context(), organization.ID{i}, "mail", messages.Cursor{State: messages.ConsumerRetrying}, &messages.Rest{DueAt: now}))
		}
		must(t, store.Save(t.Context(), organization.ID{9}, "mail", messages.Cursor{State: messages.ConsumerFailed}, &messages.Rest{}))
		claim := func(at time.Time, want int) {
			t.Helper()
			if due, err := store.Claim(t.Context(), at, time.Minute, 2); err != nil || len(due) != want {
				t.Errorf("%d claimed instead of %d: %v", len(due), want, err)
			}
		}
		claim(now.Add(-time.Second), 0)
		claim(now, 2)
		claim(now, 1)
		claim(now, 0)
		claim(now.Add(time.Minute), 2)
	})
}

func TestSkipMovesAFailedConsumerPastOneEventAndRecordsTheAuthor(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		failed := messages.Cursor{Sequence: 6, State: messages.ConsumerFailed, Failures: 3, FailingSince: now, LastError: "poison"}
		must(t, store.Save(t.Context(), id, "mail", failed, &messages.Rest{}))
		status, err := store.Status(t.Context(), id)
		if err != nil || len(status) != 1 || status[0].Event != 7 || status[0].State != messages.ConsumerFailed {
			t.Fatalf("%+v %v", status, err)
		}
		if err := store.Skip(t.Context(), id, "mail", 6, "ada", now); !errors.Is(err, messages.ErrNotFailed) {
			t.Errorf("another event was skipped: %v", err)
		}
		must(t, store.Skip(t.Context(), id, "mail", 7, "ada", now))
		if err := store.Skip(t.Context(), id, "mail", 7, "ben", now); err != nil {
			t.Errorf("a repetition: %v", err)
		}
		cursor, alarm, err := store.Load(t.Context(), id, "mail")
		if err != nil || cursor.Sequence != 7 || cursor.State != messages.ConsumerOK || !alarm.DueAt.Equal(now) {
			t.Errorf("%+v %+v %v", cursor, alarm, err)
		}
		var author string
		err = db.Reader().QueryRowContext(t.Context(), `SELECT actor FROM consumer_skip WHERE sequence = 7`).Scan(&author)
		if err != nil || author != "ada" {
			t.Errorf("%q %v", author, err)
		}
	})
}

func TestRetryMakesAFailedConsumerDue(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		if err := store.Retry(t.Context(), id, "mail", now); !errors.Is(err, messages.ErrNotFailed) {
			t.Errorf("an unknown consumer: %v", err)
		}
		must(t, store.Save(t.Context(), id, "mail", messages.Cursor{Sequence: 6, State: messages.ConsumerFailed, Failures: 3}, &messages.Rest{}))
		must(t, store.Retry(t.Context(), id, "mail", now))
		if due, err := store.Claim(t.Context(), now, time.Minute, 1); err != nil || len(due) != 1 {
			t.Errorf("%+v %v", due, err)
		}
	})
}

func TestRetryRunsTheStatementOfItsConsumer(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		skipped := func(by string) func(organization.ID, string, time.Time) persistence.Statement {
			return func(id organization.ID, instance string, now time.Time) persistence.Statement {
				return persistence.Statement{
					Operation: "note", Text: `INSERT INTO consumer_skip (organization, consumer, sequence, actor, skipped_at) VALUES ($1, $2, 1, $3, $4)`,
					Arguments: []any{id[:], instance, by, persistence.Micros(now)},
				}
			}
		}
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		both := store.Retrying("webhook", skipped("webhook")).Retrying("chat", skipped("chat"))
		for _, one := range []string{"webhook/a", "mail"} {
			must(t, store.Save(t.Context(), id, one, messages.Cursor{Sequence: 6, State: messages.ConsumerFailed}, &messages.Rest{}))
			must(t, both.Retry(t.Context(), id, one, now))
			must(t, store.Retry(t.Context(), id, one, now)) // without statements
		}
		noted, err := persistence.Collect(t.Context(), db.Reader(), "read", func(row persistence.Row) (text string, err error) {
			var instance, by string
			err = row.Scan(&instance, &by)
			return instance + " " + by, err
		}, `SELECT consumer, actor FROM consumer_skip`)
		if err != nil || !slices.Equal(noted, []string{"a webhook"}) {
			t.Errorf("%q %v", noted, err)
		}
	})
}

func TestTotalsAreThoseOfAllInstancesOfAConsumer(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, failed := persistence.NewConsumers(db), messages.Cursor{State: messages.ConsumerFailed}
		for i, name := range []string{"mail", "webhook/a", "webhook/b"} {
			must(t, store.Save(t.Context(), organization.ID{byte(i)}, name, failed, &messages.Rest{}))
		}
		must(t, store.Save(t.Context(), organization.ID{9}, "webhook/c", failed, &messages.Rest{DueAt: storetest.Epoch()}))
		totals, err := store.Totals(t.Context())
		if want := map[string]persistence.ConsumerTotals{
			"mail": {Pending: 1, Failed: 1}, "webhook": {Pending: 3, Failed: 2},
		}; err != nil || !maps.Equal(totals, want) {
			t.Errorf("%v %v", totals, err)
		}
	})
}

func TestRewindMovesTheCursorOnlyBack(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		must(t, store.Save(t.Context(), id, "webhook/a", messages.Cursor{Sequence: 50, Epoch: 2, State: messages.ConsumerOK}, nil))
		for from, want := range map[uint64]uint64{60: 50, 11: 10} {
			must(t, store.Rewind(t.Context(), id, "webhook/a", from, 80, 2, now))
			if from == 60 {
				continue
			}
			cursor, alarm, err := store.Load(t.Context(), id, "webhook/a")
			if err != nil || cursor.Sequence != want || alarm.First != 11 || alarm.Last != 80 {
				t.Errorf("from %d: %+v %+v %v", from, cursor, alarm, err)
			}
		}
	})
}

// requests are the operations that make a stopped instance at event 6 due.
func requests() map[string]func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error {
	return map[string]func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error{
		"arm": func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error {
			return s.Arm(ctx, id, "webhook/a", 6, now)
		},
		"rewind": func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error {
			return s.Rewind(ctx, id, "webhook/a", 3, 6, 0, now)
		},
		"retry": func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error {
			return s.Retry(ctx, id, "webhook/a", now)
		},
		"skip": func(ctx context.Context, s *persistence.Consumers, id organization.ID, now time.Time) error {
			return s.Skip(ctx, id, "webhook/a", 7, "ada", now)
		},
	}
}

func TestRequestDuringARoundKeepsItsAlarm(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		number := byte(0)
		for name, request := range requests() {
			number++
			store, id, now := persistence.NewConsumers(db), organization.ID{number}, storetest.Epoch()
			must(t, store.Save(t.Context(), id, "webhook/a", messages.Cursor{Sequence: 6, State: messages.ConsumerFailed}, &messages.Rest{}))
			cursor, before, err := store.Load(t.Context(), id, "webhook/a")
			must(t, err)
			must(t, request(t.Context(), store, id, now))
			must(t, store.Clear(t.Context(), id, "webhook/a", 6, before))
			must(t, store.Drop(t.Context(), id, "webhook/a", cursor.Version, 6, before))
			if name == "arm" { // the others have changed the cursor, so that it is not saved
				must(t, store.Arm(t.Context(), id, "webhook/a", 6, now))
				must(t, store.Save(
					t.Context(), id, "webhook/a", messages.Cursor{Sequence: 6},
					&messages.Rest{DueAt: now.Add(time.Hour), Generation: before.Generation},
				))
			}
			if _, after, err := store.Load(
				t.Context(), id, "webhook/a",
			); err != nil || !after.DueAt.Equal(now) || after.Generation <= before.Generation {
				t.Errorf("%s: %+v instead of an alarm at %s: %v", name, after, now, err)
			}
		}
	})
}

func TestAlarmOfALaterRequestDiffersFromARemovedOne(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		must(t, store.Arm(t.Context(), id, "drive", 6, now))
		_, first, err := store.Load(t.Context(), id, "drive")
		must(t, err)
		must(t, store.Clear(t.Context(), id, "drive", 6, first))
		must(t, store.Arm(t.Context(), id, "drive", 6, now.Add(time.Second)))
		must(t, store.Clear(t.Context(), id, "drive", 6, first)) // a late repetition
		if _, second, err := store.Load(t.Context(), id, "drive"); err != nil || second.DueAt.IsZero() {
			t.Errorf("the alarm was removed: %v", err)
		}
	})
}

func TestRewindKeepsEarlierPendingEvents(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		must(t, store.Rewind(t.Context(), id, "webhook/a", 8, 9, 3, now)) // its events 4 to 9 are pending
		if cursor, _, err := store.Load(t.Context(), id, "webhook/a"); err != nil || cursor.Sequence != 3 {
			t.Errorf("the cursor of a new instance is at %d: %v", cursor.Sequence, err)
		}
		must(t, store.Rewind(t.Context(), id, "webhook/a", 18, 19, 13, now)) // it was turned on again at 13
		if cursor, _, err := store.Load(t.Context(), id, "webhook/a"); err != nil || cursor.Sequence != 13 || cursor.Epoch != 13 {
			t.Errorf("the cursor of an instance that was turned on is at %d: %v", cursor.Sequence, err)
		}
	})
}

func TestRetryIsAcceptedWhileTheConsumerStoresItsCursor(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, now := persistence.NewConsumers(db), organization.ID{1}, storetest.Epoch()
		must(t, store.Save(t.Context(), id, "mail", messages.Cursor{State: messages.ConsumerRetrying}, &messages.Rest{DueAt: now}))
		done := make(chan error)
		go func() {
			var err error
			for range 100 {
				var cursor messages.Cursor
				if cursor, _, err = store.Load(t.Context(), id, "mail"); err != nil {
					break
				}
				if err = store.Save(t.Context(), id, "mail", cursor, nil); err != nil && !errors.Is(err, messages.ErrCursorMoved) {
					break
				}
			}
			done <- err
		}()
		for range 100 {
			must(t, store.Retry(t.Context(), id, "mail", now))
		}
		if err := <-done; err != nil && !errors.Is(err, messages.ErrCursorMoved) {
			t.Error(err)
		}
	})
}
