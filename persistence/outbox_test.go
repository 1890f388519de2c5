package persistence_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestOutbox(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		outbox := persistence.NewOutbox(db)
		now := storetest.Epoch()
		claim := func(want int) []persistence.Mail {
			t.Helper()
			claimed, err := outbox.Claim(t.Context(), now, time.Minute, 2)
			if err != nil || len(claimed) != want {
				t.Fatalf("%d claimed, not %d: %v", len(claimed), want, err)
			}
			return claimed
		}
		mails := []persistence.Mail{newMail("a@example.org"), newMail("ü@example.org"), newMail("c@example.org")}
		for i := range mails {
			mails[i].CreatedAt = now.Add(time.Duration(i-5) * time.Second)
			must(t, outbox.Enqueue(t.Context(), mails[i]))
		}
		first := claim(2)
		mails[0].Attempts, mails[1].Attempts = 1, 1
		slices.SortFunc(first, func(a, b persistence.Mail) int { return a.CreatedAt.Compare(b.CreatedAt) })
		if !slices.Equal(first, mails[:2]) {
			t.Fatalf("%+v", first)
		}
		third := claim(1)
		claim(0)
		must(t, outbox.Sent(t.Context(), mails[0].ID, now))
		must(t, outbox.Failed(t.Context(), mails[1].ID, "greylisted", now.Add(10*time.Minute)))
		must(t, outbox.Failed(t.Context(), third[0].ID, "no such recipient", time.Time{}))
		now = now.Add(9 * time.Minute)
		claim(0)
		now = now.Add(2 * time.Minute)
		if again := claim(1); again[0].ID != mails[1].ID || again[0].Attempts != 2 || again[0].Text != "the code" {
			t.Fatalf("%+v", again)
		}
		now = now.Add(2 * time.Minute) // the courier crashed and its lease ends
		claim(1)
		must(t, outbox.Sent(t.Context(), mails[1].ID, now))
		must(t, outbox.Failed(t.Context(), mails[1].ID, "late news of an earlier attempt", now))
		claim(0)
		var left int
		err := db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM outbox WHERE plain_text <> '' OR html <> ''`).Scan(&left)
		if err != nil || left != 0 {
			t.Fatalf("%d settled mails keep their contents: %v", left, err)
		}
	})
}

func TestForgetRemovesFinishedMail(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		outbox, now := persistence.NewOutbox(db), storetest.Epoch()
		for i, to := range []string{"sent@example.org", "refused@example.org", "waiting@example.org", "late@example.org"} {
			mail := newMail(to)
			mail.CreatedAt = now.Add(time.Duration(i/3) * time.Hour)
			must(t, outbox.Enqueue(t.Context(), mail))
			switch i {
			case 0, 3:
				must(t, outbox.Sent(t.Context(), mail.ID, now))
			case 1:
				must(t, outbox.Failed(t.Context(), mail.ID, "no such recipient", time.Time{}))
			}
		}
		left := func() string {
			var all []string
			rows, err := db.Reader().QueryContext(t.Context(), `SELECT recipient FROM outbox ORDER BY recipient`)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { must(t, rows.Close()) }()
			for rows.Next() {
				var one string
				must(t, rows.Scan(&one))
				all = append(all, one)
			}
			must(t, rows.Err())
			return strings.Join(all, " ")
		}
		must(t, outbox.Forget(t.Context(), now))
		if got := left(); got != "late@example.org refused@example.org sent@example.org waiting@example.org" {
			t.Errorf("a mail created at the limit was removed: %s", got)
		}
		must(t, outbox.Forget(t.Context(), now.Add(time.Minute)))
		if got := left(); got != "late@example.org waiting@example.org" {
			t.Errorf("remaining: %s", got)
		}
	})
}

func TestOutboxWithSeveralCouriers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		outbox := persistence.NewOutbox(db)
		const number = 60
		for range number {
			must(t, outbox.Enqueue(t.Context(), newMail("a@example.org")))
		}
		var mu sync.Mutex
		times := map[[16]byte]int{}
		var couriers sync.WaitGroup
		for range 6 {
			couriers.Go(func() {
				for {
					claimed, err := outbox.Claim(t.Context(), storetest.Epoch(), time.Hour, 4)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					for _, mail := range claimed {
						times[mail.ID]++
					}
					done := len(times) == number
					mu.Unlock()
					if done {
						return
					}
				}
			})
		}
		couriers.Wait()
		for id, claims := range times {
			if claims != 1 {
				t.Fatalf("%x was claimed %d times", id, claims)
			}
		}
	})
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		now := storetest.Epoch()
		throttle := persistence.NewThrottle(db, func() time.Time { return now })
		take := func(subject string, want time.Duration) {
			t.Helper()
			wait, err := throttle.Take(t.Context(), subject, 2, time.Minute)
			if err != nil || wait != want {
				t.Fatalf("%s waits for %s, not %s: %v", subject, wait, want, err)
			}
		}
		take("ada", 0)
		now = now.Add(10 * time.Second)
		take("ada", 0)
		take("ada", 50*time.Second)
		take("bob", 0)
		must(t, throttle.Forgive(t.Context(), "ada"))
		take("ada", 0)
		take("ada", 0)
		take("ada", time.Minute)
		now = now.Add(time.Minute)
		take("ada", 0)
		must(t, throttle.Sweep(t.Context()))
		take("ada", 0)
		take("ada", time.Minute)
		var subjects int
		must(t, db.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM throttle`).Scan(&subjects))
		if subjects != 1 {
			t.Fatalf("%d subjects remain after sweeping", subjects)
		}
	})
}
