package actors_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/messages"
)

func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		met  failure
		held string
	}{
		"that was stored": {land, "8"},
		"that was lost":   {lose, "1"},
	} {
		t.Run("an append "+name+" has an unknown outcome, and the state follows the journal", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				before := c.store.head(c.id)
				c.store.meet(test.met)
				flying := c.asked(c.issue(c.ada, 7))
				waiting := c.asked(c.issue(c.bob, 9)) // in the next batch, which is never sent
				refused(t, (<-flying).err, messages.ErrOutcomeUnknown.Code)
				refused(t, (<-waiting).err, messages.ErrUnavailable.Code)
				c.must(c.issue(c.ada, 1))
				if got := held(c.view().State, c.ada); got != test.held {
					t.Errorf("Ada holds %s; want %s", got, test.held)
				}
				if got := held(c.view().State, c.bob); got != "0" {
					t.Errorf("Bob holds %s that were not stored", got)
				}
				same(t, c.view().State, c.store.replay(c.id))
				if n := c.Stats(); n.Failures != 1 || n.Restarts != 1 {
					t.Errorf("%d failures and %d restarts; want one each (journal from %d to %d)", n.Failures, n.Restarts, before, c.store.head(c.id))
				}
			})
		})
	}
}

func TestHangingStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		release := make(chan struct{})
		c.store.meet(hang(release))
		flying, waiting := c.asked(keyed(c.issue(c.ada, 7), "a", "")), c.asked(keyed(c.issue(c.ada, 9), "b", ""))
		for _, caller := range []<-chan answer{flying, waiting} {
			if a := <-caller; a.took != c.settings.Patience {
				t.Errorf("answered after %v; want %v", a.took, c.settings.Patience)
			} else {
				refused(t, a.err, messages.ErrOutcomeUnknown.Code)
			}
		}
		if got := held(c.view().State, c.ada); got != "0" {
			t.Errorf("reads see %s shares that are not durable", got)
		}
		trial := c.issue(c.ada, 1)
		trial.DryRun = true
		_, err := c.do(trial)
		refused(t, err, messages.ErrUnavailable.Code) // a dry run certainly changed nothing
		close(release)
		c.must(c.issue(c.ada, 1))
		if got := held(c.view().State, c.ada); got != "17" {
			t.Errorf("Ada holds %s; want 17, because accepted commands continue", got)
		}
		if reply := c.must(keyed(c.issue(c.ada, 9), "b", "")); !reply.Replayed {
			t.Error("the repetition was recorded a second time")
		}
	})
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		release := make(chan struct{})
		c.store.meet(hang(release))
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, err := c.Do(ctx, c.issue(c.ada, 1))
		refused(t, err, messages.ErrOutcomeUnknown.Code)
		if took := time.Since(begin); took != time.Second {
			t.Errorf("answered after %v; want one second", took)
		}
		_, err = c.Do(ctx, c.issue(c.ada, 1))
		refused(t, err, messages.ErrUnavailable.Code) // the store was not called
		cancel()
		close(release)
		c.must(c.issue(c.ada, 1))
		if got := held(c.view().State, c.ada); got != "2" {
			t.Errorf("Ada holds %s; want 2", got)
		}
	})
}

func TestStoreDownForAWhile(t *testing.T) {
	t.Parallel()
	for _, outage := range []time.Duration{100 * time.Millisecond, 5 * time.Second, 3 * time.Minute} {
		t.Run("after an outage of "+outage.String()+", the journal has exactly the acknowledged commands", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				founding := c.store.head(c.id)
				acknowledged := make(chan uint64, 1<<16)
				attempt := func() bool {
					reply, err := c.do(c.issue(c.ada, 1))
					if err == nil {
						acknowledged <- reply.Sequence
					} else {
						refused(t, err, messages.ErrUnavailable.Code)
					}
					return err == nil
				}
				end := time.Now().Add(outage + 10*time.Second)
				var everybody sync.WaitGroup
				for range 8 {
					everybody.Go(func() {
						for time.Now().Before(end) {
							attempt()
							time.Sleep(rand.N(200 * time.Millisecond))
						}
					})
				}
				time.Sleep(time.Second)
				c.store.fail(errDisk)
				time.Sleep(outage)
				c.store.fail(nil)
				for back := time.Now(); !attempt(); time.Sleep(10 * time.Millisecond) {
					if took := time.Since(back); took > 4*time.Second {
						t.Fatalf("%v after the outage it does not serve", took)
					}
				}
				everybody.Wait()
				close(acknowledged)
				unique := map[uint64]bool{}
				for sequence := range acknowledged {
					unique[sequence] = true
				}
				if recorded := c.store.head(c.id) - founding; uint64(len(unique)) != recorded {
					t.Errorf("%d were acknowledged, and the journal has %d", len(unique), recorded)
				}
				same(t, c.view().State, c.store.replay(c.id))
			})
		})
	}
}

func TestLoadFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		c.stop(c.Organizations)
		var mu sync.Mutex
		var tries []time.Time
		c.store.beforeRow = func(row messages.Row) error {
			mu.Lock()
			defer mu.Unlock()
			if row.Sequence == 1 {
				tries = append(tries, time.Now())
			}
			return errDisk
		}
		c.start()
		first := c.ask(c.issue(c.ada, 1))
		refused(t, (<-first).err, messages.ErrUnavailable.Code)
		waiting := c.ask(c.issue(c.ada, 1)) // waits for the end of the delay
		refused(t, (<-waiting).err, messages.ErrUnavailable.Code)
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		for i := 2; i < len(tries); i++ {
			if pause, before := tries[i].Sub(tries[i-1]), tries[i-1].Sub(tries[i-2]); pause < before && before < 2*time.Second {
				t.Errorf("the pauses do not grow: %v after %v", pause, before)
			}
		}
		if len(tries) < 5 || len(tries) > 8 {
			t.Errorf("it was tried %d times in a minute; want a few", len(tries))
		}
		if live := c.Live(); live != 0 {
			t.Errorf("%d organizations are live although the loads failed", live)
		}
	})
}

func TestLoadRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		c.stop(c.Organizations)
		var broken atomic.Bool
		broken.Store(true)
		c.store.beforeRow = func(messages.Row) error {
			if broken.Load() {
				return errDisk
			}
			return nil
		}
		c.start()
		refused(t, (<-c.ask(c.issue(c.ada, 1))).err, messages.ErrUnavailable.Code)
		broken.Store(false)
		a := <-c.ask(c.issue(c.ada, 1)) // waits for the next attempt, which succeeds
		if a.err != nil || a.took > time.Second {
			t.Errorf("served after %v with %v", a.took, a.err)
		}
		c.restart()
		c.must(c.issue(c.ada, 1))
		if got := held(c.view().State, c.ada); got != "2" {
			t.Errorf("Ada holds %s; want 2", got)
		}
	})
}
