package actors

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// batch contains the rows of one append and the callers that wait for it.
type batch struct {
	append  messages.Append
	waiting []waiter
	// view is published when the batch is durable.
	view *messages.View
	// arms are the consumers that the batch arms.
	arms []*consuming
	// behind are the messages that request later rows than the published ones.
	behind []envelope
}

// waiter is a caller and its reply once the batch is durable. Refusals and
// dry runs wait too if they were decided on state that depends on the batch.
type waiter struct {
	caller *actor.PID
	reply  any
	// recorded reports that the caller's own events are in the batch.
	recorded bool
	timeline *messages.Timeline // nil without traces
}

// mostWaiting bounds the waiting callers. Further callers are refused at once.
const mostWaiting = 16384

// newBatch returns an empty batch with the capacity of the last one.
func newBatch(org organization.ID, last *batch) *batch {
	b := &batch{append: messages.Append{Organization: org}}
	if last != nil {
		b.append.Rows = make([]messages.Row, 0, len(last.append.Rows))
		b.waiting = make([]waiter, 0, len(last.waiting))
	}
	return b
}

func (b *batch) empty() bool { return len(b.append.Rows) == 0 }

// record applies the events and adds their rows to the batch. Should it panic, the batch may hold half of a command and
// is not sent.
func (o *organizationActor) record(m *messages.Command, events []organization.Event) *messages.Reply {
	o.inconsistent = true
	first, rows := o.head.sequence+1, len(o.batch.append.Rows)
	r := recorder{settings: &o.shared.settings, state: o.state, head: o.head}
	var reply *messages.Reply
	if len(events) < bulkSize {
		reply = r.record(m, events, o.base(), &o.batch.append)
	} else {
		into := messages.Append{Organization: o.id}
		reply = r.recordBulk(m, events, &into)
		o.batch.append.Merge(into)
	}
	o.head = r.head
	o.children.arm(o.state, o.batch, rows)
	o.keys.record(m, first, o.head, reply)
	o.inconsistent = false
	return reply
}

// recorder turns events into rows behind the head and applies them to the state.
type recorder struct {
	settings *Settings
	state    *organization.State
	head     head
	// keepCovered collects the payloads as covered by the hashes, for rows that may move.
	keepCovered bool
	covered     [][]byte
}

// record adds the rows of the events, and all that is stored with them, to the append. Before is the state that the
// append begins with; nil before the first event.
func (r *recorder) record(
	m *messages.Command, events []organization.Event, before *organization.State, into *messages.Append,
) *messages.Reply {
	former, at := messages.FormerHolders(events, r.state), r.time()
	for _, event := range events {
		r.add(m, event, at, into)
	}
	into.AddEffects(before, events, r.state)
	into.AddStakes(before, former, r.state)
	into.Particulars = append(into.Particulars, m.Particulars...)
	into.AddMails(events, m.Mails)
	into.Sealed = append(into.Sealed, m.Sealed...)
	return &messages.Reply{Sequence: r.head.sequence, Events: events, Result: resultOf(m, events, r.state)}
}

// time returns the time of the next rows. Times never decrease, even if the clock was set back.
func (r *recorder) time() time.Time {
	at := r.settings.Now().UTC().Truncate(time.Microsecond)
	if at.Before(r.head.at) {
		return r.head.at
	}
	return at
}

// add applies one event and adds its row.
func (r *recorder) add(m *messages.Command, event organization.Event, at time.Time, into *messages.Append) {
	row := messages.Row{
		Organization: into.Organization, Sequence: r.head.sequence + 1, RecordedAt: at, By: m.By,
		Type: event.EventType(), Payload: payloadOf(event), IdempotencyKey: m.IdempotencyKey, Fingerprint: m.Fingerprint,
	}
	row.SetOrigin(m.Source())
	row.Salt(r.settings.NewID)
	covered := row.Covered()
	row.SealCovered(r.head.hash, covered)
	if r.keepCovered {
		r.covered = append(r.covered, covered)
	}
	r.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(at), By: m.By})
	r.head = head{row.Sequence, row.Hash, at}
	into.Rows = append(into.Rows, row)
}

// recordBulk is like record for a command of many rows. It packs the rows. The reply to a package has the number of
// events by type, because the events themselves take much memory. The holding of each affected entity is stated, because
// the rows may move behind others that change it.
func (r *recorder) recordBulk(m *messages.Command, events []organization.Event, into *messages.Append) *messages.Reply {
	_, isPackage := m.Body.(organization.ImportPackage)
	former, at := messages.FormerHolders(events, r.state), r.time()
	reply := &messages.Reply{Events: events}
	if isPackage {
		reply.Events, reply.Counts = nil, map[string]int{}
	}
	into.Rows = make([]messages.Row, 0, len(events))
	for i, event := range events {
		r.add(m, event, at, into)
		into.AddEffects(nil, events[i:i+1], r.state)
		if isPackage {
			reply.Counts[event.EventType()]++
		}
	}
	into.AddStakes(nil, former, r.state)
	into.Particulars = append(into.Particulars, m.Particulars...)
	into.AddMails(reply.Events, m.Mails)
	into.Sealed = append(into.Sealed, m.Sealed...)
	into.Pack()
	if !isPackage {
		reply.Result = resultOf(m, events, r.state)
	}
	reply.Sequence = r.head.sequence
	return reply
}

// payloadOf returns the event's JSON. Events are plain data, so an encoding error is a
// broken invariant.
func payloadOf(event organization.Event) []byte {
	payload, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	return payload
}

