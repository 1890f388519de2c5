package organization

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"equity/captable"
	"equity/organization/document"
)

// Event is a change of the organization.
type Event interface {
	// EventType returns the event's name in the journal.
	EventType() string
	// Creates returns the created records.
	Creates() []captable.Created
	// Records returns the affected records in their current state.
	Records(s *State) []any
	Apply(s *State, stamp captable.Stamp)
}

// TableEvent is an event of the cap table.
type TableEvent struct{ captable.Event }

// MarshalJSON returns the payload of the wrapped event.
func (e TableEvent) MarshalJSON() ([]byte, error) { return json.Marshal(e.Event) }

// Records returns the affected records of the cap table.
func (e TableEvent) Records(s *State) []any { return e.Event.Records(s.table) }

func (e TableEvent) Apply(s *State, stamp captable.Stamp) { s.table.Apply(e.Event, stamp) }

func (s *State) roleRecord(id RoleID) []any {
	if role, ok := s.Role(id); ok {
		return []any{role}
	}
	return nil
}

func (s *State) memberRecord(id MemberID) []any {
	if member, ok := s.Member(id); ok {
		return []any{member}
	}
	return nil
}

// Decoder decodes events of the journal. It is safe for concurrent use.
type Decoder struct {
	table map[string]func([]byte) (captable.Event, error)
	own   map[string]func([]byte) (Event, error)
	room  map[string]func([]byte) (document.Event, error)
}

// NewDecoder returns a [Decoder].
func NewDecoder() *Decoder {
	own := map[string]func([]byte) (Event, error){}
	for _, declared := range declarations() {
		own[declared.name] = declared.decode
	}
	return &Decoder{table: captable.Decoders(), own: own, room: document.Decoders()}
}

// declaration is a name of events in the journal with the decoder of their payload.
type declaration struct {
	name   string
	decode func(payload []byte) (Event, error)
}

// declare returns the declaration of the example's type.
func declare[E Event](example E) declaration {
	return declaration{example.EventType(), decode[E]}
}

// declarations lists all events outside the cap table. The methods of an event follow its type.
func declarations() []declaration {
	return []declaration{
		declare(Created{}),
		declare(Changed{}),
		declare(MemberAdded{}),
		declare(MemberReturned{}),
		declare(MemberChanged{}),
		declare(MemberRemoved{}),
		declare(MemberInvited{}),
		declare(MemberJoined{}),
		declare(MemberDeclined{}),
		declare(MemberClaimed{}),
		declare(InvitationBounced{}),
		declare(InvitationWithdrawn{}),
		declare(MemberReaddressed{}),
		declare(AddressConfirmed{}),
		declare(RoleCreated{}),
		declare(RoleChanged{}),
		declare(RoleDeleted{}),
		declare(WebhookCreated{}),
		declare(WebhookChanged{}),
		declare(WebhookDeleted{}),
		declare(WebhookDisabled{}),
		declare(HookTokenCreated{}),
		declare(HookTokenRevoked{}),
		declare(ChatTeamLinked{}),
		declare(SubscriptionChanged{}),
		declare(PaymentSucceeded{}),
		declare(PaymentFailed{}),
		declare(DriveConnected{}),
		declare(DriveDisconnected{}),
		declare(SyncConfigured{}),
		declare(SyncChanged{}),
		declare(SyncRemoved{}),
	}
}

// Types returns the names of all events that it can decode, in alphabetical order.
func (d *Decoder) Types() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(d.table)), maps.Keys(d.own))
	return slices.Sorted(slices.Values(slices.AppendSeq(names, maps.Keys(d.room))))
}

// Decode decodes one event. An unknown type is an error, because a replay without the event would produce a
// different state.
func (d *Decoder) Decode(eventType string, payload []byte) (Event, error) {
	if read, ok := d.table[eventType]; ok {
		event, err := read(payload)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", eventType, err)
		}
		return TableEvent{event}, nil
	}
	if read, ok := d.room[eventType]; ok {
		event, err := read(payload)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", eventType, err)
		}
		return RoomEvent{event}, nil
	}
	read, ok := d.own[eventType]
	if !ok {
		return nil, fmt.Errorf("event %q is unknown to this version", eventType)
	}
	event, err := read(payload)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", eventType, err)
	}
	return event, nil
}

func decode[E Event](payload []byte) (Event, error) {
	var event E
	err := json.Unmarshal(payload, &event)
	return event, err
}
