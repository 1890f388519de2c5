package equity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/captable/explain"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// explanation is a figure with its terms.
type explanation struct {
	AsOf        captable.Date `json:"asOf"`
	Sequence    uint64        `json:"sequence"`
	Figure      string        `json:"figure"`
	Explanation term          `json:"explanation"`
}

// term is the JSON form of a term.
type term struct {
	Label     string              `json:"label"`
	Value     captable.Authorized `json:"value"`
	Operation explain.Operation   `json:"operation"`
	// Explain names the figure that explains this term.
	Explain string      `json:"explain,omitempty"`
	Terms   []term      `json:"terms,omitempty"`
	Records []reference `json:"records,omitempty"`
	Entries []source    `json:"entries,omitempty"`
}

// reference names a source record of a figure.
type reference struct {
	Kind string           `json:"kind"`
	ID   captable.ID[any] `json:"id"`
}

// source is an event that set a figure.
type source struct {
	Sequence   uint64           `json:"sequence"`
	RecordedAt captable.Instant `json:"recordedAt"`
	By         string           `json:"by"`
	Origin     messages.Origin  `json:"origin,omitempty"`
	Type       string           `json:"type"`
}

// explainFigure returns the terms of a figure, down to the events of the journal.
func (s capTables) explainFigure(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		state, figure := c.View.State, c.Query("figure")
		root, err := explain.Figure(state.Table(), figure, through(c), state.NameOf)
		if err != nil {
			return nil, ofQuery(err)
		}
		about := sources{}
		about.register(root)
		if err := s.Journal.Scan(ctx, c.Organization, 0, c.View.Sequence, about.add); err != nil {
			return nil, api.Unavailable(fmt.Errorf("journal of %s: %w", c.Organization, err))
		}
		return explanation{through(c), c.View.Sequence, figure, about.termOf(root)}, nil
	})
}

// ofQuery moves the field errors of a query to the parameters of the query.
func ofQuery(err error) error {
	var refused *fault.Error
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

// sources holds the events about each source record of an explanation.
type sources map[[16]byte][]source

// register registers the records of the term and of its subterms.
func (a sources) register(t explain.Term) {
	for _, record := range t.Records {
		a[record.ID] = nil
	}
	for _, part := range t.Terms {
		a.register(part)
	}
}

// add adds the event to every registered record whose id it mentions.
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
			a[id] = append(known, source{row.Sequence, captable.InstantOf(row.RecordedAt), row.By, row.Origin(), row.Type})
		}
	}
}

// termOf converts the term and adds its source events.
func (a sources) termOf(t explain.Term) term {
	result := term{Label: t.Label, Value: t.Value, Operation: t.Operation, Explain: t.Figure}
	for _, part := range t.Terms {
		result.Terms = append(result.Terms, a.termOf(part))
	}
	for _, record := range t.Records {
		result.Records = append(result.Records, reference{record.Kind, record.ID})
		for _, event := range a[record.ID] {
			if record.Events == nil || slices.Contains(record.Events, event.Type) {
				result.Entries = append(result.Entries, event)
			}
		}
	}
	return result
}
