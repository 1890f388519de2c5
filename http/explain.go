package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/messages"
)

// explanation is a figure with all that it is made of.
type explanation struct {
	AsOf        captable.Date `json:"asOf"`
	Sequence    uint64        `json:"sequence"`
	Figure      string        `json:"figure"`
	Explanation term          `json:"explanation"`
}

// term is a figure of an explanation as people read it.
type term struct {
	Label     string              `json:"label"`
	Value     captable.Authorized `json:"value"`
	Operation captable.Operation  `json:"operation"`
	// Explain is the figure to ask for to have this one explained.
	Explain string      `json:"explain,omitempty"`
	Terms   []term      `json:"terms,omitempty"`
	Records []reference `json:"records,omitempty"`
	Entries []source    `json:"entries,omitempty"`
}

// reference names a record that a figure is read from.
type reference struct {
	Kind string           `json:"kind"`
	ID   captable.ID[any] `json:"id"`
}

// source is an event that a figure was set by.
type source struct {
	Sequence   uint64           `json:"sequence"`
	RecordedAt captable.Instant `json:"recordedAt"`
	By         string           `json:"by"`
	Type       string           `json:"type"`
}

// explainFigure answers what a figure is made of, down to the journal's entries.
func (s *Server) explainFigure(ctx context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		state, figure := c.View.State, c.Query("figure")
		root, err := state.Table().Explain(figure, c.through(), state.NameOf)
		if err != nil {
			return nil, ofQuery(err)
		}
		about := sources{}
		about.ask(root)
		if err := s.journal.Scan(ctx, c.Organization, 0, c.View.Sequence, about.add); err != nil {
			return nil, unavailable(fmt.Errorf("journal of %s: %w", c.Organization, err))
		}
		return explanation{c.through(), c.View.Sequence, figure, about.tell(root)}, nil
	})
}

// ofQuery points at the parameters of the query what was found wrong with fields.
func ofQuery(err error) error {
	var refused *captable.Error
	if !errors.As(err, &refused) || len(refused.Fields) == 0 {
		return err
	}
	moved := *refused
	moved.Fields = slices.Clone(refused.Fields)
	for i := range moved.Fields {
		moved.Fields[i].Pointer = "/query" + moved.Fields[i].Pointer
	}
	return &moved
}

// sources are the events about each record that an explanation ends at.
type sources map[[16]byte][]source

// ask notes the records of the term and of all below it.
func (a sources) ask(t captable.Term) {
	for _, record := range t.Records {
		a[record.ID] = nil
	}
	for _, part := range t.Terms {
		a.ask(part)
	}
}

// add notes the event with every record whose id it mentions.
func (a sources) add(row messages.Row) error {
	for payload := row.Payload; ; {
		start := bytes.IndexByte(payload, '"')
		if start < 0 {
			return nil
		}
		payload = payload[start+1:]
		const length = 36
		if len(payload) <= length || payload[length] != '"' {
			continue
		}
		id, err := captable.ParseID[any](string(payload[:length]))
		if err != nil {
			continue
		}
		payload = payload[length+1:]
		known, asked := a[id]
		if asked && (len(known) == 0 || known[len(known)-1].Sequence != row.Sequence) {
			a[id] = append(known, source{row.Sequence, captable.InstantOf(row.RecordedAt), row.By, row.Type})
		}
	}
}

// tell gives the term with the events that set what it ends at.
func (a sources) tell(t captable.Term) term {
	told := term{Label: t.Label, Value: t.Value, Operation: t.Operation, Explain: t.Figure}
	for _, part := range t.Terms {
		told.Terms = append(told.Terms, a.tell(part))
	}
	for _, record := range t.Records {
		told.Records = append(told.Records, reference{record.Kind, record.ID})
		for _, event := range a[record.ID] {
			if record.Events == nil || slices.Contains(record.Events, event.Type) {
				told.Entries = append(told.Entries, event)
			}
		}
	}
	return told
}
