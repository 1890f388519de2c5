package actors_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		founding := c.store.head(c.id)
		acknowledged := make(chan uint64, 1<<14)
		var everybody sync.WaitGroup
		for range 48 {
			everybody.Go(func() {
				for {
					a := <-c.ask(c.issue(c.ada, 1))
					if a.took > 4*latency {
						t.Errorf("a caller was left to wait for %v", a.took)
					}
					if a.err != nil {
						refused(t, a.err, messages.ErrUnavailable.Code)
						return
					}
					acknowledged <- a.Sequence
				}
			})
		}
		time.Sleep(20*latency + latency/2) // in the middle of an append
		c.stop(c.Organizations)
		if live := c.Live(); live != 0 {
			t.Errorf("%d organizations are live after the stop", live)
		}
		everybody.Wait()
		close(acknowledged)
		if stored := c.store.head(c.id) - founding; stored != uint64(len(acknowledged)) || stored < 48*8 {
			t.Errorf("%d were acknowledged, and the journal has %d", len(acknowledged), stored)
		}
	})
}

func TestStop(t *testing.T) {
	t.Parallel()
	claims := map[string]func(*company){
		"stores and answers the batch that waits behind the append in flight": func(c *company) {
			flying, waiting := c.asked(c.issue(c.ada, 1)), c.asked(c.issue(c.ada, 2))
			c.stop(c.Organizations)
			for _, caller := range []<-chan answer{flying, waiting} {
				if a := <-caller; a.err != nil {
					c.Error(a.err)
				}
			}
		},
		"may be asked for twice, and later": func(c *company) {
			go c.stop(c.Organizations)
			c.stop(c.Organizations)
			c.stop(c.Organizations)
		},
		"refuses later callers at once": func(c *company) {
			c.stop(c.Organizations)
			a := <-c.ask(c.issue(c.ada, 1))
			refused(c, a.err, messages.ErrUnavailable.Code)
			_, err := c.View(context.Background(), c.id)
			refused(c, err, messages.ErrUnavailable.Code)
			if a.took != 0 {
				c.Errorf("the caller was left to wait for %v", a.took)
			}
		},
		"starts no organization while others end": func(c *company) {
			release := make(chan struct{})
			c.store.meet(hang(release))
			flying := c.asked(c.issue(c.ada, 1))
			go c.stop(c.Organizations)
			synctest.Wait() // the stop waits for the append
			a := <-c.ask(c.create(c.newID()))
			refused(c, a.err, messages.ErrUnavailable.Code)
			close(release)
			if a := <-flying; a.err != nil {
				c.Error(a.err)
			}
			begin := time.Now()
			c.stop(c.Organizations)
			if took := time.Since(begin); took != 0 {
				c.Errorf("it continued for %v without pending work", took)
			}
		},
		"says so when its time is up, and goes on": func(c *company) {
			release := make(chan struct{})
			c.store.meet(hang(release))
			flying := c.asked(c.issue(c.ada, 1))
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := c.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
				c.Errorf("stop: %v", err)
			}
			close(release)
			c.stop(c.Organizations)
			if a := <-flying; a.err != nil {
				c.Error(a.err)
			}
		},
		"waits for a slow store until its deadline": func(c *company) {
			release := make(chan struct{})
			c.store.meet(hang(release))
			flying := c.asked(c.issue(c.ada, 1))
			time.AfterFunc(15*time.Second, func() { close(release) })
			c.stop(c.Organizations)
			if a := <-flying; a.err != nil {
				c.Errorf("%v after %v", a.err, a.took)
			}
		},
		"is not held up by an organization that pauses after a failure": func(c *company) {
			c.store.fail(errDisk)
			for range 5 {
				_, _ = c.do(c.issue(c.ada, 1))
			}
			waiting := c.asked(c.issue(c.ada, 1))
			begin := time.Now()
			c.stop(c.Organizations)
			if took := time.Since(begin); took != 0 {
				c.Errorf("it took %v", took)
			}
			refused(c, (<-waiting).err, messages.ErrUnavailable.Code)
			c.store.fail(nil)
		},
	}
	for name, run := range claims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				run(setup(t, func(s *actors.Settings) { s.Patience = 30 * time.Second }))
			})
		})
	}
}

func TestStopTakesItsGoroutinesAlong(t *testing.T) {
	t.Parallel()
	t.Run("a stop while loading leaves no goroutine", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.stop(c.Organizations)
			var reading atomic.Int32
			c.store.beforeRow = func(messages.Row) error {
				reading.Add(1)
				defer reading.Add(-1)
				time.Sleep(time.Second)
				return nil
			}
			c.start()
			callers := []<-chan answer{c.asked(c.issue(c.ada, 1)), c.asked(c.issue(c.ada, 1))}
			time.Sleep(1500 * time.Millisecond)
			c.stop(c.Organizations)
			if n := reading.Load(); n != 0 {
				t.Errorf("%d journals are still being read", n)
			}
			for _, caller := range callers {
				a := <-caller
				refused(t, a.err, messages.ErrUnavailable.Code)
				if a.took > 2*time.Second {
					t.Errorf("a caller was left to wait for %v", a.took)
				}
			}
		})
	})
	t.Run("a stop while a snapshot is stored leaves no goroutine", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, func(s *actors.Settings) { s.SnapshotEvery = 2 })
			var storing atomic.Int32
			c.store.whileSaving(func(ctx context.Context) error {
				storing.Add(1)
				defer storing.Add(-1)
				<-ctx.Done()
				return ctx.Err()
			})
			c.must(c.issue(c.ada, 1))
			c.must(c.issue(c.ada, 1))
			time.Sleep(time.Second)
			begin := time.Now()
			c.stop(c.Organizations)
			if n := storing.Load(); n != 0 || time.Since(begin) > 0 {
				t.Errorf("%d snapshots are still being stored, %v later", n, time.Since(begin))
			}
		})
	})
}
