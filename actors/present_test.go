package actors_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// group are several servers over one journal. Each serves the company.
type group struct {
	*company
	servers []*actors.Organizations
}

// newGroup starts two servers.
func newGroup(t *testing.T, changes ...func(*actors.Settings)) *group {
	t.Helper()
	return newGroupOn(t, newMemory(t, after(latency)), changes...)
}

func newGroupOn(t *testing.T, store *memory, changes ...func(*actors.Settings)) *group {
	t.Helper()
	g := &group{company: setupOn(t, store, append(changes, func(s *actors.Settings) { s.Shared = true })...)}
	g.servers = []*actors.Organizations{g.Organizations, g.another()}
	return g
}

// sequence returns the sequence that a server shows.
func (g *group) sequence(server int) uint64 {
	g.Helper()
	view, err := g.servers[server].View(context.Background(), g.id)
	if err != nil {
		g.Fatal(err)
	}
	return view.Sequence
}

// at executes a command at a server.
func (g *group) at(server int, command messages.Command) messages.Reply {
	g.Helper()
	reply, err := g.servers[server].Do(context.Background(), command)
	if err != nil {
		g.Fatal(err)
	}
	return reply
}

func TestEachServerShowsEachAcknowledgedChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		for i := range 10 {
			reply := g.at(i%2, g.issue(g.ada, 1))
			if shown := g.sequence(1 - i%2); shown != reply.Sequence {
				t.Errorf("the other server shows %d after %d was acknowledged", shown, reply.Sequence)
			}
		}
		view, err := g.servers[0].View(context.Background(), g.id)
		if err != nil || held(view.State, g.ada) != "10" {
			t.Errorf("Ada holds %s: %v", held(view.State, g.ada), err)
		}
		if n := g.servers[1].Stats(); n.Restarts+n.Reloads != 0 {
			t.Errorf("%d restarts and %d collisions of writes that follow reads", n.Restarts, n.Reloads)
		}
	})
}

// TestReadersFollowABusyServer reads at one server while rows are appended at the other.
func TestReadersFollowABusyServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		var everybody sync.WaitGroup
		var latest atomic.Int64
		everybody.Go(func() {
			for range 200 {
				latest.Store(int64(g.at(0, g.issue(g.ada, 1)).Sequence))
			}
		})
		for range 8 {
			everybody.Go(func() {
				for range 100 {
					least := uint64(latest.Load())
					if shown := g.sequence(1); shown < least {
						t.Errorf("a server shows %d after %d was acknowledged", shown, least)
					}
					time.Sleep(rand.N(10 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
	})
}

// TestReadWaitsForTheAppendThatContainsItsRows reads rows that are in the journal before their server has learned of it.
func TestReadWaitsForTheAppendThatContainsItsRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		before := g.sequence(0)
		report := make(chan struct{})
		g.store.meet(reportLate(report))
		answer := g.ask(g.issue(g.ada, 1))
		time.Sleep(50 * time.Millisecond) // until the row is in the journal
		if shown := g.sequence(1); shown != before+1 {
			t.Errorf("the other server shows %d; want %d", shown, before+1)
		}
		time.AfterFunc(100*time.Millisecond, func() { close(report) })
		if shown := g.sequence(0); shown != before+1 {
			t.Errorf("the server shows %d after %d was shown by the other", shown, before+1)
		}
		if n := g.servers[0].Stats(); n.Restarts+n.Reloads != 0 {
			t.Errorf("the server loaded the company %d times", n.Restarts+n.Reloads)
		}
		<-answer
	})
}

// TestRefusalIsComparedWithTheJournal requests a change that only rows of the other server make possible.
func TestRefusalIsComparedWithTheJournal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		g.at(0, g.issue(g.ada, authorized))
		_, err := g.servers[1].Do(context.Background(), g.issue(g.bob, 1))
		if err == nil {
			t.Fatal("more shares than authorized were issued")
		}
		g.at(0, g.table(captable.AuthorizeShares{
			ID: g.security, Quantity: exact.NewDecimal(authorized), EffectiveDate: exact.DateOf(g.settings.Now()),
		}))
		g.at(1, g.issue(g.bob, 1))
		trial := g.issue(g.bob, authorized)
		trial.DryRun = true
		_, err = g.servers[0].Do(context.Background(), trial)
		if err == nil {
			t.Error("a preview shows a change that the rows of the other server exclude")
		}
	})
}

// TestCollisionIsDecidedAgain writes at a server that does not know the rows of the other one.
func TestCollisionIsDecidedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		g.sequence(1)
		command := keyed(g.issue(g.bob, 3), "k", "")
		g.at(0, command)
		g.at(1, g.issue(g.ada, 1))
		if n := g.servers[1].Stats(); n.Restarts != 0 || n.Reloads != 1 {
			t.Errorf("%d restarts and %d reloads; want one reload", n.Restarts, n.Reloads)
		}
		g.at(0, g.issue(g.ada, 1))
		if reply := g.at(1, command); !reply.Replayed || g.store.confirmed != 1 {
			t.Errorf("the key that the other server has used was used again, or its rows were confirmed %d times", g.store.confirmed)
		}
	})
}

func TestServersWriteAtTheSameTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroupOn(t, newMemory(t, func() time.Duration { return rand.N(3 * time.Millisecond) }))
		g.servers = append(g.servers, g.another())
		before := g.store.head(g.id)
		var latest, answered atomic.Int64
		var everybody sync.WaitGroup
		for caller := range 9 {
			everybody.Go(func() {
				server := caller % 3
				for range 15 {
					least := uint64(latest.Load())
					if shown := g.sequence(server); shown < least {
						t.Errorf("server %d shows %d after %d was acknowledged", server, shown, least)
					}
					reply, err := g.servers[server].Do(context.Background(), g.issue(g.ada, 1))
					if err != nil {
						refused(t, err, messages.ErrUnavailable.Code) // it may lose each race
						continue
					}
					answered.Add(1)
					for seen := latest.Load(); int64(reply.Sequence) > seen && !latest.CompareAndSwap(
						seen, int64(reply.Sequence),
					); seen = latest.Load() {
					}
					time.Sleep(rand.N(100 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
		if stored := g.store.head(g.id) - before; stored != uint64(answered.Load()) || stored < 130 {
			t.Errorf("%d changes are stored, %d of 135 were acknowledged", stored, answered.Load())
		}
	})
}

func TestServerWithoutTheJournalDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t, func(s *actors.Settings) { s.StaleReads = time.Hour })
		g.sequence(0)
		g.store.fail(errDisk)
		_, err := g.servers[0].View(context.Background(), g.id)
		refused(t, err, messages.ErrUnavailable.Code)
		trial := g.issue(g.ada, 1)
		trial.DryRun = true
		_, err = g.servers[0].Do(context.Background(), trial)
		refused(t, err, messages.ErrUnavailable.Code)
		g.store.fail(nil)
		g.sequence(0)
	})
}

// TestBulkIsDecidedAgainAfterRowsOfAnotherServer imports at one server while the other one writes.
func TestBulkIsDecidedAgainAfterRowsOfAnotherServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		before := g.store.head(g.id)
		done := make(chan error, 1)
		release := make(chan struct{})
		g.store.meet(hang(release))
		late := g.ask(g.issue(g.ada, 1)) // holds the append of the bulk back
		synctest.Wait()
		go func() {
			_, err := g.servers[0].Do(context.Background(), g.intake())
			done <- err
		}()
		synctest.Wait()
		g.at(1, g.issue(g.bob, 1))
		close(release)
		if err := errors.Join((<-late).err, <-done); err != nil {
			t.Fatal(err)
		}
		if stored := g.store.head(g.id) - before; stored != bulkRows+2 || g.sequence(1) != before+stored {
			t.Errorf("%d rows are stored; want %d", stored, bulkRows+2)
		}
	})
}

// TestFollowPublishesTheRowsOfAnotherServer informs the receiver of published rows without a read.
func TestFollowPublishesTheRowsOfAnotherServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var published atomic.Uint64
		g := newGroup(t, func(s *actors.Settings) {
			s.Published = func(p messages.Published) { published.Store(p.View.Sequence) }
		})
		before := g.sequence(0)
		g.settings.Published = nil
		other := g.another()
		reply, err := other.Do(context.Background(), g.issue(g.ada, 1))
		if err != nil {
			t.Fatal(err)
		}
		published.Store(0)
		reached := g.servers[0].Follow(context.Background(), map[organization.ID]uint64{g.id: before})
		if reached[g.id] != reply.Sequence || published.Load() != reply.Sequence {
			t.Errorf("%d was reached and %d published; want %d", reached[g.id], published.Load(), reply.Sequence)
		}
		if again := g.servers[0].Follow(context.Background(), map[organization.ID]uint64{g.id: reply.Sequence}); len(again) != 0 {
			t.Errorf("%v was reached without new rows", again)
		}
	})
}

// TestPanicOfASharedOrganizationAnswersItsCaller sends a command whose decision panics.
func TestPanicOfASharedOrganizationAnswersItsCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		guilty := g.asked(g.table(nil))
		if a := <-guilty; a.took >= time.Second {
			t.Errorf("answered after %v; want at once", a.took)
		} else {
			refused(t, a.err, "internal")
		}
		g.at(0, g.issue(g.ada, 1))
	})
}

// TestMissingRowIsDamage reads an organization whose journal has lost its last row.
func TestMissingRowIsDamage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGroup(t)
		g.sequence(1)
		g.at(0, g.issue(g.ada, 1))
		g.store.mu.Lock()
		rows := g.store.rows[g.id]
		g.store.rows[g.id] = rows[:len(rows)-1]
		g.store.mu.Unlock()
		_, err := g.servers[1].View(context.Background(), g.id)
		refused(t, err, messages.ErrUnavailable.Code)
		time.Sleep(time.Second)
		_, err = g.servers[1].View(context.Background(), g.id)
		refused(t, err, messages.ErrDamaged.Code)
		g.store.mu.Lock()
		g.store.rows[g.id] = rows // for the checks of the store
		g.store.mu.Unlock()
	})
}
