package actors

import (
	"cmp"
	"context"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// history returns organizations as of an earlier sequence, from the
// nearest snapshot and the journal. It caches the most recent views.
type history struct {
	shared *shared
	recent chan []pastView // contains the list; the receiver owns it
	turns  chan struct{}   // limits concurrent reads of journals
}

type pastView struct {
	id   organization.ID
	view *messages.View
}

// The limits of past views: cached views, their events (an estimate of
// their size), and concurrent reads of journals.
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

// view returns the organization as of a sequence that it has reached.
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
	if known := h.known(id, sequence); known != nil { // loaded by a concurrent request
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

// known returns the view if it is cached, or nil.
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

// keep caches the view and evicts the oldest ones above the limits.
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

// forget removes the cached views of the organization.
func (h *history) forget(id organization.ID) {
	kept := slices.Clone(<-h.recent)
	h.recent <- slices.DeleteFunc(kept, func(p pastView) bool { return p.id == id })
}

// reply rebuilds the original answer to a command from its events.
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
