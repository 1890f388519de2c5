package webhook

import (
	"bytes"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/captable"
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
)

// envelope is the body of a delivery.
type envelope struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	APIVersion   string          `json:"api_version"`
	Created      string          `json:"created"`
	Organization organization.ID `json:"organization"`
	Data         data            `json:"data"`
}

type data struct {
	Object             json.RawMessage            `json:"object"`
	PreviousAttributes map[string]json.RawMessage `json:"previous_attributes"`
}

// occasion is one event for webhooks: a type and the record that it concerns.
type occasion struct {
	eventType string
	record    any
	// before reports that the record is that of the state before the event.
	before bool
}

// view returns the organization with the record.
func (o *occasion) view(row *consumer.Event) *messages.View {
	if o.before {
		return before(row)
	}
	return after(row)
}

// occasions returns the webhook events of an event of the journal, in an order that never changes.
func occasions(event organization.Event, row *consumer.Event) []occasion {
	kinds := types(row.Type)
	if len(kinds) == 0 {
		return nil
	}
	switch e := event.(type) {
	case organization.Created, organization.Changed:
		return []occasion{{eventType: kinds[0], record: row.Organization}}
	case organization.RoomEvent:
		return roomOccasions(kinds[0], e, row)
	case organization.Reporting:
		return reported(e.Occasions(row.Before, row.After))
	case organization.RoleDeleted:
		return deleted(kinds[0], one(row.Before.Role(e.ID)))
	}
	if strings.HasPrefix(row.Type, "member") {
		return memberOccasions(event, row)
	}
	if table, is := event.(organization.TableEvent); is {
		if e, is := table.Event.(captable.SecurityDeleted); is {
			return deleted(kinds[0], one(row.Before.Table().Security(e.ID)))
		}
	}
	records := event.Records(row.After)
	if len(records) == 0 {
		return nil
	}
	all := []occasion{{eventType: kinds[0], record: records[0]}}
	for _, record := range records[1:] {
		all = append(all, occasion{eventType: furtherType(kinds[0], row.Before, record), record: record})
	}
	return all
}

// reported returns the occasions that an event states itself.
func reported(stated []organization.Occasion) []occasion {
	all := make([]occasion, len(stated))
	for i, one := range stated {
		all[i] = occasion{eventType: one.Type, record: one.Record}
	}
	return all
}

// furtherType returns the type for a record after the first one of an event: it is created, or affected like the first one.
func furtherType(first string, before *organization.State, record any) string {
	switch {
	case formerOf(before, record) != nil:
		return first
	case isShareholding(record):
		return "shareholding.created"
	default:
		return "holding.created"
	}
}

func isShareholding(record any) bool {
	_, is := record.(*captable.Shareholding)
	return is
}

func one[R any](record R, ok bool) []any {
	if !ok {
		return nil
	}
	return []any{record}
}

func deleted(eventType string, records []any) []occasion {
	if len(records) == 0 {
		return nil
	}
	return []occasion{{eventType: eventType, record: records[0], before: true}}
}

// memberOccasions reports the addition of a member once for each stay: when the person becomes a member, not when they are
// invited.
func memberOccasions(event organization.Event, row *consumer.Event) []occasion {
	records := event.Records(row.After)
	if len(records) == 0 {
		return nil
	}
	after, is := records[0].(*organization.Member)
	if !is {
		return nil
	}
	before, known := row.Before.Member(after.ID)
	was, now := known && belongs(before), belongs(after)
	switch {
	case row.Type == "memberInvited":
		return []occasion{{eventType: "member.invited", record: after}}
	case row.Type == "memberRemoved":
		return []occasion{{eventType: "member.removed", record: after}}
	case !was && now:
		return []occasion{{eventType: "member.added", record: after}}
	case row.Type == "memberChanged", row.Type == "memberJoined", row.Type == "memberClaimed":
		return []occasion{{eventType: "member.updated", record: after}}
	}
	return nil
}

// belongs reports whether the person is a member: invited persons and removed ones are not.
func belongs(m *organization.Member) bool {
	return m.Status == organization.StatusJoined || m.Status == organization.StatusRegistered
}

// message is one event of a webhook, ready to be sent.
type message struct {
	id, eventType string
	body          []byte
}

// translator turns events of the journal into messages.
type translator struct {
	records app.Records
	version string
}

// messages returns the messages of an event that the webhook selects and its audience may read.
func (t *translator) messages(webhook *endpoint.Webhook, to *audience, row *consumer.Event) ([]message, error) {
	found := occasions(row.Decoded, row)
	var all []message
	for index := range found {
		if o := &found[index]; webhook.Selects(o.eventType) && to.sees(o.view(row), o.record) {
			made, err := t.message(row, to, index, o)
			if err != nil {
				return nil, err
			}
			all = append(all, made)
		}
	}
	if name := "journal." + row.Type; webhook.Selects(name) {
		made, visible, err := t.journal(row, to, row.Decoded, name, len(found))
		if err != nil {
			return nil, err
		}
		if visible {
			all = append(all, made)
		}
	}
	return all, nil
}

