package actors

import (
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// rehearse answers a dry run or a command without events. It applies the events to a private copy of the state.
func rehearse(state *organization.State, sequence uint64, m *messages.Command, events []organization.Event) *messages.Reply {
	trial := state.Copy()
	stamp := captable.Stamp{Sequence: sequence, At: captable.InstantOf(m.At), By: m.By}
	for _, event := range events {
		stamp.Sequence++
		trial.Apply(event, stamp)
	}
	return &messages.Reply{Sequence: sequence, Events: events, Records: recordsOf(events, trial)}
}

// recorder turns events into rows behind the head and applies them to the state.
type recorder struct {
	settings *Settings
	state    *organization.State
	head     head
}

// record adds the rows of the events, and all that is stored with them, to the append. Before is the state that the
// append begins with; nil before the first event.
func (r *recorder) record(m *messages.Command, events []organization.Event, before *organization.State, into *messages.Append) *messages.Reply {
	former, at := messages.FormerHolders(events, r.state), r.time()
	for _, event := range events {
		r.add(m, event, at, into)
	}
	into.AddEffects(before, events, r.state)
	into.AddStakes(before, former, r.state)
	into.Particulars = append(into.Particulars, m.Particulars...)
	into.AddMails(events, m.Mails)
	return &messages.Reply{Sequence: r.head.sequence, Events: events, Records: recordsOf(events, r.state)}
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
	row.Salt(r.settings.NewID)
	row.Seal(r.head.hash)
	r.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(at), By: m.By})
	r.head = head{row.Sequence, row.Hash, at}
	into.Rows = append(into.Rows, row)
}

// recordBulk is like record for a command of many rows. The reply has no records. For a package, each event is released
// when its row exists, so that the events and the rows do not take memory at the same time.
func (r *recorder) recordBulk(m *messages.Command, events []organization.Event, before *organization.State, into *messages.Append) *messages.Reply {
	_, isPackage := m.Body.(organization.ImportPackage)
	former, at := messages.FormerHolders(events, r.state), r.time()
	reply := &messages.Reply{Events: events}
	if isPackage {
		reply.Events, reply.Counts = nil, map[string]int{}
	}
	into.Rows = make([]messages.Row, 0, len(events))
	for i, event := range events {
		r.add(m, event, at, into)
		into.AddEffects(before, events[i:i+1], r.state)
		if isPackage {
			reply.Counts[event.EventType()]++
			events[i] = nil
		}
	}
	into.AddStakes(before, former, r.state)
	into.Particulars = append(into.Particulars, m.Particulars...)
	into.AddMails(reply.Events, m.Mails)
	reply.Sequence = r.head.sequence
	return reply
}

// record applies the events and adds their rows to the batch. Should it panic, the batch may hold half of a command and
// is not sent.
func (o *organizationActor) record(m *messages.Command, events []organization.Event) *messages.Reply {
	o.tainted = true
	first := o.head.sequence + 1
	r := recorder{&o.shared.settings, o.state, o.head}
	var reply *messages.Reply
	if len(events) < bulkSize {
		reply = r.record(m, events, o.base(), &o.batch.append)
	} else {
		reply = o.recordBulk(&r, m, events)
	}
	o.head = r.head
	o.rememberKey(m, first, reply)
	o.tainted = false
	return reply
}

// recordBulk adds the rows of many events to the batch.
func (o *organizationActor) recordBulk(r *recorder, m *messages.Command, events []organization.Event) *messages.Reply {
	into := messages.Append{Organization: o.id}
	reply := r.recordBulk(m, events, o.state.Copy(), &into)
	o.batch.append.Merge(into)
	return reply
}

// rememberKey remembers the command's idempotency key, which the rows from first to the head have.
func (o *organizationActor) rememberKey(m *messages.Command, first uint64, reply *messages.Reply) {
	if m.IdempotencyKey == "" {
		return
	}
	for sequence := first; sequence <= o.head.sequence; sequence++ {
		o.keys.add(m.IdempotencyKey, m.Fingerprint, sequence, o.head.at)
	}
	if o.head.sequence-first < bulkSize-1 { // the reply to a bulk takes much memory; the journal has it
		o.keys.remember(m.IdempotencyKey, reply)
	}
}

// base returns the state before the open batch: the state of the batch in flight or,
// without one, the published state; nil before the first event.
func (o *organizationActor) base() *organization.State {
	switch {
	case o.flight != nil:
		return o.flight.view.State
	case o.published != nil:
		return o.published.State
	default:
		return nil
	}
}
