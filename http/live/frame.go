package live

import (
	"encoding/json"
	"strconv"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// record is the JSON form of a reference.
type record struct {
	Kind string                `json:"kind"`
	ID   captable.ID[struct{}] `json:"id"`
}

// data is the JSON form of an event. It has no contents of records.
type data struct {
	Sequence   uint64 `json:"sequence"`
	RecordedAt string `json:"recordedAt"`
	By         string `json:"by,omitempty"`
	// Origin is empty where By is.
	Origin  messages.Origin `json:"origin,omitempty"`
	Records []record        `json:"records"`
}

// encoder encodes rows for callers with the same access.
type encoder struct {
	schema *organization.Schema
	access organization.Access
	state  *organization.State
}

// append adds the row as an event. A row without a visible record only advances the id.
func (e *encoder) append(text []byte, row *messages.Row) []byte {
	visible := e.visible(row)
	if len(visible) == 0 {
		return appendPosition(text, row.Sequence)
	}
	content := data{Sequence: row.Sequence, RecordedAt: row.RecordedAt.UTC().Format(time.RFC3339Nano), Records: visible}
	if e.access.Can(organization.ViewCapTable) { // as in the list of the journal
		content.By, content.Origin = row.By, row.Origin()
	}
	body, err := json.Marshal(content)
	if err != nil { // plain data
		return appendPosition(text, row.Sequence)
	}
	text = append(text, "id: "...)
	text = strconv.AppendUint(text, row.Sequence, 10)
	text = append(text, "\nevent: "...)
	text = append(text, row.Type...)
	text = append(text, "\ndata: "...)
	text = append(text, body...)
	return append(text, "\n\n"...)
}

// visible returns the visible records of the row. A row of an unknown type has none.
func (e *encoder) visible(row *messages.Row) (visible []record) {
	event, err := e.schema.Decode(row.Type, row.Payload)
	if err != nil {
		return nil
	}
	for _, reference := range e.schema.References(event, e.state) {
		if e.schema.Sees(e.access, e.state, reference) {
			visible = append(visible, record{reference.Kind, reference.ID})
		}
	}
	return visible
}

// accessOf returns the access of the user; false without a membership or a permission.
func accessOf(view *messages.View, user organization.UserID) (organization.Access, bool) {
	reader, ok := view.State.Reader(user, nil)
	if !ok || reader.Permissions == 0 {
		return organization.Access{}, false
	}
	return reader.Access(), true
}

// appendPosition adds a comment with an id. Clients store the id and dispatch no event.
func appendPosition(text []byte, sequence uint64) []byte {
	text = append(text, ":\nid: "...)
	text = strconv.AppendUint(text, sequence, 10)
	return append(text, "\n\n"...)
}

// ping is the comment that keeps a connection open.
const ping = ": ping\n\n"
