package actors

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// organizationActor guards one organization.
//
// Ordering: commands are decided in the order of the mailbox, appended in that
// order, answered in that order; a command of many rows is decided when its result is
// taken over (see [bulk]). Delivery: each command is answered exactly once,
// with a reply or an error. Back-pressure: beyond mostWaiting callers a command is
// turned away at once.
//
// Its state runs ahead of the journal by the batch in flight and the one being
// filled. Should an append fail, that state is worthless: the actor panics with
// [restart], its supervisor starts it anew, and it loads what is durable.
type organizationActor struct {
	id        organization.ID
	shared    *shared
	log       *slog.Logger
	state     *organization.State
	head      head
	published *messages.View // what everybody reads; nil before the first event is durable
	keys      *keys
	batch     *batch     // being filled
	flight    *batch     // being appended; nil when none
	sent      time.Time  // when flight was dispatched
	settled   chan error // the outcome of flight; holds one, so that the journal never waits
	tainted   bool       // the batch may hold half of a command, or build on what was not stored
	queued    []envelope // what arrived while loading
	held      *actor.PID // who sent what is handled, when it comes from queued
	loading   *load      // nil once loaded
	suspended bool       // the journal is damaged: every request is refused
	snaps     snapshotter
	bulks     bulks
	tick      *time.Timer
	active    time.Time // when the last command came
}

// head is the end of the journal as the actor's state sees it.
type head struct {
	sequence uint64
	hash     messages.Hash
	at       time.Time
}

// restart is the panic of an actor whose state is no longer that of the journal.
type restart struct{ cause error }

// shared is what all organizations' actors have in common.
type shared struct {
	journal  Journal
	views    *views
	history  *history
	counters *counters
	damages  *damages
	settings Settings
	decoder  *organization.Decoder
	log      *slog.Logger
	ended    chan struct{} // closed when the supervisor has stopped
}

type (
	// envelope is a message with its sender, kept for later.
	envelope struct {
		message any
		sender  *actor.PID
	}
	// activate asks for the view; the answer is a *messages.View or a *messages.Reply
	// with an error.
	activate struct{}
	// replay answers a command whose key was used by events that are no longer at hand:
	// whoever asked reads them from the journal.
	replay struct{ first, last uint64 }
)

// IgnoreDeadLetterLogging keeps an answer out of the logs whose caller has stopped
// waiting.
func (*replay) IgnoreDeadLetterLogging() {}

func organizationProps(id organization.ID, s *shared) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor {
		return &organizationActor{
			id: id, shared: s, log: s.log.With("organization", id.String()),
			batch: newBatch(id, nil), settled: make(chan error, 1),
		}
	}, actor.WithMailbox(newMailbox(s.log)))
}

// Receive handles one message.
func (o *organizationActor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		o.start(c)
	case *loaded:
		o.loaded(c, m)
	case *messages.Command, *activate:
		o.enter(c, envelope{m, c.Sender()})
	case *appended:
		o.appended(c)
	case *prepared:
		o.bulkPrepared(c, m.bulk)
	case *idleCheck:
		o.idle(c, m)
	case *actor.Stopping:
		o.settle(c)
		o.refuseBulks(c, messages.ErrUnavailable)
		o.refuseQueued(c, messages.ErrUnavailable)
		o.end(true)
	case *actor.Restarting: // wait for the append in flight, else the reload could miss it
		o.shared.counters.restarts.Add(1)
		o.settle(c)
		o.refuseBulks(c, messages.ErrUnavailable)
		o.requeue(c)
		o.end(false)
	case *actor.Stopped, *actor.ReceiveTimeout:
	default:
		o.log.Error("unknown message to an organization", "type", fmt.Sprintf("%T", m))
	}
}

// enter handles a command or a question, once the organization is loaded.
func (o *organizationActor) enter(c actor.Context, e envelope) {
	o.active = o.shared.settings.Now()
	if o.loading != nil {
		if len(o.queued) >= mostWaiting {
			tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
			return
		}
		o.queued = append(o.queued, e)
		return
	}
	if o.suspended {
		tell(c, e.sender, &messages.Reply{Err: messages.ErrDamaged})
		return
	}
	switch m := e.message.(type) {
	case *messages.Command:
		o.command(c, m, e.sender)
	case *activate:
		if o.published == nil {
			tell(c, e.sender, &messages.Reply{Err: errNoOrganization()})
		} else {
			tell(c, e.sender, o.published)
		}
	}
	if o.head.sequence == 0 { // what does not exist takes no room
		c.Send(c.Parent(), &passivate{o.id})
	}
}

