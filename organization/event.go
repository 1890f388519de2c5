package organization

import (
	"encoding/json"
	"fmt"

	"equity/captable"
)

// Event is a change of the organization.
type Event interface {
	// EventType returns the event's name in the journal.
	EventType() string
	// Creates returns the created records.
	Creates() []captable.Created
	// Records returns the affected records in their current state.
	Records(s *State) []any
	apply(s *State, stamp captable.Stamp)
}

// TableEvent is an event of the cap table.
type TableEvent struct{ captable.Event }

// MarshalJSON returns the payload of the wrapped event.
func (e TableEvent) MarshalJSON() ([]byte, error) { return json.Marshal(e.Event) }

// Records returns the affected records of the cap table.
func (e TableEvent) Records(s *State) []any { return e.Event.Records(s.table) }

func (e TableEvent) apply(s *State, stamp captable.Stamp) { s.table.Apply(e.Event, stamp) }

// EventType returns the event's name in the journal.
func (Created) EventType() string { return "organizationCreated" }

// EventType returns the event's name in the journal.
func (Changed) EventType() string { return "organizationChanged" }

// EventType returns the event's name in the journal.
func (MemberAdded) EventType() string { return "memberAdded" }

// EventType returns the event's name in the journal.
func (MemberReturned) EventType() string { return "memberReturned" }

// EventType returns the event's name in the journal.
func (MemberChanged) EventType() string { return "memberChanged" }

// EventType returns the event's name in the journal.
func (RoleCreated) EventType() string { return "roleCreated" }

// EventType returns the event's name in the journal.
func (RoleChanged) EventType() string { return "roleChanged" }

// EventType returns the event's name in the journal.
func (RoleDeleted) EventType() string { return "roleDeleted" }

// EventType returns the event's name in the journal.
func (MemberRemoved) EventType() string { return "memberRemoved" }

// Creates returns the organization.
func (e Created) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: "organization"}}
}

// Creates returns nil.
func (Changed) Creates() []captable.Created { return nil }

// Creates returns the member.
func (e MemberAdded) Creates() []captable.Created {
	return []captable.Created{{ID: e.Member.ID, Kind: "member"}}
}

// Creates returns nil.
func (MemberReturned) Creates() []captable.Created { return nil }

// Creates returns nil.
func (MemberChanged) Creates() []captable.Created { return nil }

// Creates returns nil.
func (MemberRemoved) Creates() []captable.Created { return nil }

// Creates returns the role.
func (e RoleCreated) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: "role"}}
}

// Creates returns nil.
func (RoleChanged) Creates() []captable.Created { return nil }

// Creates returns nil.
func (RoleDeleted) Creates() []captable.Created { return nil }

// Records returns nil: the organization is the state itself.
func (Created) Records(*State) []any { return nil }

// Records returns nil: the organization is the state itself.
func (Changed) Records(*State) []any { return nil }

// Records returns the member.
func (e MemberAdded) Records(s *State) []any { return s.memberRecord(e.Member.ID) }

// Records returns the member.
func (e MemberReturned) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records returns the member.
func (e MemberChanged) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records returns the removed member.
func (e MemberRemoved) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records returns the role.
func (e RoleCreated) Records(s *State) []any { return s.roleRecord(e.ID) }

// Records returns the role.
func (e RoleChanged) Records(s *State) []any { return s.roleRecord(e.ID) }

// Records returns nil: the role no longer exists.
func (RoleDeleted) Records(*State) []any { return nil }

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
}

// NewDecoder returns a [Decoder].
func NewDecoder() *Decoder {
	return &Decoder{
		table: captable.Decoders(),
		own: map[string]func([]byte) (Event, error){
			Created{}.EventType():             decode[Created],
			Changed{}.EventType():             decode[Changed],
			MemberAdded{}.EventType():         decode[MemberAdded],
			MemberReturned{}.EventType():      decode[MemberReturned],
			MemberChanged{}.EventType():       decode[MemberChanged],
			MemberRemoved{}.EventType():       decode[MemberRemoved],
			MemberInvited{}.EventType():       decode[MemberInvited],
			MemberJoined{}.EventType():        decode[MemberJoined],
			MemberDeclined{}.EventType():      decode[MemberDeclined],
			MemberClaimed{}.EventType():       decode[MemberClaimed],
			InvitationBounced{}.EventType():   decode[InvitationBounced],
			InvitationWithdrawn{}.EventType(): decode[InvitationWithdrawn],
			RoleCreated{}.EventType():         decode[RoleCreated],
			RoleChanged{}.EventType():         decode[RoleChanged],
			RoleDeleted{}.EventType():         decode[RoleDeleted],
		},
	}
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
