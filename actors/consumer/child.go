package consumer

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// The times of an instance.
const (
	// roundTime bounds one call of a consumer. It ends before the lease of the alarm.
	roundTime = time.Minute
	// lingerTime is the time for which an instance without work waits for the next batch. It spares a start for each batch.
	lingerTime = time.Second
	// stayTime bounds the wait for an alarm during which an instance stays in memory.
	stayTime = time.Minute
	// stopTime bounds the wait for a call after the end of its context.
	stopTime = 10 * time.Second
	// mostRows bounds the rows of published batches in memory. Beyond it, the instance reads the journal.
	mostRows = 4096
)

// The messages of the organization to an instance.
type (
	// Published is a durable batch of the organization.
	Published struct {
		// Base is the state before the batch, for the receiver to change; nil if the consumer needs no states or has it.
		Base *organization.State
		Rows []messages.Row
		View *messages.View
	}
	// Wake reports that the alarm of the instance is due.
	Wake struct{ View *messages.View }
	// Granted answers Finished: the instance may remove its alarm. Later wanted events are stored with an alarm of their own.
	Granted struct{}
)

// The messages of an instance to the organization.
type (
	// Finished requests the permission to remove the alarm. Cursor is the last handled event, Seen the number of received
	// messages.
	Finished struct {
		Name         string
		Cursor, Seen uint64
	}
	// Resting reports that the instance can end. A Blocked one waits for its alarm, and needs no batches until then. If it has to
	// wait only briefly, it stays, because it keeps the state of the organization as of its cursor. Woken is the number of
	// received alarms.
	Resting struct {
		Name          string
		Seen, Woken   uint64
		Blocked, Stay bool
		// More reports that work has arrived which needs another claim of the alarm.
		More bool
	}
)

// Place is the organization of an instance.
type Place struct {
	Organization organization.ID
	// Shared reports that the instances of several servers take turns: this one ends its lease while it waits.
	Shared bool
	View   *messages.View
	Source Source
}

// child is the actor of one instance of a consumer in one organization.
//
// Ordering: it runs one round at a time, in the order of the journal. Delivery: the cursor is stored after the effect.
// Backpressure: it holds a bounded number of published rows, and reads the journal otherwise.
type child struct {
	served

	rows    int // of hand
	seen    uint64
	wakes   uint64
	dirty   bool // batches arrived during the round
	woken   bool // the alarm became due during the round
	blocked bool
	stop    context.CancelFunc // of the running work; nil without one
	done    chan struct{}
	timer   *time.Timer
}

type (
	// rounded is the result of a round.
	rounded struct {
		of *child
		result
	}
	// cleared reports that the alarm was removed, or that the attempt failed.
	cleared struct{ of *child }
	// lingered reports that no batch arrived for a while.
	lingered struct {
		of   *child
		seen uint64
	}
)

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*rounded) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*cleared) IgnoreDeadLetterLogging() {}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*lingered) IgnoreDeadLetterLogging() {}

// Props returns the properties of the instance with the name, or false if no consumer has it.
func (s *Set) Props(name string, place Place) (*actor.Props, bool) {
	found, instance, ok := s.find(name)
	if !ok {
		return nil, false
	}
	return actor.PropsFromProducer(func() actor.Actor {
		return &child{served: served{
			set: s, consumer: found, place: place, name: name, instance: instance,
			log: s.log.With("organization", place.Organization.String(), "consumer", name),
		}}
	}), true
}

// Receive handles one message.
func (d *child) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		d.set.stats[d.consumer.Name()].children.Add(1)
		d.start(c)
	case *Published:
		d.seen++
		d.place.View = m.View
		if !d.blocked {
			d.take(m)
		}
		d.next(c)
	case *Wake:
		d.seen++
		d.place.View = m.View
		d.wakes++
		d.woken, d.blocked = true, false
		d.next(c)
	case *rounded:
		if m.of == d {
			d.rounded(c, m)
		}
	case *lingered:
		if m.of == d && m.seen == d.seen && d.stop == nil {
			c.Send(c.Parent(), &Finished{Name: d.name, Cursor: d.progress.cursor.Sequence, Seen: d.seen})
		}
	case *Granted:
		d.clear(c)
	case *cleared:
		if m.of == d {
			d.cleared(c)
		}
	case *actor.Stopping, *actor.Restarting:
		d.end()
	case *actor.Stopped:
	default:
		d.log.Error("unknown message to a consumer", "type", fmt.Sprintf("%T", m))
	}
}

// take keeps the rows of a batch for the next round, within the limit. Rows that another server has appended before the batch are read from the
// journal, together with the earlier ones.
func (d *child) take(m *Published) {
	if last := len(d.hand) - 1; last >= 0 {
		if rows := d.hand[last].Rows; rows[len(rows)-1].Sequence+1 != m.Rows[0].Sequence {
			d.hand, d.rows = nil, 0
		}
	}
	if d.rows+len(m.Rows) > mostRows {
		d.hand, d.rows, d.progress.shadow = nil, 0, nil
		return
	}
	d.hand, d.rows = append(d.hand, m), d.rows+len(m.Rows)
}

