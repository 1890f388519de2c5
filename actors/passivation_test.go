package actors_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/organization"
)

func patient(d time.Duration) func(*actors.Settings) {
	return func(s *actors.Settings) { s.PassivateAfter = d }
}

func TestPassivation(t *testing.T) {
	t.Parallel()
	claims := map[string]func(*company){
		"an idle organization leaves memory": func(c *company) {
			c.must(c.issue(c.ada, 1))
			if live := c.Live(); live != 1 {
				c.Errorf("%d organizations are live; want 1", live)
			}
			time.Sleep(2*c.settings.PassivateAfter + time.Millisecond)
			if live := c.Live(); live != 0 {
				c.Errorf("%d organizations are live after a while; want none", live)
			}
		},
		"reads keep it alive": func(c *company) {
			scans := c.store.scanned()
			for range 100 {
				time.Sleep(c.settings.PassivateAfter * 9 / 10)
				c.view()
				if c.Live() != 1 {
					c.Fatal("it left memory between two reads")
				}
			}
			if c.store.scanned() != scans {
				c.Error("its journal was read again")
			}
		},
		"writes keep it alive": func(c *company) {
			scans := c.store.scanned()
			for range 100 {
				time.Sleep(c.settings.PassivateAfter * 9 / 10)
				c.must(c.issue(c.ada, 1))
			}
			if c.store.scanned() != scans {
				c.Error("its journal was read again")
			}
		},
		"it comes back as it was": func(c *company) {
			c.must(c.issue(c.ada, 5))
			before := c.view().State
			time.Sleep(3 * c.settings.PassivateAfter)
			same(c, c.view().State, before)
			c.must(c.issue(c.ada, 1))
			time.Sleep(3 * c.settings.PassivateAfter)
			c.must(c.issue(c.ada, 1)) // a command loads it again, like a read
			if got := held(c.view().State, c.ada); got != "7" {
				c.Errorf("Ada holds %s; want 7", got)
			}
		},
		"an append in flight keeps it": func(c *company) {
			release := make(chan struct{})
			c.store.meet(hang(release))
			caller := c.asked(c.issue(c.ada, 5))
			time.Sleep(3 * c.settings.PassivateAfter)
			if live := c.Live(); live != 1 {
				c.Errorf("%d organizations are live with an append in flight", live)
			}
			close(release)
			if a := <-caller; a.err != nil {
				c.Error(a.err)
			}
		},
	}
	for name, run := range claims {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { run(setup(t, patient(time.Second))) })
		})
	}
}

func TestOrganizationsAboveTheLimitLeaveMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit, all = 20, 300
		c := setup(t, func(s *actors.Settings) { s.MostLive = limit })
		var ids []organization.ID
		most := 0
		for range all {
			ids = append(ids, c.newID())
			c.must(c.create(ids[len(ids)-1]))
			synctest.Wait()
			most = max(most, c.Live())
		}
		for range 2 {
			for _, id := range ids {
				view, err := c.View(t.Context(), id)
				if err != nil || view.State.ID() != id {
					t.Fatalf("%s: %v", id, err)
				}
				time.Sleep(time.Millisecond)
				c.view() // one organization is in use, and was read last
				synctest.Wait()
				most = max(most, c.Live())
			}
		}
		if most > limit+roomForWork {
			t.Errorf("%d organizations were in memory", most)
		}
		scans := c.store.scanned()
		c.view()
		if c.store.scanned() != scans {
			t.Error("the organization in use had left memory")
		}
		c.must(c.issue(c.ada, 1))
	})
}

// TestEvictionRefusesNothing uses more organizations than the limit at the same time, so that they end and start while messages arrive. A
// request to end one of them may arrive after it has been started again.
func TestEvictionRefusesNothing(t *testing.T) {
	t.Parallel()
	c := setup(t, func(s *actors.Settings) { s.MostLive = 4 })
	ids := make([]organization.ID, 32)
	for i := range ids {
		ids[i] = c.newID()
		c.must(c.create(ids[i]))
	}
	var everybody sync.WaitGroup
	for range 16 {
		everybody.Go(func() {
			for range 60 {
				change := c.command(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Ada Lovelace"}})
				change.Organization = ids[rand.IntN(len(ids))]
				if _, err := c.Do(context.Background(), change); err != nil {
					t.Errorf("a change was refused: %v", err)
				}
			}
		})
	}
	everybody.Wait()
}

// roomForWork is the number of organizations above the limit that may be in memory while they finish their work.
const roomForWork = 3

func TestPassivationAfterClockSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		ahead.Store(int64(1000 * time.Hour))
		c := setup(t, patient(time.Second), func(s *actors.Settings) {
			s.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())).Round(0) } // strips the monotonic reading
		})
		c.view()
		ahead.Store(0)
		time.Sleep(5 * time.Second)
		if live := c.Live(); live != 0 {
			t.Errorf("%d organizations are live: they wait for the clock to come back", live)
		}
	})
}

func TestPassivationLosesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setupOn(t, newMemory(t, func() time.Duration { return rand.N(2 * time.Millisecond) }), patient(time.Millisecond))
		founding, scans := c.store.head(c.id), c.store.scanned()
		const callers, each = 4, 80
		var everybody sync.WaitGroup
		for range callers {
			everybody.Go(func() {
				for i := range each {
					a := <-c.ask(c.issue(c.ada, 1))
					if a.err != nil {
						t.Errorf("command %d: %v after %v", i, a.err, a.took)
					}
					if view := c.view(); view.Sequence < a.Sequence {
						t.Errorf("a read of sequence %d behind the write of %d", view.Sequence, a.Sequence)
					}
					time.Sleep(rand.N(6 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
		if stored := c.store.head(c.id) - founding; stored != callers*each {
			t.Errorf("%d commands were stored; want %d", stored, callers*each)
		}
		if revivals := c.store.scanned() - scans; revivals < 20 {
			t.Errorf("it came to life %d times only: this was no storm", revivals)
		}
	})
}

func TestPassivationInTheVeryMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const callers, rounds, period = 32, 60, 8 * time.Millisecond
		begin := time.Now().Add(2 * period)
		// The idle check and the next round are due at the same time. Their order is
		// random, because time does not advance meanwhile.
		c := setupOn(t, newMemory(t, after(time.Millisecond)), patient(period), every(100))
		founding, scans := c.store.head(c.id), c.store.scanned()
		var everybody sync.WaitGroup
		for range callers {
			everybody.Go(func() {
				for round := range rounds {
					time.Sleep(time.Until(begin.Add(time.Duration(round) * period)))
					for range round%20*20 + rand.IntN(30) {
						runtime.Gosched()
					}
					if a := <-c.ask(c.issue(c.ada, 1)); a.err != nil {
						t.Errorf("round %d: %v after %v", round, a.err, a.took)
					}
				}
			})
		}
		everybody.Wait()
		if stored := c.store.head(c.id) - founding; stored != callers*rounds {
			t.Errorf("%d commands were stored; want %d", stored, callers*rounds)
		}
		t.Logf("it came to life %d times", c.store.scanned()-scans) // the order depends on the scheduler
	})
}

func TestFarewellSnapshot(t *testing.T) {
	t.Parallel()
	seed := func(c *company, events int) {
		var everybody sync.WaitGroup
		for range events {
			everybody.Go(func() { c.must(c.issue(c.ada, 1)) })
		}
		everybody.Wait()
	}
	many := func(s *actors.Settings) { s.SnapshotEvery, s.PassivateAfter = 1<<40, time.Minute }
	t.Run("a snapshot of a grown organization is taken before it leaves memory", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, many)
			seed(c, 1000)
			head := c.store.head(c.id)
			time.Sleep(2*time.Minute + time.Second)
			if saved := c.store.saved(c.id); c.Live() != 0 || !slices.Equal(saved, []uint64{head}) {
				t.Errorf("%d are live, snapshots of %v; want none, and one of %d", c.Live(), saved, head)
			}
			same(t, c.view().State, c.store.replay(c.id))
			time.Sleep(3 * time.Minute)
			if saved := c.store.saved(c.id); len(saved) != 1 {
				t.Errorf("snapshots of %v: the state had not changed since the first", saved)
			}
		})
	})
	t.Run("a passivation takes no snapshot for a few events", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, many)
			seed(c, 900)
			time.Sleep(3 * time.Minute)
			if saved := c.store.saved(c.id); len(saved) != 0 || c.Live() != 0 {
				t.Errorf("%d are live, snapshots of %v", c.Live(), saved)
			}
		})
	})
	t.Run("a failed snapshot does not keep the organization in memory", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, many)
			seed(c, 1000)
			c.store.whileSaving(func(context.Context) error { return errors.New("no room") })
			time.Sleep(3 * time.Minute)
			if live := c.Live(); live != 0 {
				t.Errorf("%d organizations are live", live)
			}
		})
	})
	t.Run("commands are served while a snapshot is taken", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t, many)
			seed(c, 1000)
			gate := make(chan struct{})
			c.store.whileSaving(func(context.Context) error { <-gate; return nil })
			time.Sleep(2 * time.Minute)
			c.must(c.issue(c.ada, 1)) // it is no longer idle
			close(gate)
			synctest.Wait()
			if live := c.Live(); live != 1 {
				t.Errorf("%d organizations are live though it was just used", live)
			}
		})
	})
}
