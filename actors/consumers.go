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
//
// If the journal is shared, an instance runs where its alarm was claimed, and no instance is armed: the alarm of a wanted event is due at once,
// for the server that has claimed it, or for the first that does.
type children struct {
	organization organization.ID
	shared       *shared
	instances    map[string]*consuming
	// published is the last view, for new instances; nil before the organization is loaded.
	published *messages.View
}

func newChildren(id organization.ID, s *shared) *children {
	return &children{organization: id, shared: s, instances: map[string]*consuming{}}
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
	// claimed reports that this server has claimed the alarm. It counts in shared journals.
	claimed bool
	// late reports that the alarm is to be claimed again when the instance has ended.
	late bool
}

// wake reports that the alarm of an instance is due. The alarm of a shared journal must be claimed before.
type wake struct {
	name    string
	claimed bool
}

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
			b.append.Wake(messages.Wake{
				Consumer: name, First: rows[i].Sequence, Last: rows[i].Sequence, Armed: one.armed, Open: s.shared.settings.Shared,
			})
			if !one.armed {
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
		if len(rows) == 0 || one.wanted < rows[0].Sequence {
			continue
		}
		if s.shared.settings.Shared && !one.claimed {
			s.claim(name, one)
			continue
		}
		if one.blocked {
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

// claim requests the alarm of an instance of a shared journal. One that is about to end requests it then, because it has the lease until then.
func (s *children) claim(name string, one *consuming) {
	if one.late = one.pid != nil && (one.ending || !one.blocked); !one.late && s.shared.settings.Claim != nil {
		s.shared.settings.Claim(s.organization, name)
	}
}

// followed takes over a view that was loaded. Running instances read the rows of other servers from the journal.
func (s *children) followed(c actor.Context, view *messages.View) {
	s.published = view
	for name, one := range s.instances {
		if running := one.pid != nil && !one.ending && !one.blocked; running && (one.claimed || !s.shared.settings.Shared) {
			s.wake(c, &wake{name, true})
		}
	}
}

// collided forgets what discarded batches have noted.
func (s *children) collided() {
	for _, one := range s.instances {
		one.armed = false
		if s.published != nil {
			one.wanted = min(one.wanted, s.published.Sequence)
		}
	}
}

// spawn starts the actor of an instance. It reads its cursor and continues from there.
func (s *children) spawn(c actor.Context, name string, one *consuming) {
	props, ok := s.shared.settings.Consumers.Props(name, consumer.Place{
		Organization: s.organization, Shared: s.shared.settings.Shared, View: s.published, Source: consumerSource{s.shared},
	})
	if !ok || s.published == nil {
		return
	}
	one.pid, one.sent, one.wakes, one.blocked = c.Spawn(props), 0, 0, false
}

// wake starts or informs the instance with the due alarm.
func (s *children) wake(c actor.Context, m *wake) {
	name := m.name
	one := s.of(name)
	if s.shared.settings.Shared && !m.claimed && !one.claimed {
		s.claim(name, one)
		return
	}
	one.blocked, one.claimed = false, true
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
	one.armed, one.claimed = false, false
	c.Send(one.pid, &consumer.Granted{})
}

// resting ends an instance without work, unless a message to it is on its way.
func (s *children) resting(c actor.Context, m *consumer.Resting) {
	one := s.instances[m.Name]
	switch {
	case one == nil, one.pid == nil, one.ending:
		return
	case m.Blocked && one.wakes == m.Woken: // batches on their way are read from the journal later
		one.blocked, one.ending, one.claimed = true, !m.Stay, false
		if s.shared.settings.Shared && (m.More || one.sent != m.Seen) {
			s.claim(m.Name, one)
		}
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
		one.pid, one.claimed = nil, one.again // a repeated start follows an alarm
		if one.late {
			s.claim(name, one)
		}
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

// Wake wakes an instance of a consumer in an organization, whose alarm is due. It does not wait.
func (o *Organizations) Wake(id organization.ID, name string) {
	o.system.Root.Send(o.top, &forward{to: id, message: &wake{name: name}})
}

// WakeClaimed is like Wake, for an alarm that this server has claimed.
func (o *Organizations) WakeClaimed(id organization.ID, name string) {
	o.system.Root.Send(o.top, &forward{to: id, message: &wake{name, true}})
}
