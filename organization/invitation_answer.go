package organization

import (
	"equity/captable"
	"equity/fault"
)

// AcceptInvitation makes the author a member, with the token from the e-mail.
type AcceptInvitation struct {
	Hash TokenHash
	User UserID
	// Name is the account's name, for an invitation with a provisional name.
	Name string
}

// DeclineInvitation declines an invitation, with the token from the e-mail.
type DeclineInvitation struct{ Hash TokenHash }

// BounceInvitation reports that the e-mail with the token was permanently refused.
type BounceInvitation struct{ Hash TokenHash }

// ClaimMember links a holder without an account to the account with their verified address.
type ClaimMember struct {
	Entity captable.EntityID
	User   UserID
}

// MemberJoined records that an invitation was accepted.
type MemberJoined struct {
	ID   MemberID `json:"id"`
	User UserID   `json:"user"`
	// Name replaces a provisional name. Otherwise it is empty.
	Name string `json:"name,omitempty"`
	// Roles are those of a member who was invited without a role; nil otherwise.
	Roles []string `json:"roles,omitempty"`
}

// EventType returns the event's name in the journal.
func (MemberJoined) EventType() string { return "memberJoined" }

// Creates returns nil.
func (MemberJoined) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberJoined) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e MemberJoined) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.User, m.Status, m.Invitation = e.User, StatusJoined, m.Invitation.ended()
		if e.Name != "" {
			m.FullName = e.Name
		}
		if len(e.Roles) > 0 {
			m.Roles = e.Roles
		}
	})
}

// MemberDeclined records that an invitation was declined.
type MemberDeclined struct {
	ID MemberID `json:"id"`
}

// EventType returns the event's name in the journal.
func (MemberDeclined) EventType() string { return "memberDeclined" }

// Creates returns nil.
func (MemberDeclined) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberDeclined) Records(s *State) []any { return s.memberRecord(e.ID) }

// Apply keeps a member with holdings as a holder.
func (e MemberDeclined) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.Status, m.Roles, m.Invitation = StatusRemoved, []string{}, m.Invitation.ended()
		if s.table.Holds(m.Entity) {
			m.Status = StatusRegistered
		}
	})
}

// InvitationBounced records that an invitation's e-mail was not delivered. It can be sent again, to another
// address.
type InvitationBounced struct {
	ID MemberID `json:"id"`
}

// EventType returns the event's name in the journal.
func (InvitationBounced) EventType() string { return "invitationBounced" }

// Creates returns nil.
func (InvitationBounced) Creates() []captable.Created { return nil }

// Records returns the member.
func (e InvitationBounced) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e InvitationBounced) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.Status, m.Invitation = StatusBounced, m.Invitation.ended()
		if m.Invitation != nil && m.Invitation.Arrived > 0 {
			m.Invitation.Arrived--
		}
	})
}

// InvitationWithdrawn records that an invitation has ended without an answer: its member has another address, or
// its sender is no longer a member. It can be sent again.
type InvitationWithdrawn struct {
	ID MemberID `json:"id"`
}

// EventType returns the event's name in the journal.
func (InvitationWithdrawn) EventType() string { return "invitationWithdrawn" }

// Creates returns nil.
func (InvitationWithdrawn) Creates() []captable.Created { return nil }

// Records returns the member.
func (e InvitationWithdrawn) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e InvitationWithdrawn) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) { m.Invitation = m.Invitation.ended() })
}

// MemberClaimed records that a holder was linked to an account.
type MemberClaimed struct {
	ID   MemberID `json:"id"`
	User UserID   `json:"user"`
	// Roles are those of a holder who had no role; nil otherwise.
	Roles []string `json:"roles,omitempty"`
}

// EventType returns the event's name in the journal.
func (MemberClaimed) EventType() string { return "memberClaimed" }

// Creates returns nil.
func (MemberClaimed) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberClaimed) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e MemberClaimed) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.User, m.Status = e.User, StatusJoined
		if len(e.Roles) > 0 {
			m.Roles = e.Roles
		}
	})
}

// Decide makes the holder of the token the invited member, once. The invited entity may already hold shares. The
// name of the account replaces a provisional name.
func (c AcceptInvitation) Decide(s *State, m DecideContext) ([]Event, error) {
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	if err := s.newcomer(c.User); err != nil {
		return nil, err
	}
	if err := member.checkClaim(m.Now); err != nil {
		return nil, err
	}
	joined := MemberJoined{ID: member.ID, User: c.User}
	if member.Invitation.Unnamed {
		joined.Name = nameOr(c.Name, member.FullName)
	}
	if len(member.Roles) == 0 { // invited by an earlier version, or the roles were removed meanwhile
		joined.Roles = s.defaultRoles(s.grantable(DecideContext{By: member.Invitation.Sender}))
	}
	return []Event{joined}, nil
}

func (c DeclineInvitation) Decide(s *State, m DecideContext) ([]Event, error) {
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	return []Event{MemberDeclined{ID: member.ID}}, nil
}

// Decide ends the invitation. If the address was changed meanwhile, the former one never received a mail.
func (c BounceInvitation) Decide(s *State, m DecideContext) ([]Event, error) {
	if member, ok := s.bouncedBefore(c.Hash, m.Now); ok {
		return []Event{AddressConfirmed{ID: member.ID, Means: ConfirmedByBounce}}, nil
	}
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	return []Event{InvitationBounced{ID: member.ID}}, nil
}

func (c ClaimMember) Decide(s *State, m DecideContext) ([]Event, error) {
	member, ok := s.MemberOf(c.Entity)
	if !ok || !member.User.IsZero() || member.Status != StatusRegistered {
		return nil, fault.Refuse(fault.Conflict, "The member is not a holder without an account.")
	}
	if err := s.newcomer(c.User); err != nil {
		return nil, err
	}
	if err := member.checkClaim(m.Now); err != nil {
		return nil, err
	}
	claimed := MemberClaimed{ID: member.ID, User: c.User}
	if len(member.Roles) == 0 {
		claimed.Roles = s.defaultRoles(0)
	}
	return []Event{claimed}, nil
}

// newcomer refuses an account that is a member already.
func (s *State) newcomer(user UserID) error {
	if present, ok := s.MemberBy(user); ok {
		return fault.Refuse(fault.Conflict, "The account is a member already.").With("member", present.ID.String())
	}
	return nil
}

// AccountOf returns the account of the author, or zero for the system.
func AccountOf(stamp captable.Stamp) UserID {
	id, err := captable.ParseID[User](stamp.By)
	if err != nil {
		return UserID{}
	}
	return id
}
