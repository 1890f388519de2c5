package actors

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/consumer"
	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// organizationActor serializes the changes of one organization.
//
// Ordering: commands are decided, appended and answered in the order of the
// mailbox; a command of many rows is decided when its result is taken over (see [bulk]).
// Delivery: each command is answered exactly once,
// with a reply or an error. Backpressure: beyond mostWaiting callers a command is
// refused at once.
//
// Its state is ahead of the journal by the batch in flight and the open
// batch. If an append fails, that state is invalid: the actor panics with
// [restart], its supervisor restarts it, and it loads the durable state.
type organizationActor struct {
	id        organization.ID
	shared    *shared
	log       *slog.Logger
	state     *organization.State
	head      head
	published *messages.View // the view of readers; nil before the first event is durable
	keys      *keys
	batch     *batch    // being filled
	inFlight  *batch    // being appended; nil if no append is running
	sent      time.Time // when inFlight was dispatched
	// appendResult receives the outcome of inFlight. It is buffered, so that the journal never blocks.
	appendResult chan error
	inconsistent bool       // the batch may contain half of a command, or depend on rows that were not stored
	queued       []envelope // messages that arrived while loading, or while a bulk holds them back
	replyTo      *actor.PID // the sender of the message that was last taken from queued
	loading      *load      // nil once loaded
	suspended    error      // the refusal of every request, because the journal cannot be read; nil otherwise
	snaps        snapshotter
	bulks        bulks
	memory       messages.Memory // of visits
	children     *children
	tick         *time.Timer
	active       time.Time // the time of the last command
}

// head is the end of the journal according to the actor's state.
type head struct {
	sequence uint64
	hash     messages.Hash
	at       time.Time
}

// restart is the panic of an actor whose state differs from the journal.
type restart struct{ cause error }

// shared contains the dependencies of all organization actors.
type shared struct {
	journal  Journal
	views    *views
	history  *history
	counters *counters
	damages  *damages
	settings Settings
	log      *slog.Logger
	failures actor.SupervisorStrategy // of consumers
	ended    chan struct{}            // closed when the supervisor has stopped
}

type (
	// envelope is a queued message with its sender.
	envelope struct {
		message any
		sender  *actor.PID
	}
	// activate requests the view. The answer is a *messages.View, or a *messages.Reply
	// with an error.
	activate struct{}
)

func organizationProps(id organization.ID, s *shared) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor {
		return &organizationActor{
			id: id, shared: s, log: s.log.With("organization", id.String()),
			batch: newBatch(id, nil), appendResult: make(chan error, 1), memory: messages.NewMemory(), children: newChildren(id, s),
		}
	}, actor.WithMailbox(newMailbox(s.log)), actor.WithSupervisor(s.failures))
}

// Receive handles one message.
func (o *organizationActor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		o.start(c)
	case *loaded:
		o.loaded(c, m)
	case *messages.Command, *activate, *catchUp, *wake, *visit:
		o.enter(c, envelope{m, c.Sender()})
	case *appended:
		o.appended(c)
	case *prepared:
		o.bulkPrepared(c, m.bulk)
	case *idleCheck:
		o.idle(c, m)
	case *evict:
		o.evict(c)
	case *recollection:
		m.change(o.memory)
	case *consumer.Finished:
		o.children.finished(c, m)
	case *consumer.Resting:
		o.children.resting(c, m)
	case *actor.Terminated:
		o.children.terminated(c, m.Who)
	case *actor.Stopping:
		o.settle(c)
		o.refuseBulks(c, messages.ErrUnavailable)
		o.refuseQueued(c, messages.ErrUnavailable)
		o.end(true)
	case *actor.Restarting: // wait for the append in flight, otherwise the reload could miss it
		o.settle(c)
		o.refuseBulks(c, messages.ErrUnavailable)
		o.requeue(c)
		o.end(false)
	case *actor.Stopped, *actor.ReceiveTimeout:
	default:
		o.log.Error("unknown message to an organization", "type", fmt.Sprintf("%T", m))
	}
}

// enter handles a command or a query after the organization is loaded.
func (o *organizationActor) enter(c actor.Context, e envelope) {
	alarm, woken := e.message.(*wake)
	if !woken { // retries of consumers do not keep an organization in memory
		o.active = o.shared.settings.Now()
	}
	if o.loading != nil || o.bulks.holding {
		if len(o.queued) >= mostWaiting {
			tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
			return
		}
		o.queued = append(o.queued, e)
		return
	}
	if woken {
		o.woken(c, alarm)
		return
	}
	if o.suspended != nil {
		tell(c, e.sender, &messages.Reply{Err: o.suspended})
		return
	}
	switch m := e.message.(type) {
	case *messages.Command:
		o.command(c, m, e.sender)
	case *visit:
		o.visit(c, m, e.sender)
	case *catchUp:
		m.handle(o, c, e)
	case *activate:
		if o.published == nil {
			tell(c, e.sender, &messages.Reply{Err: errNoOrganization()})
		} else {
			tell(c, e.sender, o.published)
		}
	}
	if o.head.sequence == 0 { // organizations that do not exist are not kept in memory
		c.Send(c.Parent(), &passivate{o.id, c.Self()})
	}
}

