package actors_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func TestManyCallers(t *testing.T) {
	t.Parallel()
	const callers, each = 32, 25
	synctest.Test(t, func(t *testing.T) {
		c := setupOn(t, newMemory(t, func() time.Duration { return rand.N(5 * time.Millisecond) }))
		before := c.store.head(c.id)
		sequences := make(chan uint64, callers*each)
		var everybody sync.WaitGroup
		for caller := range callers {
			everybody.Go(func() {
				last := uint64(0)
				for range each {
					reply := c.must(c.issue([]captable.EntityID{c.ada, c.bob}[caller%2], 1))
					if reply.Sequence <= last {
						t.Errorf("caller %d got sequence %d after %d", caller, reply.Sequence, last)
					}
					if last = reply.Sequence; c.view().Sequence < last {
						t.Errorf("caller %d does not read its own write of sequence %d", caller, last)
					}
					sequences <- last
				}
			})
		}
		everybody.Wait()
		close(sequences)
		seen := make([]uint64, 0, callers*each)
		for sequence := range sequences {
			seen = append(seen, sequence)
		}
		slices.Sort(seen)
		for i, sequence := range seen {
			if sequence != before+uint64(i)+1 {
				t.Fatalf("answer %d has sequence %d; want every one once, from %d on", i, sequence, before+1)
			}
		}
		if got := c.store.head(c.id); got != before+callers*each {
			t.Errorf("the journal ends at %d", got)
		}
		same(t, c.view().State, c.store.replay(c.id))
	})
}

func TestBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		alone := len(c.store.appends())
		first := c.asked(c.issue(c.ada, 1))
		answers := make([]<-chan answer, 40)
		for i := range answers {
			answers[i] = c.asked(c.issue(c.bob, 1))
			if flights := c.store.flights(c.id); flights != 1 {
				t.Fatalf("%d appends are in flight; want one at a time", flights)
			}
		}
		if a := <-first; a.err != nil || a.took != latency {
			t.Errorf("the first was answered after %v with %v", a.took, a.err)
		}
		for i, answered := range answers {
			if a := <-answered; a.err != nil || a.took != 2*latency || a.Sequence != c.store.head(c.id)-uint64(len(answers)-i-1) {
				t.Errorf("caller %d received sequence %d after %v, %v", i, a.Sequence, a.took, a.err)
			}
		}
		if sizes := c.store.appends()[alone:]; !slices.Equal(sizes, []int{1, len(answers)}) {
			t.Errorf("the appends had %v events; want the first alone and the rest together", sizes)
		}
	})
}

func TestOneAppendInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setupOn(t, newMemory(t, func() time.Duration { return rand.N(3 * time.Millisecond) }))
		var everybody sync.WaitGroup
		for range 16 {
			everybody.Go(func() {
				for range 20 {
					c.must(c.issue(c.ada, 1))
					if flights := c.store.flights(c.id); flights > 1 {
						t.Errorf("%d appends are in flight", flights)
					}
					time.Sleep(rand.N(2 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
	})
}

func TestBatching(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		before := c.Stats()
		var everybody sync.WaitGroup
		for range 16 {
			everybody.Go(func() {
				for range 30 {
					c.must(c.issue(c.ada, 1))
				}
			})
		}
		everybody.Wait()
		now := c.Stats()
		if events, appends := now.Events-before.Events, now.Appends-before.Appends; events < 4*appends {
			t.Errorf("%d events in %d appends: 16 concurrent callers do not share appends", events, appends)
		}
	})
}

func TestOrganizationsDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		release := make(chan struct{})
		c.store.meet(hang(release))
		stuck := c.asked(c.issue(c.ada, 1))
		other := c.newID()
		c.must(c.create(other))
		if view, err := c.View(context.Background(), other); err != nil || view.Sequence != 2 {
			t.Errorf("the other organization's view: %v, %v", view, err)
		}
		close(release)
		if a := <-stuck; a.err != nil {
			t.Error(a.err)
		}
	})
}

func TestViewsShowWhatIsDurable(t *testing.T) {
	t.Parallel()
	for name, met := range map[string]failure{"refused": refuse, "lost": lose} {
		t.Run("an append that is "+name+" is never seen", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setup(t)
				c.must(c.issue(c.ada, 5))
				c.store.meet(met)
				pending := c.asked(c.issue(c.ada, 7)) // decided and applied, but not yet stored
				if got := held(c.view().State, c.ada); got != "5" {
					t.Errorf("a read sees %s shares while 7 are not stored; want 5", got)
				}
				if a := <-pending; a.err == nil {
					t.Error("the append failed and its caller received a success")
				}
				if got := held(c.view().State, c.ada); got != "5" {
					t.Errorf("a read sees %s shares after the append failed; want 5", got)
				}
				c.must(c.issue(c.ada, 1))
				if got := held(c.view().State, c.ada); got != "6" {
					t.Errorf("a read sees %s shares; want 6", got)
				}
			})
		})
	}
	t.Run("a view never changes", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c := setup(t)
			view := c.view()
			before := view.State.Snapshot()
			for range 200 {
				c.must(c.issue(c.ada, 1))
			}
			if string(view.State.Snapshot()) != string(before) {
				t.Error("a view that was handed out has changed")
			}
		})
	})
}

func TestClockSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var back atomic.Int64
		c := setup(t, func(s *actors.Settings) {
			s.Now = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
		})
		before := c.view().RecordedAt
		back.Store(int64(48 * time.Hour))
		c.must(c.command(organization.Amend{Patch: []byte(`{"name":"Acme Ltd"}`)}))
		if now := c.view().RecordedAt; now.Before(before) {
			t.Errorf("recorded at %s, after %s", now, before)
		}
		c.restart()
		c.must(c.command(organization.Amend{Patch: []byte(`{"name":"Acme Inc"}`)})) // the final verification checks the rest
	})
}

func TestBackPressure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, func(s *actors.Settings) { s.Patience = time.Hour })
		release := make(chan struct{})
		c.store.meet(hang(release))
		first := c.asked(c.issue(c.ada, 1))
		const most, beyond = 16384, 50
		answers := make(chan answer, most+beyond)
		for i := range most + beyond {
			command := c.issue(c.bob, 1)
			if i%2 == 0 {
				command = c.issue(c.bob, authorized*2) // a refusal waits too
			}
			go func() {
				reply, err := c.do(command)
				answers <- answer{Reply: reply, err: err}
			}()
		}
		synctest.Wait()
		if turned := len(answers); turned < beyond {
			t.Errorf("%d callers were turned away while the store hung; want at least %d", turned, beyond)
		}
		for range len(answers) {
			refused(t, (<-answers).err, messages.ErrUnavailable.Code)
		}
		close(release)
		if a := <-first; a.err != nil {
			t.Error(a.err)
		}
	})
}

func TestMultipleEventsOfOneCommand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t)
		id := c.newID()
		reply := c.must(c.create(id))
		kinds := fmt.Sprint(reply.Sequence, len(reply.Events), " ", reply.Events[0].EventType(), " ", reply.Events[1].EventType())
		if kinds != "2 2 organizationCreated memberAdded" {
			t.Errorf("the founding gave %s", kinds)
		}
	})
}
