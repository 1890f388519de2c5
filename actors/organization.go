package actors

import (
	"errors"
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
// order, answered in that order. Delivery: each command is answered exactly once,
// with a reply or an error. Back-pressure: beyond mostWaiting callers a command is
// turned away at once.
//
// Its state runs ahead of the journal by the batch in flight and the one being
// filled. Should an append fail, that state is worthless: the actor panics with
// [restart], its supervisor starts it anew, and it loads what is durable.
type organizationActor struct {
	id      organization.ID
	shared  *shared
	log     *slog.Logger
	state   *organization.State
	head    head
	keys    *keys
	batch   *batch      // being filled
	flight  *batch      // being appended; nil when none
	settled chan error  // the outcome of flight; holds one, so that the journal never waits
	queued  []envelope  // what arrived while loading
	loading *load       // nil once loaded
	snaps   snapshotter // when the next snapshot is due
	tick    *time.Timer
	active  time.Time // when the last command came
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
	settings Settings
	decoder  *organization.Decoder
	log      *slog.Logger
}

type (
	// envelope is a message with its sender, kept for later.
	envelope struct {
		message any
		sender  *actor.PID
	}
	// appended wakes the actor when its append has settled.
	appended struct{ of *organizationActor }
	// idleCheck wakes the actor to see whether it was idle for long.
	idleCheck struct{ of *organizationActor }
	// activate asks for the view; the answer is a *messages.View or a *messages.Reply
	// with an error.
	activate struct{}
	// replay answers a command whose key was used by events that are no longer at hand:
	// whoever asked reads them from the journal.
	replay struct{ first, last uint64 }
)

func organizationProps(id organization.ID, s *shared) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor {
		return &organizationActor{
			id: id, shared: s, log: s.log.With("organization", id.String()),
			batch: newBatch(id), settled: make(chan error, 1),
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
		o.appended(c, m)
	case *idleCheck:
		o.idle(c, m)
	case *actor.Stopping:
		o.settle(c, true)
		o.end()
	case *actor.Restarting: // wait for the append in flight, else the reload could miss it
		o.settle(c, false)
		o.end()
	case *actor.Stopped, *actor.ReceiveTimeout:
	default:
		o.log.Error("unknown message to an organization", "type", slog.AnyValue(m).Kind().String())
	}
}

// enter handles a command or a question, once the organization is loaded.
func (o *organizationActor) enter(c actor.Context, e envelope) {
	o.active = o.shared.settings.Now()
	if o.loading != nil {
		o.queued = append(o.queued, e)
		return
	}
	switch m := e.message.(type) {
	case *messages.Command:
		o.command(c, m, e.sender)
	case *activate:
		c.Send(e.sender, o.shared.views.get(o.id, o.active))
	}
}

// command decides and applies one command and puts its caller into the batch.
func (o *organizationActor) command(c actor.Context, m *messages.Command, caller *actor.PID) {
	if len(o.batch.waiting) >= mostWaiting {
		c.Send(caller, &messages.Reply{Err: messages.ErrUnavailable})
		return
	}
	if answer := o.answered(m); answer != nil {
		o.reply(c, caller, answer)
		return
	}
	if err := expected(o.state, m.Expect); err != nil {
		o.reply(c, caller, &messages.Reply{Err: err})
		return
	}
	events, err := organization.Decide(o.state, m.Body, organization.Moment{Now: m.At, NewID: o.shared.settings.NewID})
	if err != nil {
		o.reply(c, caller, &messages.Reply{Err: err})
		return
	}
	if m.DryRun {
		o.reply(c, caller, o.rehearse(m, events))
		return
	}
	reply := o.record(m, events)
	o.batch.waiting = append(o.batch.waiting, waiter{caller, reply})
	o.flush(c)
}

// answered finds the answer to a command whose key was used before; nil for none.
func (o *organizationActor) answered(m *messages.Command) any {
	if m.IdempotencyKey == "" {
		return nil
	}
	use, used := o.keys.seen[m.IdempotencyKey]
	switch {
	case !used:
		return nil
	case use.fingerprint != m.Fingerprint:
		return &messages.Reply{Err: messages.ErrKeyReused}
	case m.DryRun:
		return nil
	}
	if first, ok := o.keys.recent[m.IdempotencyKey]; ok {
		again := *first
		again.Replayed = true
		return &again
	}
	return &replay{first: use.first, last: use.last}
}

// rehearse answers a dry run: the events on a copy that nobody else ever sees.
func (o *organizationActor) rehearse(m *messages.Command, events []organization.Event) *messages.Reply {
	trial := o.state.Copy()
	stamp := captable.Stamp{Sequence: o.head.sequence, At: captable.InstantOf(m.At), By: m.By}
	for _, event := range events {
		stamp.Sequence++
		trial.Apply(event, stamp)
	}
	return &messages.Reply{Sequence: o.head.sequence, Events: events, Records: recordsOf(events, trial)}
}

// record applies the events and adds their rows to the batch.
func (o *organizationActor) record(m *messages.Command, events []organization.Event) *messages.Reply {
	at := o.shared.settings.Now().UTC().Truncate(time.Microsecond)
	if at.Before(o.head.at) { // a clock that was set back does not turn history around
		at = o.head.at
	}
	for _, event := range events {
		row := messages.Row{
			Organization: o.id, Sequence: o.head.sequence + 1, RecordedAt: at, By: m.By,
			Type: event.EventType(), Payload: payloadOf(event), IdempotencyKey: m.IdempotencyKey, Fingerprint: m.Fingerprint,
		}
		row.Seal(o.head.hash)
		o.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(at), By: m.By})
		o.head = head{row.Sequence, row.Hash, at}
		o.batch.append.Rows = append(o.batch.append.Rows, row)
		if m.IdempotencyKey != "" {
			o.keys.add(m.IdempotencyKey, m.Fingerprint, row.Sequence, at)
		}
	}
	o.batch.append.AddEffects(o.durable(), events, o.state)
	o.batch.append.Particulars = append(o.batch.append.Particulars, m.Particulars...)
	reply := &messages.Reply{Sequence: o.head.sequence, Events: events, Records: recordsOf(events, o.state)}
	if m.IdempotencyKey != "" {
		o.keys.remember(m.IdempotencyKey, reply)
	}
	return reply
}

