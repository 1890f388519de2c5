package actors_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

// staleFor sets the time during which stale views can be read.
func staleFor(limit time.Duration) func(*actors.Settings) {
	return func(s *actors.Settings) { s.StaleReads = limit }
}

// suffer makes the journal fail while a writer retries.
func (c *company) suffer(outage time.Duration) {
	c.Helper()
	c.store.fail(errDisk)
	for end := time.Now().Add(outage); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_, err := c.do(c.issue(c.ada, 1))
		refused(c, err, messages.ErrUnavailable.Code)
	}
}

func TestViewStaysReadableWhileTheJournalIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, staleFor(5*time.Minute))
		c.must(c.issue(c.ada, 7))
		if !c.view().StaleSince.IsZero() {
			t.Error("the view of a journal that answers is stale")
		}
		began := time.Now()
		c.store.fail(errDisk)
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.suffer(2 * time.Minute)
		}()
		time.Sleep(time.Second)
		for range 200 {
			view, err := c.View(context.Background(), c.id)
			if err != nil {
				t.Fatalf("after %v: %v", time.Since(began), err)
			}
			if held(view.State, c.ada) != "7" {
				t.Fatalf("Ada holds %s", held(view.State, c.ada))
			}
			if since := view.StaleSince; since.Sub(began).Abs() > time.Second {
				t.Fatalf("stale since %v after the outage began", since.Sub(began))
			}
			time.Sleep(500 * time.Millisecond)
		}
		<-done
	})
}

func TestStaleViewIsRefusedAfterTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, staleFor(time.Minute))
		c.suffer(90 * time.Second)
		_, err := c.View(context.Background(), c.id)
		refused(t, err, messages.ErrUnavailable.Code)
		time.Sleep(3 * time.Minute)
		if live := c.Live(); live != 0 {
			t.Errorf("%d expired views are kept", live)
		}
		c.store.fail(nil)
	})
}

// TestStaleViewIsRenewedByItsReaders has no writes after the outage.
func TestStaleViewIsRenewedByItsReaders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, staleFor(time.Hour))
		c.suffer(5 * time.Minute)
		time.Sleep(time.Minute) // the actor was stopped after its failures
		c.store.fail(nil)
		for back := time.Now(); !c.view().StaleSince.IsZero(); time.Sleep(100 * time.Millisecond) {
			if time.Since(back) > 5*time.Second {
				t.Fatal("the view is stale although the journal answers")
			}
		}
		c.must(c.issue(c.ada, 1))
	})
}
