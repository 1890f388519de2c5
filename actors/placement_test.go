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
	"equity/messages"
	"equity/organization"
)

// pair are two servers over one journal. One of them owns the company.
type pair struct {
	*company
	servers [2]*actors.Organizations
	places  [2]*place
}

// place is the placement of one server of a pair.
type place struct {
	mu       sync.Mutex
	standing actors.Standing
	changed  chan struct{}
	other    func() *actors.Organizations
	caughtUp atomic.Int64
	followed atomic.Int64
	revoked  atomic.Int64
	wakes    atomic.Int64
	// announced are the notes that were not withdrawn.
	announced atomic.Int64
	unlinked  atomic.Bool
	// granted is called between the grant of a read lease and its answer; nil for no call.
	granted func()
}

func (p *place) Standing(organization.ID) actors.Standing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.standing
}

func (p *place) set(standing actors.Standing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.standing = standing
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *place) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

var errUnlinked = errors.New("the owner is not reached")

func (p *place) CatchUp(ctx context.Context, id organization.ID, sequence uint64) error {
	p.caughtUp.Add(1)
	if p.unlinked.Load() {
		return errUnlinked
	}
	for {
		err := p.other().CatchUp(ctx, id, sequence)
		if err == nil || p.Standing(id) == actors.Owner {
			return nil
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}

func (p *place) Announce(context.Context, organization.ID) (func(), error) {
	p.announced.Add(1)
	return func() { p.announced.Add(-1) }, nil
}

func (*place) Lease() time.Duration { return time.Second }

func (*place) Remaining() time.Duration { return time.Second }

func (p *place) Follow(ctx context.Context, id organization.ID) (sequence uint64, length time.Duration, err error) {
	p.followed.Add(1)
	if p.unlinked.Load() {
		return 0, 0, errUnlinked
	}
	sequence, length, err = p.other().Grant(ctx, id, "the other")
	if p.granted != nil {
		p.granted()
	}
	return sequence, length, err
}

func (p *place) Revoke(_ context.Context, _ string, id organization.ID) error {
	p.revoked.Add(1)
	if p.unlinked.Load() {
		return errUnlinked
	}
	p.other().Revoke(id)
	return nil
}

func (p *place) Wake(id organization.ID, name string) {
	p.wakes.Add(1)
	p.other().WakeOwned(id, name)
}

// newPair starts two servers. The first one owns the company.
func newPair(t *testing.T, changes ...func(*actors.Settings)) *pair {
	t.Helper()
	p := &pair{}
	for i, standing := range []actors.Standing{actors.Owner, actors.Guest} {
		p.places[i] = &place{standing: standing, changed: make(chan struct{}), other: func() *actors.Organizations { return p.servers[1-i] }}
	}
	p.company = setup(t, append(changes, func(s *actors.Settings) { s.Placement = p.places[0] })...)
	p.servers[0] = p.Organizations
	p.settings.Placement = p.places[1]
	p.servers[1] = p.another()
	return p
}

// sequence returns the sequence that a server shows.
func (p *pair) sequence(server int) uint64 {
	p.Helper()
	view, err := p.servers[server].View(context.Background(), p.id)
	if err != nil {
		p.Fatal(err)
	}
	return view.Sequence
}

// move makes the other server the owner, with a handover.
func (p *pair) move(from, to int) {
	p.Helper()
	p.places[from].set(actors.Guest)
	p.places[to].set(actors.Waiting)
	for _, server := range []int{from, to} {
		if err := p.servers[server].Release(context.Background()); err != nil {
			p.Error(err)
		}
	}
	p.places[to].set(actors.Owner)
}

func TestGuestShowsEachAcknowledgedChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		for range 5 {
			reply, err := p.servers[0].Do(context.Background(), p.issue(p.ada, 1))
			if err != nil {
				t.Fatal(err)
			}
			if shown := p.sequence(1); shown != reply.Sequence {
				t.Errorf("the guest shows %d after %d was acknowledged", shown, reply.Sequence)
			}
		}
		view, err := p.servers[1].View(context.Background(), p.id)
		if err != nil || held(view.State, p.ada) != "5" {
			t.Errorf("Ada holds %s: %v", held(view.State, p.ada), err)
		}
	})
}

