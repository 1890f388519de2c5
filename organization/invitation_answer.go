package organization

import "equity/captable"

// AcceptInvitation makes the author of the command a member, by the token that was mailed.
type AcceptInvitation struct {
	Hash TokenHash
	User UserID
	// Name is the account's, for who was invited by nothing but an address.
	Name string
}

// DeclineInvitation refuses to become a member, by the token that was mailed.
type DeclineInvitation struct{ Hash TokenHash }

// BounceInvitation says that the mail with the token reached nobody: its recipient was refused for good.
type BounceInvitation struct{ Hash TokenHash }

// ClaimMember gives a holder without an account the one whose verified address is theirs.
type ClaimMember struct {
	Entity captable.EntityID
	User   UserID
}

// MemberJoined records that an invitation was accepted.
type MemberJoined struct {
	ID   MemberID `json:"id"`
	User UserID   `json:"user"`
	// Name replaces the member's; empty where they had one.
	Name string `json:"name,omitempty"`
}

// MemberDeclined records that an invitation was declined.
type MemberDeclined struct {
	ID MemberID `json:"id"`
}

// InvitationBounced records that an invitation's mail reached nobody. It may be sent again, to another address.
type InvitationBounced struct {
	ID MemberID `json:"id"`
}

// InvitationWithdrawn records that an invitation cannot be answered any more: its member has another address, or its
// sender is no longer a member. It may be sent again.
type InvitationWithdrawn struct {
	ID MemberID `json:"id"`
}

// MemberClaimed records that a holder has an account now.
type MemberClaimed struct {
	ID   MemberID `json:"id"`
	User UserID   `json:"user"`
}

// decide lets whoever holds the token in, once, as the entity that was invited: a cap table may have been keeping
// shares for it long since. Who was invited without a name has the one of their account.
func (c AcceptInvitation) decide(s *State, m Moment) ([]Event, error) {
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	if err := s.newcomer(c.User); err != nil {
		return nil, err
	}
	joined := MemberJoined{ID: member.ID, User: c.User}
	if member.Invitation.Unnamed {
		joined.Name = nameOr(c.Name, member.FullName)
	}
	return []Event{joined}, nil
}

func (c DeclineInvitation) decide(s *State, m Moment) ([]Event, error) {
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	return []Event{MemberDeclined{ID: member.ID}}, nil
}

func (c BounceInvitation) decide(s *State, m Moment) ([]Event, error) {
	member, err := s.Invited(c.Hash, m.Now)
	if err != nil {
		return nil, err
	}
	return []Event{InvitationBounced{ID: member.ID}}, nil
}

func (c ClaimMember) decide(s *State, _ Moment) ([]Event, error) {
	member, ok := s.MemberOf(c.Entity)
	if !ok || !member.User.IsZero() || member.Status != StatusRegistered {
		return nil, captable.Refuse(captable.CodeConflict, "This is no holder without an account.")
	}
	if err := s.newcomer(c.User); err != nil {
		return nil, err
	}
	return []Event{MemberClaimed{ID: member.ID, User: c.User}}, nil
}

// newcomer refuses an account that is a member already.
func (s *State) newcomer(user UserID) error {
	if present, ok := s.MemberBy(user); ok {
		return captable.Refuse(captable.CodeConflict, "This account is a member already.").With("member", present.ID.String())
	}
	return nil
}

func (e MemberInvited) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		sent := Invitation{Hash: e.Hash, SentAt: e.SentAt, ExpiresAt: e.ExpiresAt, Times: 1, Unnamed: e.Unnamed, Sender: accountOf(stamp)}
		if m.Invitation != nil {
			sent.Times += m.Invitation.Times
		}
		m.Status, m.Invitation = StatusInvited, &sent
	})
}

// accountOf returns the account of the author; zero for the system.
func accountOf(stamp captable.Stamp) UserID {
	id, err := captable.ParseID[User](stamp.By)
	if err != nil {
		return UserID{}
	}
	return id
}

func (e MemberJoined) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.User, m.Status, m.Invitation = e.User, StatusJoined, m.Invitation.ended()
		if e.Name != "" {
			m.FullName = e.Name
		}
	})
}

// apply leaves somebody who holds equity a holder: they refused to come in, no more.
func (e MemberDeclined) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.Status, m.Roles, m.Invitation = StatusRemoved, []string{}, m.Invitation.ended()
		if s.table.Holds(m.Entity) {
			m.Status = StatusRegistered
		}
	})
}

func (e InvitationBounced) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) { m.Status, m.Invitation = StatusBounced, m.Invitation.ended() })
}

func (e InvitationWithdrawn) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) { m.Invitation = m.Invitation.ended() })
}

func (e MemberClaimed) apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) { m.User, m.Status = e.User, StatusJoined })
}

// EventType names the event in the journal.
func (MemberInvited) EventType() string { return "memberInvited" }

// EventType names the event in the journal.
func (MemberJoined) EventType() string { return "memberJoined" }

// EventType names the event in the journal.
func (MemberDeclined) EventType() string { return "memberDeclined" }

// EventType names the event in the journal.
func (InvitationWithdrawn) EventType() string { return "invitationWithdrawn" }

// EventType names the event in the journal.
func (InvitationBounced) EventType() string { return "invitationBounced" }

// EventType names the event in the journal.
func (MemberClaimed) EventType() string { return "memberClaimed" }

// Creates gives nothing.
func (MemberInvited) Creates() []captable.Created { return nil }

// Creates gives nothing.
func (MemberJoined) Creates() []captable.Created { return nil }

// Creates gives nothing.
func (MemberDeclined) Creates() []captable.Created { return nil }

// Creates gives nothing.
func (InvitationBounced) Creates() []captable.Created { return nil }

// Creates gives nothing.
func (InvitationWithdrawn) Creates() []captable.Created { return nil }

// Creates gives nothing.
func (MemberClaimed) Creates() []captable.Created { return nil }

// Records gives the member.
func (e MemberInvited) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records gives the member.
func (e MemberJoined) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records gives the member.
func (e MemberDeclined) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records gives the member.
func (e InvitationBounced) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records gives the member.
func (e InvitationWithdrawn) Records(s *State) []any { return s.memberRecord(e.ID) }

// Records gives the member.
func (e MemberClaimed) Records(s *State) []any { return s.memberRecord(e.ID) }
