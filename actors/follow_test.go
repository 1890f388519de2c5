package actors_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/messages"
)

// followTime is the length of a read lease, and mostFollowed is longer.
const (
	followTime   = 241 * time.Millisecond
	mostFollowed = 300 * time.Millisecond
)

// followedPair returns two servers, of which the second one has a read lease.
func followedPair(t *testing.T, changes ...func(*actors.Settings)) *pair {
	t.Helper()
	p := newPair(t, changes...)
	p.sequence(1) // the first read is not followed
	p.sequence(1)
	if followed := p.places[1].followed.Load(); followed != 1 {
		t.Fatalf("%d requests for a read lease", followed)
	}
	return p
}

func TestFollowerAsksItsOwnerOncePerLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		for range 10 {
			p.sequence(1)
		}
		if followed := p.places[1].followed.Load(); followed != 1 {
			t.Errorf("%d requests during a lease", followed)
		}
		time.Sleep(mostFollowed)
		p.sequence(1)
		if followed := p.places[1].followed.Load(); followed != 2 {
			t.Errorf("%d requests after the end of the lease", followed)
		}
	})
}

func TestFollowerShowsAChangeOfItsOwner(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		reply := p.must(p.issue(p.ada, 1))
		if shown, revoked := p.sequence(1), p.places[0].revoked.Load(); shown != reply.Sequence || revoked != 1 {
			t.Errorf("the follower shows %d after %d revocations; want %d", shown, revoked, reply.Sequence)
		}
	})
}

func TestFollowersDoNotDelayTheNextChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		for range 5 {
			p.must(p.issue(p.ada, 1))
			p.sequence(1)
		}
		if revoked := p.places[0].revoked.Load(); revoked != 1 {
			t.Errorf("%d of 5 changes revoked a lease", revoked)
		}
	})
}

// TestUnreachedFollowerDelaysAChangeForItsLease breaks the link from the owner to the follower.
func TestUnreachedFollowerDelaysAChangeForItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		before := p.sequence(1)
		p.places[0].unlinked.Store(true)
		begin := time.Now()
		answer := p.ask(p.issue(p.ada, 1))
		synctest.Wait()
		if guest, owner := p.sequence(1), p.sequence(0); guest != before || owner != before {
			t.Errorf("before the end of the lease, the follower shows %d and the owner %d; want %d", guest, owner, before)
		}
		reply := <-answer
		if took := time.Since(begin); reply.err != nil || took < followTime/2 || took > mostFollowed {
			t.Errorf("the change took %s: %v", took, reply.err)
		}
		if shown := p.sequence(1); shown != reply.Sequence {
			t.Errorf("the follower shows %d; want %d", shown, reply.Sequence)
		}
		followed := p.places[1].followed.Load()
		time.Sleep(mostFollowed)
		p.sequence(1)
		begin = time.Now()
		p.must(p.issue(p.ada, 1))
		if took := time.Since(begin); took > followTime/2 || p.places[1].followed.Load() == followed {
			t.Errorf("a follower that does not answer delayed the next change by %s", took)
		}
	})
}

// TestRevocationOvertakesTheAnswer changes the organization between the grant of a read lease and its arrival.
func TestRevocationOvertakesTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		p.sequence(1)
		var reply messages.Reply
		p.places[1].granted = func() {
			p.places[1].granted = nil
			reply = p.must(p.issue(p.ada, 1))
		}
		for range 2 {
			if shown := p.sequence(1); shown != reply.Sequence {
				t.Errorf("the follower shows %d; want %d", shown, reply.Sequence)
			}
		}
	})
}

// TestOwnerWithoutTheOrganizationInMemoryRevokes appends through another server while the owner has removed the organization from memory.
func TestOwnerWithoutTheOrganizationInMemoryRevokes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t, patient(50*time.Millisecond))
		next := p.sequence(0) + 1
		time.Sleep(150 * time.Millisecond)
		if p.servers[0].Stats().Live != 0 {
			t.Fatal("the organization is in memory")
		}
		if err := p.servers[0].CatchUp(context.Background(), p.id, next); err != nil {
			t.Fatal(err)
		}
		if revoked := p.places[0].revoked.Load(); revoked != 1 {
			t.Errorf("%d revocations", revoked)
		}
	})
}

// TestInterruptedRevocationKeepsTheLease ends the context of a revocation that does not reach the follower, and repeats it.
func TestInterruptedRevocationKeepsTheLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		p := followedPair(t, patient(50*time.Millisecond))
		next, followed := p.sequence(0)+1, time.Since(begin)
		time.Sleep(150 * time.Millisecond)
		p.places[0].unlinked.Store(true)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		if err := p.servers[0].CatchUp(ctx, p.id, next); err == nil {
			t.Fatal("the owner confirms a change before the end of the lease")
		}
		if err := p.servers[0].CatchUp(context.Background(), p.id, next); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin) - followed; took < followTime-50*time.Millisecond {
			t.Errorf("the owner confirmed the change %s after the grant of the lease", took)
		}
	})
}

func TestHandoverRevokesReadLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		p.move(0, 1)
		if revoked := p.places[0].revoked.Load(); revoked != 1 {
			t.Errorf("%d revocations", revoked)
		}
	})
}

func TestStopRevokesReadLeases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := followedPair(t)
		p.stop(p.servers[0])
		if revoked := p.places[0].revoked.Load(); revoked != 1 {
			t.Errorf("%d revocations", revoked)
		}
	})
}

func TestGuestGrantsNoReadLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t)
		_, _, err := p.servers[1].Grant(context.Background(), p.id, "a third one")
		refused(t, err, messages.ErrUnavailable.Code)
	})
}