// TestGuestFollowsABusyOwner reads while rows are appended, so that a load ends before the rows that later readers have seen.
func TestGuestFollowsABusyOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		var everybody sync.WaitGroup
		var latest atomic.Int64
		everybody.Go(func() {
			for range 200 {
				reply, err := p.servers[0].Do(context.Background(), p.issue(p.ada, 1))
				if err != nil {
					t.Error(err)
				}
				latest.Store(int64(reply.Sequence))
			}
		})
		for range 8 {
			everybody.Go(func() {
				for range 100 {
					least := uint64(latest.Load())
					if shown := p.sequence(1); shown < least {
						t.Errorf("the guest shows %d after %d was acknowledged", shown, least)
					}
					time.Sleep(rand.N(10 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
	})
}

// appendUnreported appends a row at the owner. The owner learns of it when release is called.
func (p *pair) appendUnreported() (reply <-chan answer, release func()) {
	p.Helper()
	report := make(chan struct{})
	p.store.meet(reportLate(report))
	reply = p.ask(p.issue(p.ada, 1))
	time.Sleep(50 * time.Millisecond) // until the row is in the journal
	return reply, func() { close(report) }
}

// TestOwnerIsNotOlderThanAnEarlierReadOfAGuest reads rows that are in the journal before their owner has learned of it.
func TestOwnerIsNotOlderThanAnEarlierReadOfAGuest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.sequence(0)
		answer, release := p.appendUnreported()
		time.AfterFunc(100*time.Millisecond, release)
		if shown, owner := p.sequence(1), p.sequence(0); shown != before+1 || owner != shown {
			t.Errorf("the guest shows %d, and then the owner %d; want %d", shown, owner, before+1)
		}
		if n := p.servers[0].Stats(); n.Restarts+n.Reloads != 0 {
			t.Errorf("the owner restarted %d times", n.Restarts+n.Reloads)
		}
		<-answer
	})
}

// TestOwnerWhoseAppendHangsDoesNotAnswer reads at a guest after the time of a lease, and then at the owner, which has not learned of the rows.
func TestOwnerWhoseAppendHangsDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.sequence(0)
		p.places[1].unlinked.Store(true)
		answer, release := p.appendUnreported()
		if shown := p.sequence(0); shown != before {
			t.Errorf("the owner shows %d before it has learned of the row", shown)
		}
		if shown := p.sequence(1); shown != before+1 {
			t.Errorf("the guest shows %d", shown)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := p.servers[0].View(ctx, p.id)
		refused(t, err, messages.ErrUnavailable.Code)
		release()
		<-answer
		if shown := p.sequence(0); shown != before+1 {
			t.Errorf("the owner shows %d after the append", shown)
		}
	})
}

func TestGuestReadsWithoutItsOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.places[1].unlinked.Store(true)
		reply := p.must(p.issue(p.ada, 1))
		begin := time.Now()
		for range 3 {
			if shown := p.sequence(1); shown != reply.Sequence {
				t.Errorf("the guest shows %d; want %d", shown, reply.Sequence)
			}
		}
		if took := time.Since(begin); took < time.Second || took > 2*time.Second {
			t.Errorf("the first read waited %s; want the time of a lease", took)
		}
		if asked := p.places[1].caughtUp.Load(); asked != 1 {
			t.Errorf("an owner that does not answer was asked %d times", asked)
		}
		p.must(p.issue(p.ada, 1))
		p.places[1].unlinked.Store(false)
		time.Sleep(5 * time.Second)
		p.sequence(1)
		p.sequence(1)
		if asked, followed := p.places[1].caughtUp.Load(), p.places[1].followed.Load(); asked != 1 || followed != 2 {
			t.Errorf("the owner was asked %d times for a confirmation, and %d times for a read lease; want 1 and 2", asked, followed)
		}
	})
}

// TestOwnerLearnsOfTheRowsOfAGuest appends at a guest whose link to the owner is broken.
func TestOwnerLearnsOfTheRowsOfAGuest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.sequence(0)
		if _, err := p.servers[1].Do(context.Background(), p.issue(p.ada, 1)); err != nil || p.places[1].announced.Load() != 0 {
			t.Errorf("%d notes after a confirmed change: %v", p.places[1].announced.Load(), err)
		}
		p.places[1].unlinked.Store(true)
		_, err := p.servers[1].Do(context.Background(), p.issue(p.ada, 1))
		refused(t, err, messages.ErrOutcomeUnknown.Code)
		if notes := p.places[1].announced.Load(); notes != 1 {
			t.Errorf("%d notes after a change that was not confirmed", notes)
		}
		if shown := p.sequence(0); shown != before+1 {
			t.Errorf("the owner shows %d before it has learned of the row", shown)
		}
		p.servers[0].Learn(p.id, before+2)
		if shown := p.sequence(0); shown != before+2 {
			t.Errorf("the owner shows %d after it has learned of %d", shown, before+2)
		}
	})
}

// TestGuestWithoutItsOwnerIsNotAheadOfIt reads shortly after the owner did not answer.
func TestGuestWithoutItsOwnerIsNotAheadOfIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.places[1].unlinked.Store(true)
		p.must(p.issue(p.ada, 1))
		before := p.sequence(1)
		answer, release := p.appendUnreported()
		time.AfterFunc(300*time.Millisecond, release)
		if guest, owner := p.sequence(1), p.sequence(0); guest != before+1 || owner < guest {
			t.Errorf("the guest shows %d, and then the owner %d; want %d", guest, owner, before+1)
		}
		<-answer
	})
}

// TestWakeIsPassedOnOnce wakes a consumer while each server takes the other one for the owner.
func TestWakeIsPassedOnOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.places[0].set(actors.Guest)
		p.servers[0].Wake(p.id, "mail")
		synctest.Wait()
		if first, second := p.places[0].wakes.Load(), p.places[1].wakes.Load(); first != 1 || second != 0 {
			t.Errorf("the servers passed it on %d and %d times", first, second)
		}
	})
}

