package actors

import (
	"context"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// children are the consumers of one organization, by name.
//
// An instance is armed while its alarm is known to be stored. A wanted event then leaves the time of the alarm as it is, and the alarm is
// removed only after the organization has agreed. Each wanted event is stored with the alarm nevertheless, because an append may succeed
// late, when another server has removed the alarm.
type children struct {
	organization organization.ID
	shared       *shared
	// guest reports that another server owns the organization, and runs its consumers.
	guest     bool
	instances map[string]*consuming
	// published is the last view, for new instances; nil before the organization is loaded.
	published *messages.View
}

func newChildren(id organization.ID, s *shared, guest bool) *children {
	return &children{organization: id, shared: s, guest: guest, instances: map[string]*consuming{}}
}

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

// arm adds the alarms of the consumers that want rows of the batch behind the given length. State is that after the rows.
func (s *children) arm(state *organization.State, b *batch, from int) {
	rows := b.append.Rows[from:]
	for i := range rows {
		if i > 0 && rows[i].Type == rows[i-1].Type && i+1 < len(rows) && rows[i+1].Type == rows[i].Type {
			continue // only the first and the last row of equal ones count
		}
		s.shared.settings.Consumers.Wants(state, rows[i].Type, func(name string) {
			one := s.of(name)
			one.wanted = rows[i].Sequence
			armed := one.armed && !s.guest // the owner may have removed the alarm
			b.append.Wake(messages.Wake{Consumer: name, First: rows[i].Sequence, Last: rows[i].Sequence, Armed: armed})
			if !armed {
				b.arms = append(b.arms, one)
			}
		})
	}
}

// of returns the instance with the name, which may have no actor yet.
func (s *children) of(name string) *consuming {
	one := s.instances[name]
	if one == nil {
		one = &consuming{}
		s.instances[name] = one
	}
	return one
}

// publish hands a durable batch to the consumers that want its events.
func (s *children) publish(c actor.Context, done *batch) {
	before := s.published
	s.published = done.view
	rows := done.append.Rows
	for name, one := range s.instances {
		if len(rows) == 0 || one.wanted < rows[0].Sequence || one.blocked {
			continue
		}
		if one.ending {
			one.again = true
			continue
		}
		if one.pid == nil {
			s.spawn(c, name, one)
		}
		if one.pid == nil {
			continue
		}
		m := &consumer.Published{Rows: rows, View: done.view}
		first := one.sent == 0 || slices.Contains(done.arms, one) // later ones follow the state that the instance has
		if first && before != nil && s.shared.settings.Consumers.NeedsStates(name) {
			m.Base = before.State.Copy()
		}
		one.sent++
		c.Send(one.pid, m)
	}
}

// spawn starts the actor of an instance. It reads its cursor and continues from there.
func (s *children) spawn(c actor.Context, name string, one *consuming) {
	if s.guest {
		return
	}
	props, ok := s.shared.settings.Consumers.Props(name, consumer.Place{
		Organization: s.organization, View: s.published, Source: consumerSource{s.shared},
	})
	if !ok || s.published == nil {
		return
	}
	one.pid, one.sent, one.wakes, one.blocked = c.Spawn(props), 0, 0, false
}

// wake starts or informs the instance with the due alarm.
func (s *children) wake(c actor.Context, name string) {
	one := s.of(name)
	one.blocked = false
	switch {
	case one.ending:
		one.again = true
	case one.pid == nil:
		if s.spawn(c, name, one); one.pid == nil {
			delete(s.instances, name)
		}
	default:
		one.sent++
		one.wakes++
		c.Send(one.pid, &consumer.Wake{View: s.published})
	}
}

// finished lets an instance remove its alarm, unless a wanted event follows.
func (s *children) finished(c actor.Context, m *consumer.Finished) {
	one := s.instances[m.Name]
	if one == nil || one.pid == nil || one.sent != m.Seen || one.wanted > m.Cursor {
		return // the instance receives the event, and asks again
	}
	one.armed = false
	c.Send(one.pid, &consumer.Granted{})
}

// resting ends an instance without work, unless a message to it is on its way.
func (s *children) resting(c actor.Context, m *consumer.Resting) {
	one := s.instances[m.Name]
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

// terminated forgets an instance that has ended, or starts it again.
func (s *children) terminated(c actor.Context, ended *actor.PID) {
	for name, one := range s.instances {
		if one.pid == nil || one.pid.Id != ended.Id {
			continue
		}
		one.pid = nil
		switch {
		case !one.ending: // it failed too often; its alarm starts it again
			one.armed, one.blocked = false, true
		case one.again:
			one.ending, one.again = false, false
			s.spawn(c, name, one)
		case one.blocked, s.published == nil, one.wanted > s.published.Sequence: // the batch with the event is on its way
			one.ending = false
		default:
			delete(s.instances, name)
		}
		return
	}
}

// working reports whether an instance of a consumer has work. One that waits for its alarm can end with the organization.
func (s *children) working() bool {
	for _, one := range s.instances {
		if one.pid != nil && !one.blocked {
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

// Wake wakes an instance of a consumer in an organization, whose alarm is due. It does not wait. A guest passes it on to the owner.
func (o *Organizations) Wake(id organization.ID, name string) {
	if o.shared.standing(id) == Guest {
		o.shared.settings.Placement.Wake(id, name)
		return
	}
	o.WakeOwned(id, name)
}

// WakeOwned wakes an instance of a consumer at the request of another server. A guest ignores it: two servers that read the list of members at
// different times would send it back and forth. The alarm is due again later.
func (o *Organizations) WakeOwned(id organization.ID, name string) {
	if o.shared.standing(id) != Guest {
		o.system.Root.Send(o.top, &forward{to: id, message: &wake{name}})
	}
}
