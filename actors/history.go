package actors

import (
	"context"
	"slices"

	"equity/messages"
	"equity/organization"
)

// history gives organizations as they were known at an earlier sequence, from the
// nearest snapshot and the journal behind it. The last few are kept.
type history struct {
	shared *shared
	recent chan []pastView // holds the one list: whoever has taken it may change it
}

type pastView struct {
	id   organization.ID
	view *messages.View
}

// mostPast bounds the past views that are kept in memory.
const mostPast = 8

func newHistory(s *shared) *history {
	h := &history{shared: s, recent: make(chan []pastView, 1)}
	h.recent <- nil
	return h
}

// view gives the organization as of the sequence, which it has reached.
func (h *history) view(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	kept := <-h.recent
	h.recent <- kept
	for _, past := range kept {
		if past.id == id && past.view.Sequence == sequence {
			return past.view, nil
		}
	}
	state, end, _, err := h.shared.stateAt(ctx, id, sequence)
	if err != nil {
		h.shared.log.Error("history not read", "organization", id.String(), "sequence", sequence, "cause", err)
		return nil, messages.ErrUnavailable
	}
	view := &messages.View{State: state, Sequence: end.sequence, RecordedAt: end.at}
	kept = <-h.recent
	kept = append(slices.Clone(kept[max(0, len(kept)-mostPast+1):]), pastView{id, view})
	h.recent <- kept
	return view, nil
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
		return messages.Reply{}, messages.ErrUnavailable
	}
	reply.Records = recordsOf(reply.Events, view.State)
	return reply, nil
}
