package actors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// history gives organizations as they were known at an earlier sequence, from the
// nearest snapshot and the journal behind it. The last few are kept.
type history struct {
	shared *shared
	recent chan []pastView // holds the one list: whoever has taken it may change it
	turns  chan struct{}   // taken by those who read a journal
}

type pastView struct {
	id   organization.ID
	view *messages.View
}

// What the past may cost: views in memory, the events that went into them (which is
// about their size), and how many are read from the journal at the same time.
const (
	mostPast       = 8
	mostPastEvents = 200_000
	mostReading    = 2
)

func newHistory(s *shared) *history {
	h := &history{shared: s, recent: make(chan []pastView, 1), turns: make(chan struct{}, mostReading)}
	h.recent <- nil
	return h
}

// view gives the organization as of the sequence, which it has reached.
func (h *history) view(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	if known := h.known(id, sequence); known != nil {
		return known, nil
	}
	limit := time.NewTimer(cmp.Or(h.shared.settings.StoreTimeout, h.shared.settings.Patience))
	defer limit.Stop()
	select {
	case h.turns <- struct{}{}:
		defer func() { <-h.turns }()
	case <-limit.C:
		return nil, messages.ErrUnavailable
	case <-ctx.Done():
		return nil, messages.ErrUnavailable
	}
	if known := h.known(id, sequence); known != nil { // somebody else asked for the same
		return known, nil
	}
	state, end, _, err := h.shared.stateAt(ctx, id, sequence)
	if isDamage(err) {
		return nil, h.shared.damaged(id, err)
	}
	if err != nil {
		h.shared.log.Warn("history not read", "organization", id.String(), "sequence", sequence, "cause", err)
		return nil, messages.ErrUnavailable
	}
	view := &messages.View{State: state, Sequence: end.sequence, RecordedAt: end.at, Hash: end.hash}
	h.keep(pastView{id, view})
	return view, nil
}

// known gives the view when it is at hand.
func (h *history) known(id organization.ID, sequence uint64) *messages.View {
	if now := h.shared.views.peek(id); now != nil && now.Sequence == sequence {
		return now
	}
	kept := <-h.recent
	h.recent <- kept
	for _, past := range kept {
		if past.id == id && past.view.Sequence == sequence {
			return past.view
		}
	}
	return nil
}

// keep remembers the view, and forgets the oldest ones where it gets too much.
func (h *history) keep(past pastView) {
	kept := append(slices.Clone(<-h.recent), past)
	events := uint64(0)
	for _, p := range kept {
		events += p.view.Sequence
	}
	for len(kept) > mostPast || events > mostPastEvents && len(kept) > 1 {
		events -= kept[0].view.Sequence
		kept = slices.Delete(kept, 0, 1)
	}
	h.recent <- kept
}

// forget lets go of the organization's past.
func (h *history) forget(id organization.ID) {
	kept := slices.Clone(<-h.recent)
	h.recent <- slices.DeleteFunc(kept, func(p pastView) bool { return p.id == id })
}

// reply rebuilds the first answer to a command from its events.
func (h *history) reply(ctx context.Context, id organization.ID, m *replay) (messages.Reply, error) {
	view, err := h.view(ctx, id, m.last)
	if err != nil {
		return messages.Reply{}, err
	}
	reply := messages.Reply{Sequence: m.last, Replayed: true}
	err = h.shared.journal.Scan(ctx, id, m.first-1, m.last, func(row messages.Row) error {
		event, err := h.shared.decoder.Decode(row.Type, row.Payload)
		reply.Events = append(reply.Events, event)
		return err
	})
	if err != nil {
		h.shared.log.Warn("reply not rebuilt", "organization", id.String(), "sequence", m.last, "cause", err)
		return messages.Reply{}, messages.ErrUnavailable
	}
	reply.Records = recordsOf(reply.Events, view.State)
	return reply, nil
}
