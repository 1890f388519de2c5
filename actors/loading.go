package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// load is a running load of an organization.
type load struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when its goroutine is about to end
}

// loaded is the result of a load.
type loaded struct {
	of    *organizationActor
	state *organization.State
	head  head
	keys  *keys
	snap  uint64
	err   error
}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*loaded) IgnoreDeadLetterLogging() {}

func (o *organizationActor) start(c actor.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	o.loading = &load{cancel, make(chan struct{})}
	o.active = o.shared.settings.Now()
	self, root, done := c.Self(), c.ActorSystem().Root, o.loading.done
	go func() { // ends with its context, at the latest with the actor
		defer close(done)
		m := &loaded{of: o}
		m.err = contained(func() error { return o.shared.load(ctx, o.id, m) })
		root.Send(self, m)
	}()
}

func (o *organizationActor) loaded(c actor.Context, m *loaded) {
	if m.of != o {
		return // sent before a restart
	}
	o.loading.cancel()
	o.loading = nil
	if isDamage(m.err) {
		o.suspend(c, m.err)
		return
	}
	if m.err != nil {
		o.shared.views.doubt(o.id, o.active)
		o.refuseQueued(c, messages.ErrUnavailable)
		panic(restart{m.err})
	}
	o.shared.damages.clear(o.id)
	o.state, o.head, o.keys, o.snaps.last = m.state, m.head, m.keys, m.snap
	if o.head.sequence > 0 {
		o.published = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at, Hash: o.head.hash}
		o.shared.views.publish(o.id, o.published)
	}
	o.watch(c)
	for len(o.queued) > 0 { // one by one, so that a panic is attributed to its message and the others remain queued
		e := o.queued[0]
		o.queued, o.held = o.queued[1:], e.sender
		o.enter(c, e)
	}
	o.queued, o.held = nil, nil
}

// end releases the resources of the actor. When the actor stops, its goroutines end
// too, because the caller may close the store next.
func (o *organizationActor) end(stopping bool) {
	if o.loading != nil {
		o.loading.cancel()
	}
	if o.tick != nil {
		o.tick.Stop()
	}
	if stopping {
		o.snaps.abandon()
		o.await(o.snaps.busy)
		if o.loading != nil {
			o.await(o.loading.done)
		}
	}
	// The library may keep a reference to an ended actor, so release its memory.
	o.state, o.keys, o.batch, o.published = nil, nil, newBatch(o.id, nil), nil
}

// await waits until the channel is closed, at most for the patience of a caller.
func (o *organizationActor) await(done <-chan struct{}) {
	if done == nil {
		return
	}
	limit := time.NewTimer(o.shared.settings.Patience)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
	}
}

// keysSince returns the time since which idempotency keys are remembered. If the clock is
// ahead of the journal, it uses the journal's time, so that a clock that jumped
// forward does not expire the keys of the last rows.
func (s *shared) keysSince(now, last time.Time) time.Time {
	if last.Before(now) {
		now = last
	}
	return now.Add(-s.settings.RememberKeys)
}

// load reads an organization from its latest snapshot and the journal.
func (s *shared) load(ctx context.Context, id organization.ID, m *loaded) (err error) {
	if m.state, m.head, m.snap, err = s.stateAt(ctx, id, 0); err != nil {
		return err
	}
	m.keys = newKeys()
	now := s.settings.Now()
	return s.journal.Keys(ctx, id, s.keysSince(now, m.head.at), func(key, fingerprint string, sequence uint64) error {
		m.keys.add(key, fingerprint, sequence, m.head.at)
		return nil
	})
}
