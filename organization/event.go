package organization

import (
	"encoding/json"

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
	// Apply changes the state. It never fails. Only [State.Apply] calls it.
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

// Declaration is a name of events in the journal with the decoder of their payload.
type Declaration struct {
	name   string
	decode func(payload []byte) (Event, error)
	// reader is the permission for the private fields; see ReadBy.
	reader   Permission
	isReader bool
}

// Declare returns the declaration of the example's type.
func Declare[E Event](example E) Declaration {
	return Declaration{name: example.EventType(), decode: decode[E]}
}

// ReadBy returns the declaration of an event of an extension whose [PrivateFields] only readers with the permission may read. The private
// fields of other events of extensions are readable for all readers of the journal.
func (d Declaration) ReadBy(permission Permission) Declaration {
	d.reader, d.isReader = permission, true
	return d
}

// declarations lists all events outside the cap table. The methods of an event follow its type.
func declarations() []Declaration {
	return []Declaration{
		Declare(Created{}),
		Declare(Changed{}),
		Declare(MemberAdded{}),
		Declare(MemberReturned{}),
		Declare(MemberChanged{}),
		Declare(MemberRemoved{}),
		Declare(MemberInvited{}),
		Declare(MemberJoined{}),
		Declare(MemberDeclined{}),
		Declare(MemberClaimed{}),
		Declare(InvitationBounced{}),
		Declare(InvitationWithdrawn{}),
		Declare(MemberReaddressed{}),
		Declare(AddressConfirmed{}),
		Declare(RoleCreated{}),
		Declare(RoleChanged{}),
		Declare(RoleDeleted{}),
		Declare(HookTokenCreated{}),
		Declare(HookTokenRevoked{}),
		Declare(SubscriptionChanged{}),
		Declare(PaymentSucceeded{}),
		Declare(PaymentFailed{}),
	}
}

func decode[E Event](payload []byte) (Event, error) {
	var event E
	err := json.Unmarshal(payload, &event)
	return event, err
}
