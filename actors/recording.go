package actors

import (
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// rehearse answers a dry run or a command without events on a private copy
// of the state.
func (o *organizationActor) rehearse(m *messages.Command, events []organization.Event) *messages.Reply {
	trial := o.state.Copy()
	stamp := captable.Stamp{Sequence: o.head.sequence, At: captable.InstantOf(m.At), By: m.By}
	for _, event := range events {
		stamp.Sequence++
		trial.Apply(event, stamp)
	}
	return &messages.Reply{Sequence: o.head.sequence, Events: events, Records: recordsOf(events, trial)}
}

// record applies the events and adds their rows to the batch. If it panics, the
// batch may contain a partial command and is not sent.
func (o *organizationActor) record(m *messages.Command, events []organization.Event) *messages.Reply {
	o.tainted = true
	before, former := o.base(), messages.FormerHolders(events, o.state)
	at := o.shared.settings.Now().UTC().Truncate(time.Microsecond)
	if at.Before(o.head.at) { // times never decrease, even if the clock was set back
		at = o.head.at
	}
	for _, event := range events {
		row := messages.Row{
			Organization: o.id, Sequence: o.head.sequence + 1, RecordedAt: at, By: m.By,
			Type: event.EventType(), Payload: payloadOf(event), IdempotencyKey: m.IdempotencyKey, Fingerprint: m.Fingerprint,
		}
		row.Salt(o.shared.settings.NewID)
		row.Seal(o.head.hash)
		o.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(at), By: m.By})
		o.head = head{row.Sequence, row.Hash, at}
		o.batch.append.Rows = append(o.batch.append.Rows, row)
		if m.IdempotencyKey != "" {
			o.keys.add(m.IdempotencyKey, m.Fingerprint, row.Sequence, at)
		}
	}
	o.batch.append.AddEffects(before, events, o.state)
	o.batch.append.AddStakes(before, former, o.state)
	o.batch.append.Particulars = append(o.batch.append.Particulars, m.Particulars...)
	o.batch.append.AddMails(events, m.Mails)
	reply := &messages.Reply{Sequence: o.head.sequence, Events: events, Records: recordsOf(events, o.state)}
	if m.IdempotencyKey != "" {
		o.keys.remember(m.IdempotencyKey, reply)
	}
	o.tainted = false
	return reply
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