// next starts a round, unless work is running or the instance waits for its alarm.
func (d *child) next(c actor.Context) {
	switch {
	case d.stop != nil:
		d.dirty = true
	case d.blocked: // the organization knows
	default:
		d.start(c)
	}
}

// start runs a round beside the actor.
func (d *child) start(c actor.Context) {
	r := &round{served: d.served}
	if d.woken || d.progress.alarm.Last == 0 { // a user may have changed the cursor, or an event may have stored an alarm
		r.progress = progress{shadow: d.progress.shadow, shadowAt: d.progress.shadowAt}
	}
	d.dirty, d.woken = false, false
	d.progress.shadow = nil // the round changes it
	d.run(c, func(ctx context.Context) any { return &rounded{of: d, result: r.run(ctx)} })
}

// run executes work in a goroutine and returns its result as a message.
func (d *child) run(c actor.Context, work func(ctx context.Context) any) {
	ctx, cancel := context.WithTimeout(messages.InBackground(context.Background()), roundTime)
	done := make(chan struct{})
	d.stop, d.done = cancel, done
	self, root := c.Self(), c.ActorSystem().Root
	go func() {
		defer close(done)
		defer cancel()
		root.Send(self, work(ctx))
	}()
}

// rounded takes over the progress of a round and decides about the next one.
func (d *child) rounded(c actor.Context, m *rounded) {
	d.stop = nil
	d.progress = m.progress
	d.drop()
	released := d.place.Shared && d.progress.alarm.LeasedUntil.IsZero() // other servers may claim the alarm
	switch {
	case m.verdict == verdictEnded:
		c.Send(c.Parent(), &Finished{Name: d.name, Cursor: d.place.View.Sequence, Seen: d.seen})
	case !released && (d.woken || m.verdict == verdictMore || m.verdict == verdictIdle && d.dirty):
		d.start(c)
	case !released && m.verdict == verdictIdle:
		self, root, seen := c.Self(), c.ActorSystem().Root, d.seen
		d.timer = time.AfterFunc(lingerTime, func() { root.Send(self, &lingered{d, seen}) })
	default:
		d.blocked, d.hand, d.rows = true, nil, 0
		wait := d.progress.alarm.DueAt.Sub(d.set.now())
		stay := d.progress.loaded && !d.progress.alarm.DueAt.IsZero() && wait < stayTime
		more := released && (d.dirty || d.woken || m.verdict == verdictMore)
		c.Send(c.Parent(), &Resting{Name: d.name, Seen: d.seen, Woken: d.wakes, Blocked: true, Stay: stay, More: more})
	}
}

// drop releases the batches before the cursor.
func (d *child) drop() {
	for len(d.hand) > 0 {
		rows := d.hand[0].Rows
		if rows[len(rows)-1].Sequence > d.progress.cursor.Sequence {
			return
		}
		d.rows -= len(rows)
		d.hand = d.hand[1:]
	}
	d.hand = nil
}

// clear removes the alarm, unless the consumer has scheduled work.
func (d *child) clear(c actor.Context) {
	if d.stop != nil {
		return // a message arrived after the request; the instance asks again
	}
	p, upTo := d.progress, d.place.View.Sequence
	d.run(c, func(ctx context.Context) any {
		var err error
		switch {
		case p.ended:
			err = d.set.store.Drop(ctx, d.place.Organization, d.name, p.cursor.Version, upTo, p.alarm)
		case p.next.IsZero():
			err = d.set.store.Clear(ctx, d.place.Organization, d.name, p.cursor.Sequence, p.alarm)
		}
		if err != nil {
			d.log.Warn("alarm not removed", "cause", err)
		}
		return &cleared{d}
	})
}

func (d *child) cleared(c actor.Context) {
	d.stop = nil
	d.progress = progress{} // the alarm is gone; later events have another one
	if d.dirty || d.woken || len(d.hand) > 0 {
		d.start(c)
		return
	}
	c.Send(c.Parent(), &Resting{Name: d.name, Seen: d.seen})
}

// end cancels the running work and waits for it, so that no effect of this instance overlaps with those of the next.
func (d *child) end() {
	d.set.stats[d.consumer.Name()].children.Add(-1)
	if d.timer != nil {
		d.timer.Stop()
	}
	if d.stop == nil {
		return
	}
	d.stop()
	limit := time.NewTimer(stopTime)
	defer limit.Stop()
	select {
	case <-d.done:
	case <-limit.C:
		d.log.Warn("a consumer did not stop in time")
	}
}

// contained converts a panic of a consumer to an error. Without it, the panic would end the program.
func contained(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return work()
}

// find returns the consumer of the name of an instance.
func (s *Set) find(name string) (found Consumer, instance string, ok bool) {
	for _, c := range s.consumers {
		if name == c.Name() {
			return c, "", true
		}
		if rest, is := cutPrefix(name, c.Name()); is {
			return c, rest, true
		}
	}
	return nil, "", false
}

// NeedsStates reports whether the consumer of the instance requests the states around events.
func (s *Set) NeedsStates(name string) bool {
	found, _, ok := s.find(name)
	return ok && found.Limits().States
}