func (t *translator) message(row *consumer.Event, to *audience, index int, o *occasion) (message, error) {
	object, err := t.records.Record(o.view(row), to.reader, o.record)
	if err != nil {
		return message{}, fmt.Errorf("record of %s: %w", row.EventID(), err)
	}
	previous := map[string]json.RawMessage{}
	if strings.HasSuffix(o.eventType, ".updated") {
		if former := formerOf(row.Before, o.record); former != nil {
			old, err := t.records.Record(before(row), to.reader, former)
			if err != nil {
				return message{}, fmt.Errorf("record before %s: %w", row.EventID(), err)
			}
			previous = changed(old, object)
		}
	}
	return t.envelope(row, index, o.eventType, data{object, previous})
}

// before returns the organization before the event. Its figures are those of the day of the event, so that differences are due to
// the event.
func before(row *consumer.Event) *messages.View {
	return &messages.View{State: row.Before, Sequence: row.Sequence - 1, RecordedAt: row.RecordedAt}
}

// after returns the organization after the event.
func after(row *consumer.Event) *messages.View {
	return &messages.View{State: row.After, Sequence: row.Sequence, RecordedAt: row.RecordedAt}
}

// journal returns the message for an event of the journal itself: its type and the visible records. It is visible to readers of the list
// of the journal, and to readers of one of its records, who do not learn its author, as in the stream of events.
func (t *translator) journal(
	row *consumer.Event, to *audience, event organization.Event, name string, index int,
) (made message, visible bool, err error) {
	object := struct {
		Sequence uint64            `json:"sequence"`
		Type     string            `json:"type"`
		By       string            `json:"by,omitempty"`
		Origin   messages.Origin   `json:"origin,omitempty"`
		Records  []json.RawMessage `json:"records"`
	}{Sequence: row.Sequence, Type: row.Type, Records: []json.RawMessage{}}
	if visible = to.access.Can(organization.ViewCapTable); visible {
		object.By, object.Origin = row.By, row.Origin()
	}
	view := after(row)
	for _, record := range event.Records(row.After) {
		if !to.sees(view, record) {
			continue
		}
		visible = true
		rendered, err := t.records.Record(view, to.reader, record)
		if err != nil {
			return message{}, false, fmt.Errorf("record of %s: %w", row.EventID(), err)
		}
		object.Records = append(object.Records, rendered)
	}
	if !visible {
		return message{}, false, nil
	}
	text, err := json.Marshal(object)
	if err != nil {
		return message{}, false, fmt.Errorf("event %s: %w", row.EventID(), err)
	}
	made, err = t.envelope(row, index, name, data{text, map[string]json.RawMessage{}})
	return made, true, err
}

func (t *translator) envelope(row *consumer.Event, index int, eventType string, content data) (message, error) {
	id := EventID(row.Organization, row.Sequence, index)
	body, err := json.Marshal(envelope{
		ID: id, Type: eventType, APIVersion: t.version, Created: row.RecordedAt.UTC().Format(time.RFC3339Nano),
		Organization: row.Organization, Data: content,
	})
	if err != nil {
		return message{}, fmt.Errorf("event %s: %w", row.EventID(), err)
	}
	return message{id, eventType, body}, nil
}

// EventID returns the id of a webhook event: evt_ and the base32 of the organization, the sequence and the index of the event
// among those of the same sequence. It is the same in every repetition.
func EventID(id organization.ID, sequence uint64, index int) string {
	key := append([]byte{}, id[:]...)
	key = binary.BigEndian.AppendUint64(key, sequence)
	key = binary.BigEndian.AppendUint16(key, uint16(index)) //nolint:gosec // a few
	return "evt_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(key))
}

// formerOf returns the record as of the state, or nil if it did not exist.
func formerOf(state *organization.State, record any) any {
	var found []any
	switch r := record.(type) {
	case *captable.Shareholding:
		found = one(state.Table().Shareholding(r.ID))
	case *captable.Security:
		found = one(state.Table().Security(r.ID))
	case *captable.Grant:
		found = one(state.Table().Grant(r.ID))
	case *captable.Instrument:
		found = one(state.Table().Instrument(r.ID))
	case *captable.Valuation:
		found = one(state.Table().Valuation(r.ID))
	case *organization.Member:
		found = one(state.Member(r.ID))
	case *organization.Role:
		found = one(state.Role(r.ID))
	case organization.ID:
		return r
	}
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// changed returns the fields of the old object whose values differ in the new one. A field that is new has the value null.
func changed(old, now json.RawMessage) map[string]json.RawMessage {
	var before, after map[string]json.RawMessage
	differences := map[string]json.RawMessage{}
	if json.Unmarshal(old, &before) != nil || json.Unmarshal(now, &after) != nil {
		return differences
	}
	for name, value := range before {
		if !bytes.Equal(value, after[name]) {
			differences[name] = value
		}
	}
	for name := range after {
		if _, known := before[name]; !known {
			differences[name] = json.RawMessage("null")
		}
	}
	return differences
}