// durable is the state that is published; nil before the first event.
func (o *organizationActor) durable() *organization.State {
	if view := o.shared.views.get(o.id, o.active); view != nil {
		return view.State
	}
	return nil
}

// reply answers a caller of something that records nothing. What was decided on
// events that are not yet durable waits for them.
func (o *organizationActor) reply(c actor.Context, caller *actor.PID, answer any) {
	switch {
	case !o.batch.empty():
		o.batch.waiting = append(o.batch.waiting, waiter{caller, answer})
	case o.flight != nil:
		o.flight.waiting = append(o.flight.waiting, waiter{caller, answer})
	default:
		c.Send(caller, answer)
	}
}

// flush sends the batch on its way when none is.
func (o *organizationActor) flush(c actor.Context) {
	if o.flight != nil || o.batch.empty() {
		return
	}
	o.flight, o.batch = o.batch, newBatch(o.id)
	o.flight.view = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at}
	settled, self, root := o.settled, c.Self(), c.ActorSystem().Root // the context itself must not leave
	o.shared.journal.Append(o.flight.append, func(err error) {
		settled <- err
		root.Send(self, &appended{of: o})
	})
}

func (o *organizationActor) appended(c actor.Context, m *appended) {
	if m.of != o {
		return // of the actor before a restart, which settled it
	}
	select {
	case err := <-o.settled:
		if o.complete(c, err); err != nil {
			panic(restart{err})
		}
		o.flush(c)
		o.snaps.take(o)
	default: // settled while stopping
	}
}

// complete publishes what is durable, then answers the batch's callers, so that
// everyone reads their own writes.
func (o *organizationActor) complete(c actor.Context, err error) {
	done := o.flight
	o.flight = nil
	if err == nil {
		o.shared.views.publish(o.id, done.view)
	}
	done.answer(c.Send, outcome(err))
}

func outcome(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, messages.ErrFenced), errors.Is(err, messages.ErrNotStored):
		return messages.ErrUnavailable
	default:
		return messages.ErrOutcomeUnknown
	}
}

// settle leaves nobody unanswered before the actor ends: it waits for the append in
// flight and, when stopping in order, sends what was gathered behind it.
func (o *organizationActor) settle(c actor.Context, flushNext bool) {
	limit := time.NewTimer(o.shared.settings.Patience)
	defer limit.Stop()
	var err error
	for o.flight != nil && err == nil {
		select {
		case err = <-o.settled:
		case <-limit.C:
			err = messages.ErrUnknownOutcome
		}
		if o.complete(c, err); err == nil && flushNext {
			o.flush(c)
		}
	}
	o.batch.answer(c.Send, messages.ErrUnavailable)
	for _, e := range o.queued {
		c.Send(e.sender, &messages.Reply{Err: messages.ErrUnavailable})
	}
	o.queued = nil
}
