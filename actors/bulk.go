package actors

import (
	"errors"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// A command of many rows (a bulk) takes seconds to decide. It is decided and recorded on a copy of the state in a
// goroutine, while the actor goes on with other commands:
//
//   - If none of them added a row, the actor takes over the result in constant time.
//   - If the rows of both are independent (see [independence]), the rows of the bulk move behind the new head, in a
//     goroutine again. The actor holds other commands back for this, at most about half a second for 100,000 rows.
//   - Otherwise the bulk is decided again on the newer state, and after some attempts by the actor itself, so that an
//     organization with constant writes can import too. Its other commands wait for that once.
const (
	// bulkSize is the size from which a command is a bulk.
	bulkSize = 500
	// bulkAttempts bounds the attempts outside the actor.
	bulkAttempts = 2
	// fewConcurrent is the number of commands that are checked while others are held back. More are checked before, in at
	// most mostChecks rounds.
	fewConcurrent = 50
	mostChecks    = 3
)

// bulk is a command of many rows on its way.
type bulk struct {
	of       *organizationActor
	command  *messages.Command
	caller   *actor.PID
	attempts int
	checks   int
	base     head // of the journal before the rows

	// The outcome of the attempt. The reply has no events if nothing is to be recorded.
	err      error
	reply    *messages.Reply
	records  bool
	events   []organization.Event
	recorder recorder
	append   messages.Append
	// independence checks the commands that were recorded since the attempt began. It is nil before the first check.
	independence *independence
	dependent    bool // one of them depends on the bulk, or the bulk on it
}

// discard releases the outcome of an attempt.
func (b *bulk) discard() {
	*b = bulk{of: b.of, command: b.command, caller: b.caller, attempts: b.attempts}
}

// prepared wakes the actor when an attempt has ended.
type prepared struct{ *bulk }

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended meanwhile.
func (*prepared) IgnoreDeadLetterLogging() {}

// bulks are the commands of many rows: one that is being decided, and those that wait for their turn.
type bulks struct {
	current *bulk
	waiting []*bulk
	// concurrent are the commands that were recorded since the attempt began or since the last check.
	concurrent []concurrentWrite
	// holding reports that commands are held back until the rows of the current bulk have moved.
	holding bool
}

// decideBulk decides a bulk, outside the actor if possible.
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

// prepare begins the first or another attempt, or queues the bulk behind an earlier one. It reports false if the actor is
// to decide the command itself.
func (o *organizationActor) prepare(c actor.Context, b *bulk) bool {
	if b.attempts == bulkAttempts {
		return false
	}
	if o.bulks.current != nil && o.bulks.current != b {
		o.bulks.waiting = append(o.bulks.waiting, b)
		return true
	}
	o.bulks.current, o.bulks.concurrent = b, nil
	b.attempts++
	b.of, b.base = o, o.head
	b.recorder = recorder{settings: &o.shared.settings, state: o.state.Copy(), head: o.head, keepCovered: true}
	b.append = messages.Append{Organization: o.id}
	o.run(c, b, b.attempt)
	return true
}

// run executes a step of the bulk in a goroutine.
func (o *organizationActor) run(c actor.Context, b *bulk, step func()) {
	self, root := c.Self(), c.ActorSystem().Root
	go func() { // ends without the store or the caller
		failed := contained(func() error {
			step()
			return nil
		})
		if failed != nil {
			b.err = failed
		}
		root.Send(self, &prepared{b})
	}()
}

// attempt decides the command, and records it unless it is a dry run.
func (b *bulk) attempt() {
	m, r := b.command, &b.recorder
	events, err := organization.Decide(r.state, m.Body, r.settings.context(m, r.settings.NewID))
	b.err, b.records = err, err == nil && !m.DryRun && len(events) > 0
	switch {
	case err != nil:
	case b.records:
		b.reply, b.events = r.recordBulk(m, events, &b.append), events
	default:
		b.reply = rehearse(r.state, b.base.sequence, m, events)
	}
	if m.Decided != nil {
		m.Decided()
	}
}

// bulkPrepared continues with the outcome of a step.
func (o *organizationActor) bulkPrepared(c actor.Context, b *bulk) {
	if b.of != o || o.bulks.current != b {
		return // for the actor before a restart
	}
	o.bulks.holding = false
	refusal, refused := errors.AsType[*fault.Error](b.err)
	switch {
	case b.err != nil && !refused:
		o.log.Error("import failed", "cause", b.err)
		o.bulkDone(c)
		o.reply(c, waiter{caller: b.caller, reply: &messages.Reply{Err: errPanicked}})
	case refused:
		o.bulkDone(c)
		o.reply(c, waiter{caller: b.caller, reply: &messages.Reply{Err: refusal}})
	case !b.records:
		o.bulkDone(c)
		o.reply(c, waiter{caller: b.caller, reply: b.reply})
	default:
		o.place(c, b)
	}
	if !o.bulks.holding {
		o.admit(c)
	}
}

// place takes over the rows of a bulk if they follow the head. Otherwise it begins the next step.
func (o *organizationActor) place(c actor.Context, b *bulk) {
	switch {
	case b.dependent || len(o.bulks.concurrent) > mostWaiting:
		b.discard()
		o.decideBulk(c, b)
	case !o.mayDecide(c, b.command, b.caller):
		o.bulkDone(c)
	case b.base == o.head:
		o.adopt(b)
		o.bulkDone(c)
		o.dispatch(c)
	case len(o.bulks.concurrent) > fewConcurrent && b.checks < mostChecks:
		b.checks++
		since := o.bulks.takeConcurrent()
		o.run(c, b, func() { b.check(since) })
	default:
		o.bulks.holding = true
		since, next := o.bulks.takeConcurrent(), recorder{settings: &o.shared.settings, state: o.state.Copy(), head: o.head}
		o.run(c, b, func() {
			if b.check(since); !b.dependent {
				b.move(next)
			}
		})
	}
}

// takeConcurrent returns the commands that were recorded since the last call.
func (b *bulks) takeConcurrent() []concurrentWrite {
	since := b.concurrent
	b.concurrent = nil
	return since
}

// adopt makes the outcome of an attempt the actor's state, and adds its rows to the batch.
func (o *organizationActor) adopt(b *bulk) {
	o.inconsistent = true
	o.state, o.head = b.recorder.state, b.recorder.head
	rows := len(o.batch.append.Rows)
	o.batch.append.Merge(b.append)
	o.children.arm(o.state, o.batch, rows)
	o.batch.waiting = append(o.batch.waiting, waiter{caller: b.caller, reply: b.reply, recorded: true})
	o.keys.record(b.command, b.base.sequence+1, o.head, b.reply)
	o.inconsistent = false
}

// bulkDone begins the next bulk.
func (o *organizationActor) bulkDone(c actor.Context) {
	o.bulks.current, o.bulks.concurrent = nil, nil
	for o.bulks.current == nil && len(o.bulks.waiting) > 0 {
		next := o.bulks.waiting[0]
		o.bulks.waiting = slices.Delete(o.bulks.waiting, 0, 1)
		o.decideBulk(c, next)
	}
}

// refuseBulks answers the callers of bulks that are not in a batch yet.
func (o *organizationActor) refuseBulks(c actor.Context, refusal error) {
	if b := o.bulks.current; b != nil {
		tell(c, b.caller, &messages.Reply{Err: refusal})
	}
	for _, b := range o.bulks.waiting {
		tell(c, b.caller, &messages.Reply{Err: refusal})
	}
	o.bulks = bulks{}
}
