package actors_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

func TestFence(t *testing.T) {
	t.Parallel()
	t.Run("two servers over one journal never both win, and never overwrite", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setupOn(t, newMemory(t, func() time.Duration { return rand.N(3 * time.Millisecond) }))
			founding := c.store.head(c.id)
			servers := []*actors.Organizations{c.Organizations, c.another()}
			acknowledged := make(chan uint64, 1<<12)
			var everybody sync.WaitGroup
			for caller := range 16 {
				everybody.Go(func() {
					for range 30 {
						command := c.issue(c.ada, 1)
						reply, err := servers[caller%2].Do(context.Background(), command)
						if err != nil {
							refused(t, err, messages.ErrUnavailable.Code) // the fence proves that nothing was stored
							time.Sleep(rand.N(100 * time.Millisecond))
							continue
						}
						acknowledged <- reply.Sequence
						if head := c.store.head(c.id); head < reply.Sequence {
							t.Errorf("sequence %d was acknowledged when the journal ended at %d", reply.Sequence, head)
						}
					}
				})
			}
			everybody.Wait()
			close(acknowledged)
			unique := map[uint64]bool{}
			for sequence := range acknowledged {
				if unique[sequence] {
					t.Errorf("sequence %d was acknowledged twice", sequence)
				}
				unique[sequence] = true
			}
			if stored := c.store.head(c.id) - founding; stored != uint64(len(unique)) || stored == 0 {
				t.Errorf("%d were acknowledged, and the journal has %d", len(unique), stored)
			}
		})
	})
	t.Run("a fenced server continues from the rows of the other", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			c.view()
			other := c.another()
			if _, err := other.Do(context.Background(), keyed(c.issue(c.bob, 3), "k", "")); err != nil {
				t.Fatal(err)
			}
			if got := held(c.view().State, c.bob); got != "0" {
				t.Errorf("Bob holds %s before this server has read the new rows", got)
			}
			_, err := c.do(c.issue(c.ada, 1))
			refused(t, err, messages.ErrUnavailable.Code)
			began := time.Now()
			c.must(c.issue(c.ada, 1))
			if took := time.Since(began); took >= 50*time.Millisecond {
				t.Errorf("the restart took %v, as if it had a back-off", took)
			}
			if n := c.Stats(); n.Restarts != 0 || n.Reloads != 1 {
				t.Errorf("%d restarts after failures and %d reloads; want only one reload", n.Restarts, n.Reloads)
			}
			if got := held(c.view().State, c.bob); got != "3" {
				t.Errorf("Bob holds %s after the reload; want 3", got)
			}
			if reply := c.must(keyed(c.issue(c.bob, 3), "k", "")); !reply.Replayed {
				t.Error("the key that the other server had seen was used a second time")
			}
		})
	})
	t.Run("a late append of an actor that was given up does no harm", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			release := make(chan struct{})
			c.store.meet(hang(release))
			late := c.asked(c.issue(c.bob, 7))
			stopped := c.Organizations
			c.stop(stopped) // stops waiting for the append after Patience
			refused(t, (<-late).err, messages.ErrOutcomeUnknown.Code)
			c.start()
			c.must(c.issue(c.ada, 1))
			close(release) // its sequence is used by now
			c.must(c.issue(c.ada, 1))
			if ada, bob := held(c.view().State, c.ada), held(c.view().State, c.bob); ada != "2" || bob != "0" {
				t.Errorf("Ada holds %s and Bob %s; want 2 and 0", ada, bob)
			}
		})
	})
	t.Run("a key that the other stored during a load is not acknowledged before its row is loaded", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			command, other := keyed(c.issue(c.bob, 3), "k", ""), c.another()
			c.restart()
			c.store.mu.Lock()
			c.store.beforeKeys = func() {
				if _, err := other.Do(context.Background(), command); err != nil {
					t.Error(err)
				}
			}
			c.store.mu.Unlock()
			c.view()
			for range 2 {
				reply, err := c.do(command)
				if err != nil {
					refused(t, err, messages.ErrUnavailable.Code)
					continue
				}
				if view := c.view(); view.Sequence < reply.Sequence {
					t.Errorf("a read after the acknowledgement of %d shows %d", reply.Sequence, view.Sequence)
				}
			}
			if bob := held(c.view().State, c.bob); bob != "3" {
				t.Errorf("Bob holds %s; want 3", bob)
			}
		})
	})
}