// command decides and applies one command and puts its caller into the batch. A command of many rows is decided beside
// the actor.
func (o *organizationActor) command(c actor.Context, m *messages.Command, caller *actor.PID) {
	if organization.Size(m.Body) >= bulkSize {
		o.decideBulk(c, &bulk{command: m, caller: caller})
		return
	}
	if o.mayDecide(c, m, caller) {
		o.decide(c, m, caller)
	}
}

// decideBulk decides a bulk, beside the actor if possible.
func (o *organizationActor) decideBulk(c actor.Context, b *bulk) {
	switch {
	case !o.mayDecide(c, b.command, b.caller):
	case o.prepare(c, b):
		return
	default:
		o.decide(c, b.command, b.caller)
	}
	if o.bulks.current == b {
		o.bulkDone(c)
	}
}

// mayDecide answers a command that needs no decision, and reports whether it needs one.
func (o *organizationActor) mayDecide(c actor.Context, m *messages.Command, caller *actor.PID) bool {
	if o.crowded() || m.Abandoned() {
		tell(c, caller, &messages.Reply{Err: messages.ErrUnavailable})
		return false
	}
	if o.answered(c, m, caller) {
		return false
	}
	if o.clockBehind() {
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: messages.ErrClock}})
		return false
	}
	if err := expected(o.state, m); err != nil {
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: err}})
		return false
	}
	return true
}

func (o *organizationActor) decide(c actor.Context, m *messages.Command, caller *actor.PID) {
	events, err := organization.Decide(o.state, m.Body, organization.Moment{Now: m.At, By: m.Author(), NewID: o.shared.settings.NewID})
	switch {
	case err != nil:
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: err}})
	case m.DryRun, len(events) == 0:
		o.reply(c, waiter{caller: caller, reply: rehearse(o.state, o.head.sequence, m, events)})
	default:
		reply := o.record(m, events)
		o.batch.waiting = append(o.batch.waiting, waiter{caller, reply, true})
		o.dispatch(c)
	}
}

// crowded reports whether as many callers wait as may.
func (o *organizationActor) crowded() bool {
	waiting := len(o.batch.waiting) + len(o.bulks.waiting)
	if o.flight != nil {
		waiting += len(o.flight.waiting)
	}
	return waiting >= mostWaiting
}

// clockBehind reports whether the clock is so far behind the last row that a new row
// would be dated wrongly by more than the limit.
func (o *organizationActor) clockBehind() bool {
	limit := o.shared.settings.ClockSkew
	behind := o.head.at.Sub(o.shared.settings.Now())
	if limit == 0 || o.head.sequence == 0 || behind <= limit {
		return false
	}
	o.log.Warn("the clock is behind the last row; the write is refused", "behind", behind.Round(time.Second).String(), "last", o.head.at)
	return true
}

// answered answers a command whose key was used before, and reports whether it was.
func (o *organizationActor) answered(c actor.Context, m *messages.Command, caller *actor.PID) bool {
	if m.IdempotencyKey == "" {
		return false
	}
	use, used := o.keys.seen[m.IdempotencyKey]
	if !used {
		return false
	}
	switch first, recent := o.keys.recent[m.IdempotencyKey]; {
	case use.fingerprint != m.Fingerprint:
		o.reply(c, waiter{caller: caller, reply: &messages.Reply{Err: messages.ErrKeyReused}})
	case m.DryRun:
		return false
	case recent:
		again := *first
		again.Replayed = true
		o.reply(c, waiter{caller, &again, true})
	default:
		o.reply(c, waiter{caller, &replay{first: use.first, last: use.last}, true})
	}
	return true
}

// reply answers a caller of something that records nothing. What was decided on
// events that are not yet durable waits for them.
func (o *organizationActor) reply(c actor.Context, w waiter) {
	switch {
	case !o.batch.empty():
		o.batch.waiting = append(o.batch.waiting, w)
	case o.flight != nil:
		o.flight.waiting = append(o.flight.waiting, w)
	default:
		tell(c, w.caller, w.reply)
	}
}

func errNoOrganization() error {
	return captable.Refuse(captable.CodeNotFound, "There is no such organization.")
}