// woken handles a due alarm. An organization that cannot be served is left to the next lease.
func (o *organizationActor) woken(c actor.Context, m *wake) {
	if o.published != nil && o.suspended == nil {
		o.children.wake(c, m)
	}
}

// command decides and applies one command and adds its caller to the batch. A command of many rows is decided
// outside the actor.
func (o *organizationActor) command(c actor.Context, m *messages.Command, caller *actor.PID) {
	if organization.RecordCount(m.Body) >= bulkSize {
		o.decideBulk(c, &bulk{command: m, caller: caller})
		return
	}
	if o.mayDecide(c, m, caller) {
		o.decide(c, m, caller)
	}
}

// mayDecide answers a command that needs no decision, and reports whether it needs one.
func (o *organizationActor) mayDecide(c actor.Context, m *messages.Command, caller *actor.PID) bool {
	if o.full() || m.Abandoned() {
		tell(c, caller, &messages.Reply{Err: messages.ErrUnavailable})
		return false
	}
	if answer, answered := o.keys.answer(m, caller); answered {
		o.reply(c, answer)
		return false
	}
	if m.Body == nil {
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: messages.ErrNotRecorded}})
		return false
	}
	if behind := o.head.at.Sub(o.shared.settings.Now()); o.head.sequence != 0 && o.shared.settings.tooFarBehind(behind) {
		o.log.Warn(
			"the clock is behind the last row; the write is refused", "behind", behind.Round(time.Second).String(), "last", o.head.at,
		)
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: messages.ErrClock}})
		return false
	}
	if err := expected(o.shared.settings.Schema, o.state, m); err != nil {
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: err}})
		return false
	}
	return true
}

// full reports whether the limit of waiting callers is reached.
func (o *organizationActor) full() bool {
	waiting := len(o.batch.waiting) + len(o.bulks.waiting)
	if o.inFlight != nil {
		waiting += len(o.inFlight.waiting)
	}
	return waiting >= mostWaiting
}

// expected refuses a command that was based on other members or on another version of
// the record.
func expected(schema *organization.Schema, state *organization.State, m *messages.Command) error {
	if m.MembersAsOf != 0 && m.MembersAsOf < state.MembersVersion() {
		return messages.ErrMembersChanged
	}
	e := m.Expect
	if e == nil {
		return nil
	}
	version, found := schema.Version(state, e.Record)
	if !found || version == e.Version {
		return nil // the command itself refuses a missing record
	}
	return fault.StaleRecord()
}

func (o *organizationActor) decide(c actor.Context, m *messages.Command, caller *actor.PID) {
	m.Timeline.Begin(o.shared.settings.Now)
	var ids [][16]byte
	moment := o.shared.settings.context(m, func() [16]byte {
		ids = append(ids, o.shared.settings.NewID())
		return ids[len(ids)-1]
	})
	events, err := organization.Decide(o.state, m.Body, moment)
	var digest messages.Hash
	if err == nil {
		digest, err = compared(m, events, ids)
	}
	m.Timeline.Decide(o.shared.settings.Now)
	switch {
	case err != nil:
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: err}, timeline: m.Timeline})
	case m.DryRun, len(events) == 0:
		reply := rehearse(o.state, o.head.sequence, m, events)
		reply.Digest = digest
		o.reply(c, waiter{caller: caller, reply: reply, timeline: m.Timeline})
	default:
		reply := o.record(m, events)
		o.batch.waiting = append(o.batch.waiting, waiter{caller, reply, true, m.Timeline})
		if o.bulks.current != nil && len(o.bulks.concurrent) <= mostWaiting {
			o.bulks.concurrent = append(o.bulks.concurrent, concurrentWrite{m, events, ids})
		}
		o.dispatch(c)
	}
}

// compared returns the digest of the events of a preview. It refuses the events of a confirmed change that differ from their preview.
func compared(m *messages.Command, events []organization.Event, ids [][16]byte) (messages.Hash, error) {
	if m.DecideAt.IsZero() {
		return messages.Hash{}, nil
	}
	drawn := slices.Clone(m.Drawn)
	for _, id := range ids {
		drawn = append(drawn, captable.ID[struct{}](id).String())
	}
	digest, err := messages.DigestOf(events, drawn)
	if err == nil && m.Digest != (messages.Hash{}) && m.Digest != digest {
		err = messages.ErrSuperseded
	}
	return digest, err
}

// reply answers a caller without recording events. An answer that depends on
// pending events waits for them.
func (o *organizationActor) reply(c actor.Context, w waiter) {
	if reply, is := w.reply.(*messages.Reply); is && reply.AsOf == 0 {
		reply.AsOf = o.head.sequence
	}
	switch {
	case !o.batch.empty():
		o.batch.waiting = append(o.batch.waiting, w)
	case o.inFlight != nil:
		o.inFlight.waiting = append(o.inFlight.waiting, w)
	default:
		w.timeline.Answer()
		tell(c, w.caller, w.reply)
	}
}
