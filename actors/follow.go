package actors

import (
	"context"
	"errors"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// followPause is the time after a revoked or refused read lease without a request for another one. It bounds the changes of the owner that a
// follower delays.
const followPause = 100 * time.Millisecond

// readLease permits a guest to answer reads from memory as of the sequence of the owner.
type readLease struct {
	sequence uint64
	begin    time.Time // of the request
	length   time.Duration
}

// valid reports whether the lease has not ended. The wall clock counts too, because the other one may stand still while a machine is suspended.
func (l *readLease) valid(now time.Time) bool {
	return now.Sub(l.begin) < l.length && now.Round(0).Sub(l.begin.Round(0)) < l.length
}

// follows are the running requests for read leases. Callers share them.
type follows struct {
	mutex   sync.Mutex
	running map[organization.ID]*followRequest
}

func newFollows() *follows { return &follows{running: map[organization.ID]*followRequest{}} }

// followRequest is a running request. Its result is set before done is closed.
type followRequest struct {
	done    chan struct{}
	view    *messages.View
	err     error
	revoked bool // a revocation overtook the answer; guarded by the mutex
}

var errUnfollowed = errors.New("no read lease")

// guestRead returns a view that contains what the owner shows, with a read lease, or without one by the end of the journal.
func (o *Organizations) guestRead(ctx context.Context, id organization.ID) (*messages.View, error) {
	if view := o.followed(id); view != nil {
		return view, nil
	}
	view, err := o.follow(ctx, id)
	if err != nil {
		if view, err = o.guestView(ctx, id); err != nil || view.Sequence == 0 {
			return view, err
		}
	}
	return view, o.confirm(ctx, id, view.Sequence)
}

// followed returns the view of an organization of another server if this one has a read lease, or nil.
func (o *Organizations) followed(id organization.ID) *messages.View {
	p := o.shared.views.find(id)
	if p == nil {
		return nil
	}
	view := p.view.Load() // before the lease, so that a revocation after it counts
	lease := p.lease.Load()
	if lease == nil || p.stale.Load() != 0 || view.Sequence < lease.sequence || view.Sequence > p.confirmed.Load() {
		return nil
	}
	now := o.shared.settings.Now()
	if !lease.valid(now) {
		return nil
	}
	p.touch(now)
	return view
}

// follow requests a read lease of the owner, and returns the view with it.
func (o *Organizations) follow(ctx context.Context, id organization.ID) (*messages.View, error) {
	o.follows.mutex.Lock()
	request := o.follows.running[id]
	if request == nil {
		// An organization that is read for the first time is not followed, so that its owner does not load it.
		if p := o.shared.views.find(id); p == nil || p.paused(o.shared.settings.Now()) {
			o.follows.mutex.Unlock()
			return nil, errUnfollowed
		}
		request = &followRequest{done: make(chan struct{})}
		o.follows.running[id] = request
		go o.request(context.WithoutCancel(ctx), id, request) // ends with its own limit
	}
	o.follows.mutex.Unlock()
	select {
	case <-request.done:
		return request.view, request.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// request carries out a request. It ends after the view contains the sequence of the owner, because a revocation can arrive until then.
func (o *Organizations) request(ctx context.Context, id organization.ID, r *followRequest) {
	ctx, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	begin := o.shared.settings.Now()
	sequence, length, err := o.shared.settings.Placement.Follow(ctx, id)
	var view *messages.View
	if err == nil {
		view, err = o.viewOf(ctx, id, sequence)
	}
	o.follows.mutex.Lock()
	defer o.follows.mutex.Unlock()
	delete(o.follows.running, id)
	p := o.shared.views.find(id)
	switch {
	case err == nil && r.revoked:
		err = errUnfollowed
	case err == nil && p != nil:
		p.confirm(sequence)
		p.lease.Store(&readLease{sequence, begin, length})
	}
	if err != nil && p != nil {
		p.pause(o.shared.settings.Now().Add(followPause))
	}
	if r.err = err; err == nil {
		r.view = view
	}
	close(r.done)
}

// Revoke ends a read lease of this server, because its owner is about to show a later change.
func (o *Organizations) Revoke(id organization.ID) {
	o.follows.mutex.Lock()
	defer o.follows.mutex.Unlock()
	if running := o.follows.running[id]; running != nil {
		running.revoked = true
	}
	if p := o.shared.views.find(id); p != nil {
		p.lease.Store(nil)
		p.pause(o.shared.settings.Now().Add(followPause))
	}
}