// resultOf returns the result of a decided command, or nil if it has none. After is the state after its events.
func resultOf(m *messages.Command, events []organization.Event, after *organization.State) any {
	if m.Result == nil {
		return nil
	}
	result, ok := m.Result(events, after)
	if !ok {
		return nil
	}
	return result
}

// base returns the state before the open batch: the state of the batch in flight or,
// without one, the published state; nil before the first event.
func (o *organizationActor) base() *organization.State {
	switch {
	case o.inFlight != nil:
		return o.inFlight.view.State
	case o.published != nil:
		return o.published.State
	default:
		return nil
	}
}

// dispatch sends the open batch unless an append is in flight.
func (o *organizationActor) dispatch(c actor.Context) {
	if o.inFlight != nil || o.batch.empty() {
		return
	}
	o.inFlight, o.batch = o.batch, newBatch(o.id, o.batch)
	for _, one := range o.inFlight.arms { // a failed append restarts the actor, which knows of no alarm
		one.armed = true
	}
	o.sent = o.shared.settings.Now()
	if o.shared.settings.Traced != nil {
		o.inFlight.mark(func(t *messages.Timeline) { t.Appending = o.sent })
	}
	o.inFlight.view = &messages.View{State: o.state.Copy(), Sequence: o.head.sequence, RecordedAt: o.head.at, Hash: o.head.hash}
	result, self, root := o.appendResult, c.Self(), c.ActorSystem().Root // the context must not be used in another goroutine
	o.shared.journal.Append(o.inFlight.append, func(err error) {
		result <- err
		root.Send(self, &appended{})
	})
}

// appended wakes the actor after an append. The outcome is in appendResult.
type appended struct{}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*appended) IgnoreDeadLetterLogging() {}

func (o *organizationActor) appended(c actor.Context) {
	select {
	case err := <-o.appendResult:
		o.complete(c, err)
		switch {
		case errors.Is(err, messages.ErrFenced):
			o.collided(c)
			return
		case err != nil:
			o.inconsistent = true
			panic(restart{err})
		}
		o.dispatch(c)
		o.admit(c)
		if o.snaps.due(o.published, o.shared.settings.SnapshotEvery) {
			o.snaps.take(o.shared, o.published, func() {})
		}
	default: // sent before a restart, which has settled it
	}
}

// complete publishes the durable state, then answers the callers of the batch, so that
// they read their own writes.
func (o *organizationActor) complete(c actor.Context, err error) {
	done := o.inFlight
	o.inFlight = nil
	if o.shared.settings.Traced != nil {
		done.mark(func(t *messages.Timeline) { t.Durable = o.shared.settings.Now() })
	}
	if err == nil {
		o.published = done.view
		o.shared.views.publish(o.id, done.view)
		o.shared.announce(messages.Published{Organization: o.id, Rows: done.append.Rows, View: done.view})
		o.children.publish(c, done)
	} else {
		o.shared.views.doubt(o.id, o.sent)
	}
	o.shared.counters.count(done, err)
	done.answer(c, err)
	o.queued = append(o.queued, done.behind...)
}

// answer sends the outcome to all callers: the reply, or the error of the append. Refusals and
// dry runs changed nothing in either case.
func (b *batch) answer(c actor.Context, err error) {
	for _, w := range b.waiting {
		switch {
		case err == nil:
		case w.recorded, errors.Is(err, messages.ErrFenced):
			w.reply = &messages.Reply{Err: outcome(err)}
		default:
			w.reply = &messages.Reply{Err: messages.ErrUnavailable}
		}
		w.timeline.Answer()
		tell(c, w.caller, w.reply)
	}
	b.waiting = nil
}

// mark sets a time of the traced commands that recorded events.
func (b *batch) mark(set func(*messages.Timeline)) {
	for i := range b.waiting {
		if one := &b.waiting[i]; one.timeline != nil && one.recorded {
			set(one.timeline)
		}
	}
}

// tell sends the answer to a waiting caller.
func tell(c actor.Context, caller *actor.PID, answer any) {
	if caller != nil {
		c.Send(caller, answer)
	}
}

// outcome returns the error for callers of a failed append.
func outcome(err error) *fault.Error {
	switch {
	case errors.Is(err, messages.ErrFenced):
		return errCollided
	case errors.Is(err, messages.ErrNotStored):
		return messages.ErrUnavailable
	}
	return messages.ErrOutcomeUnknown
}

// settle answers all callers before the actor ends: it waits for the
// append in flight and then sends the open batch, unless the batch is inconsistent. An
// append that does not return in time has an unknown outcome. If it is stored later,
// the fence prevents conflicting rows.
func (o *organizationActor) settle(c actor.Context) {
	limit := time.NewTimer(o.shared.settings.Patience)
	defer limit.Stop()
	var err error
	if !o.inconsistent {
		o.dispatch(c)
	}
	for o.inFlight != nil && err == nil {
		select {
		case err = <-o.appendResult:
		case <-limit.C:
			err = messages.ErrUnknownOutcome
		}
		if o.complete(c, err); err == nil && !o.inconsistent {
			o.dispatch(c)
		}
	}
	o.batch.answer(c, messages.ErrNotStored)
	tell(c, o.replyTo, &messages.Reply{Err: errPanicked})
}

// announce passes durable events to the receiver of the settings.
func (s *shared) announce(published messages.Published) {
	if s.settings.Published != nil {
		s.settings.Published(published)
	}
}
