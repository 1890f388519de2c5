package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// children are the consumers of one organization, by name.
//
// An instance is armed while its alarm is known to be stored: wanted events then need no alarm of their own. The alarm is
// removed only after the organization has agreed, so that no event is stored without one.
type children map[string]*consuming

// consuming is one instance of a consumer.
type consuming struct {
	pid    *actor.PID // nil without an actor
	armed  bool
	wanted uint64 // the last wanted event, which may not be durable yet
	sent   uint64 // messages to the actor
	wakes  uint64 // alarms among them
	ending bool
	again  bool // a message arrived while the actor was ending
	// blocked reports that the instance waits for its alarm and needs no batches.
	blocked bool
}

// wake reports that the alarm of an instance is due.
type wake struct{ name string }

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*wake) IgnoreDeadLetterLogging() {}

// wakeConsumers adds the alarms of the consumers that want rows of the batch behind the given length.
func (o *organizationActor) wakeConsumers(from int) {
	rows := o.batch.append.Rows[from:]
	for i := range rows {
		if i > 0 && rows[i].Type == rows[i-1].Type && i+1 < len(rows) && rows[i+1].Type == rows[i].Type {
			continue // only the first and the last row of equal ones count
		}
		o.shared.settings.Consumers.Wants(o.state, rows[i].Type, func(name string) {
			one := o.children[name]
			if one == nil {
				one = &consuming{}
				o.children[name] = one
			}
			one.wanted = rows[i].Sequence
			if !one.armed {
				o.batch.append.Wake(messages.Wake{Consumer: name, First: rows[i].Sequence, Last: rows[i].Sequence})
				o.batch.arms = append(o.batch.arms, one)
			}
		})
	}
}

// publishToConsumers hands a durable batch to the consumers that want its events.
func (o *organizationActor) publishToConsumers(c actor.Context, done *batch, before *messages.View) {
	if len(o.children) == 0 {
		return
	}
	rows := done.append.Rows
	for name, one := range o.children {
		if len(rows) == 0 || one.wanted < rows[0].Sequence || one.blocked {
			continue
		}
		if one.ending {
			one.again = true
			continue
		}
		if one.pid == nil {
			o.spawnConsumer(c, name, one)
		}
		if one.pid == nil {
			continue
		}
		m := &consumer.Published{Rows: rows, View: done.view}
		if before != nil && o.shared.settings.Consumers.NeedsStates(name) {
			m.Base = before.State.Copy()
		}
		one.sent++
		c.Send(one.pid, m)
	}
}

// spawnConsumer starts the actor of an instance. It reads its cursor and continues from there.
func (o *organizationActor) spawnConsumer(c actor.Context, name string, one *consuming) {
	props, ok := o.shared.settings.Consumers.Props(name, consumer.Place{
		Organization: o.id, View: o.published, Source: consumerSource{o.shared},
	})
	if !ok || o.published == nil {
		return
	}
	one.pid, one.sent, one.wakes, one.blocked = c.Spawn(props), 0, 0, false
}

// wake starts or informs the instance whose alarm is due.
func (o *organizationActor) wake(c actor.Context, name string) {
	one := o.children[name]
	if one == nil {
		one = &consuming{}
		o.children[name] = one
	}
	one.blocked = false
	switch {
	case one.ending:
		one.again = true
	case one.pid == nil:
		if o.spawnConsumer(c, name, one); one.pid == nil {
			delete(o.children, name)
		}
	default:
		one.sent++
		one.wakes++
		c.Send(one.pid, &consumer.Wake{View: o.published})
	}
}

// consumerFinished lets an instance remove its alarm, unless a wanted event follows.
func (o *organizationActor) consumerFinished(c actor.Context, m *consumer.Finished) {
	one := o.children[m.Name]
	if one == nil || one.pid == nil || one.sent != m.Seen || one.wanted > m.Cursor {
		return // the instance receives the event, and asks again
	}
	one.armed = false
	c.Send(one.pid, &consumer.Granted{})
}

// consumerResting ends an instance without work, unless a message to it is on its way.
func (o *organizationActor) consumerResting(c actor.Context, m *consumer.Resting) {
	one := o.children[m.Name]
	switch {
	case one == nil, one.pid == nil, one.ending:
		return
	case m.Blocked && one.wakes == m.Woken: // batches on their way are read from the journal later
		one.blocked, one.ending = true, !m.Stay
	case !m.Blocked && one.sent == m.Seen:
		one.ending = true
	default:
		return
	}
	if one.ending {
		c.Poison(one.pid)
	}
}

// consumerTerminated forgets an instance that has ended, or starts it again.
func (o *organizationActor) consumerTerminated(c actor.Context, who *actor.PID) {
	for name, one := range o.children {
		if one.pid == nil || one.pid.Id != who.Id {
			continue
		}
		one.pid = nil
		switch {
		case !one.ending: // it failed too often; its alarm starts it again
			one.armed, one.blocked = false, true
		case one.again:
			one.ending, one.again = false, false
			o.spawnConsumer(c, name, one)
		case one.blocked, o.published == nil, one.wanted > o.published.Sequence: // the batch with the event is on its way
			one.ending = false
		default:
			delete(o.children, name)
		}
		return
	}
}

// consuming reports whether an instance of a consumer is running.
func (o *organizationActor) consuming() bool {
	for _, one := range o.children {
		if one.pid != nil {
			return true
		}
	}
	return false
}

// consumerSource reads the past of organizations for consumers.
type consumerSource struct{ shared *shared }

// Scan reads rows of the journal.
func (s consumerSource) Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error {
	return s.shared.journal.Scan(ctx, id, after, upTo, each)
}

// StateAt returns the organization as of the sequence.
func (s consumerSource) StateAt(ctx context.Context, id organization.ID, sequence uint64) (*organization.State, error) {
	if sequence == 0 {
		return organization.NewState(), nil
	}
	select {
	case s.shared.history.turns <- struct{}{}:
		defer func() { <-s.shared.history.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	state, _, _, err := s.shared.stateAt(ctx, id, sequence)
	return state, err
}

// Source returns the past of organizations, for consumers.
func (o *Organizations) Source() consumer.Source { return consumerSource{o.shared} }

// Wake wakes an instance of a consumer in an organization, whose alarm is due. It does not wait.
func (o *Organizations) Wake(id organization.ID, name string) {
	o.system.Root.Send(o.top, &forward{to: id, message: &wake{name}})
}