func TestConfirmationDoesNotLoadAnOrganization(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.places[0].set(actors.Guest) // ends the organization that has been loaded
		if err := p.servers[0].Release(context.Background()); err != nil {
			t.Fatal(err)
		}
		p.places[0].set(actors.Owner)
		p.sequence(1)
		if live := p.servers[0].Live(); live != 0 {
			t.Errorf("the owner loaded %d organizations", live)
		}
	})
}

func TestOwnerShowsEachChangeOfAGuest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		for range 5 {
			reply, err := p.servers[1].Do(context.Background(), p.issue(p.bob, 1))
			if err != nil {
				t.Fatal(err)
			}
			if shown := p.sequence(0); shown != reply.Sequence {
				t.Errorf("the owner shows %d after %d was acknowledged", shown, reply.Sequence)
			}
		}
		if _, err := p.servers[0].Do(context.Background(), p.issue(p.ada, 1)); err != nil {
			t.Error(err)
		}
	})
}

func TestOwnerAndGuestWriteAtTheSameTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.store.head(p.id)
		var latest, answered atomic.Int64
		var everybody sync.WaitGroup
		for caller := range 8 {
			everybody.Go(func() {
				for range 10 {
					least := uint64(latest.Load())
					if shown := p.sequence(caller % 2); shown < least {
						t.Errorf("server %d shows %d after %d was acknowledged", caller%2, shown, least)
					}
					reply, err := p.servers[caller%2].Do(context.Background(), p.issue(p.ada, 1))
					if err != nil {
						refused(t, err, messages.ErrUnavailable.Code) // a guest may lose each race
						continue
					}
					answered.Add(1)
					for seen := latest.Load(); int64(reply.Sequence) > seen && !latest.CompareAndSwap(seen, int64(reply.Sequence)); seen = latest.Load() {
					}
					time.Sleep(rand.N(100 * time.Millisecond))
				}
			})
		}
		everybody.Wait()
		if stored := p.store.head(p.id) - before; stored != uint64(answered.Load()) || stored < 60 {
			t.Errorf("%d changes are stored, %d were acknowledged", stored, answered.Load())
		}
	})
}

func TestMoveLosesNoChangeAndNoCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		before := p.store.head(p.id)
		var latest atomic.Int64
		var everybody sync.WaitGroup
		done := make(chan struct{})
		everybody.Go(func() {
			for turn := 0; ; turn++ {
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
				}
				p.move(turn%2, 1-turn%2)
			}
		})
		var writers sync.WaitGroup
		for caller := range 4 {
			writers.Go(func() {
				for range 25 {
					reply, err := p.servers[caller%2].Do(context.Background(), p.issue(p.ada, 1))
					if err != nil {
						t.Errorf("a change during a move: %v", err)
						return
					}
					for seen := latest.Load(); int64(reply.Sequence) > seen && !latest.CompareAndSwap(seen, int64(reply.Sequence)); seen = latest.Load() {
					}
					least := uint64(latest.Load())
					if shown := p.sequence(1 - caller%2); shown < least {
						t.Errorf("after a move a server shows %d, and %d was acknowledged", shown, least)
					}
				}
			})
		}
		writers.Wait()
		close(done)
		everybody.Wait()
		if stored := p.store.head(p.id) - before; stored != 100 {
			t.Errorf("%d changes are stored; want 100", stored)
		}
	})
}

func TestServerWithoutALeaseDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.sequence(0)
		p.places[0].set(actors.Unleased)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := p.servers[0].View(ctx, p.id)
		refused(t, err, messages.ErrUnavailable.Code)
		_, err = p.servers[0].Do(ctx, p.issue(p.ada, 1))
		refused(t, err, messages.ErrUnavailable.Code)
		time.AfterFunc(time.Second, func() { p.places[0].set(actors.Owner) })
		p.sequence(0) // waits for the lease
	})
}

func TestAppendAfterTheLeaseIsAcknowledgedByTheNextOwner(t *testing.T) {
	t.Parallel()
	for _, reached := range []bool{true, false} {
		t.Run(map[bool]string{true: "that is reached", false: "that is not reached"}[reached], func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t)
				p.places[0].unlinked.Store(!reached)
				release := make(chan struct{})
				p.store.meet(hang(release))
				answer := make(chan error, 1)
				go func() {
					_, err := p.servers[0].Do(context.Background(), p.issue(p.ada, 1))
					answer <- err
				}()
				synctest.Wait() // the append is on its way
				p.places[0].set(actors.Guest)
				p.places[1].set(actors.Owner)
				shown := p.sequence(1)
				close(release)
				err := <-answer
				if reached && (err != nil || p.sequence(1) != shown+1) {
					t.Errorf("the next owner shows %d after the acknowledgment; before it showed %d: %v", p.sequence(1), shown, err)
				}
				if !reached {
					refused(t, err, messages.ErrOutcomeUnknown.Code)
				}
			})
		})
	}
}
