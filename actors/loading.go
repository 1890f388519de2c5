package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// load is an organization coming to life in the background.
type load struct{ cancel context.CancelFunc }

// loaded brings the actor what was read, or why it could not be.
type loaded struct {
	of    *organizationActor
	state *organization.State
	head  head
	keys  *keys
	snap  uint64
	err   error
}

func (o *organizationActor) start(c actor.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	o.loading = &load{cancel}
	o.active = o.shared.settings.Now()
	self, root := c.Self(), c.ActorSystem().Root
	go func() { // ends with its context, at the latest when the actor does
		m := o.shared.load(ctx, o.id)
		m.of = o
		root.Send(self, m)
	}()
}

func (o *organizationActor) loaded(c actor.Context, m *loaded) {
	if m.of != o {
		return // for the actor before a restart
	}
	o.loading.cancel()
	o.loading = nil
	queued := o.queued
	o.queued = nil
	if m.err != nil {
		for _, e := range queued {
			c.Send(e.sender, &messages.Reply{Err: messages.ErrUnavailable})
		}
		panic(restart{m.err})
	}
	o.state, o.head, o.keys, o.snaps = m.state, m.head, m.keys, snapshotter{last: m.snap}
	o.shared.views.publish(o.id, &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at})
	o.watch(c)
	for _, e := range queued {
		o.enter(c, e)
	}
}

// end lets go of what outlives a message.
func (o *organizationActor) end() {
	if o.loading != nil {
		o.loading.cancel()
	}
	if o.tick != nil {
		o.tick.Stop()
	}
	// The library may hold on to an actor that has ended; it shall be a shell.
	o.state, o.keys, o.batch = nil, nil, newBatch(o.id)
}

// load reads an organization from its latest snapshot and the journal behind it.
func (s *shared) load(ctx context.Context, id organization.ID) *loaded {
	m := &loaded{keys: newKeys()}
	m.state, m.head, m.snap, m.err = s.stateAt(ctx, id, 0)
	if m.err != nil {
		return m
	}
	since := s.settings.Now().Add(-s.settings.RememberKeys)
	m.err = s.journal.Keys(ctx, id, since, func(key, fingerprint string, sequence uint64) error {
		m.keys.add(key, fingerprint, sequence, s.settings.Now())
		return nil
	})
	return m
}

// watch looks again after a while whether the organization is idle.
func (o *organizationActor) watch(c actor.Context) {
	self, root := c.Self(), c.ActorSystem().Root
	o.tick = time.AfterFunc(o.shared.settings.PassivateAfter, func() { root.Send(self, &idleCheck{of: o}) })
}

// idle asks the supervisor to end the actor when nobody wrote or read for long.
func (o *organizationActor) idle(c actor.Context, m *idleCheck) {
	if m.of != o || o.loading != nil {
		return
	}
	now := o.shared.settings.Now()
	o.keys.forget(now.Add(-o.shared.settings.RememberKeys))
	last := o.active
	if read := o.shared.views.lastRead(o.id); read.After(last) {
		last = read
	}
	if o.flight == nil && o.batch.empty() && now.Sub(last) >= o.shared.settings.PassivateAfter {
		c.Send(c.Parent(), &passivate{o.id})
		return
	}
	o.watch(c)
}
