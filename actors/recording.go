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
	former := messages.FormerHolders(events, r.state)
	at := r.settings.Now().UTC().Truncate(time.Microsecond)
	if at.Before(r.head.at) { // times never decrease, even if the clock was set back
		at = r.head.at
	}
	for _, event := range events {
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
	into.AddEffects(before, events, r.state)
	into.AddStakes(before, former, r.state)
	into.Particulars = append(into.Particulars, m.Particulars...)
	into.AddMails(events, m.Mails)
	return &messages.Reply{Sequence: r.head.sequence, Events: events, Records: recordsOf(events, r.state)}
}

// record applies the events and adds their rows to the batch. Should it panic, the batch may hold half of a command and
// is not sent.
func (o *organizationActor) record(m *messages.Command, events []organization.Event) *messages.Reply {
	o.tainted = true
	first := o.head.sequence + 1
	r := recorder{&o.shared.settings, o.state, o.head}
	reply := r.record(m, events, o.base(), &o.batch.append)
	o.head = r.head
	o.rememberKey(m, first, reply)
	o.tainted = false
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
	if len(reply.Events) < bulkSize { // the reply to a bulk takes much memory; the journal has it
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
