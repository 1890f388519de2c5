package organization

import (
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
)

// Limits for the age and the repetitions of an invitation.
const (
	InvitationValid    = 14 * 24 * time.Hour
	InvitationCooldown = time.Hour
	MaxInvitations     = 10
)

// Invitation is an invitation to become a member.
type Invitation struct {
	// Hash is zero after the invitation was answered or withdrawn.
	Hash      TokenHash        `json:"-"`
	SentAt    captable.Instant `json:"sentAt"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	// Times is the number of times that it was sent.
	Times uint64 `json:"times"`
	// Arrived is the number of mails to the present address that did not bounce.
	Arrived uint64 `json:"-"`
	// Unnamed is true if the member's name is provisional. On acceptance, the name of the account replaces it.
	Unnamed bool `json:"-"`
	// Sender is the account of the last sender, or zero for the system.
	Sender UserID `json:"-"`
}

// open reports whether the invitation can still be answered.
func (i *Invitation) open(now time.Time) bool {
	return i != nil && i.Hash != TokenHash{} && now.Before(i.ExpiresAt.Time())
}

// withdrawn reports whether the invitation was withdrawn and no other was sent.
func (i *Invitation) withdrawn(member *Member) bool {
	return member.Status == StatusInvited && i.Hash == TokenHash{}
}

// ended returns the invitation in a state in which it cannot be answered.
func (i *Invitation) ended() *Invitation {
	if i == nil {
		return nil
	}
	next := *i
	next.Hash = TokenHash{}
	return &next
}

// Invite is an invitation of one person.
type Invite struct {
	// Entity is an existing entity. If it is zero, Fresh is the id of a new one.
	Entity, Fresh captable.EntityID
	// Name is the provisional name of a new member.
	Name string
	Hash TokenHash
}

// InviteMembers invites several people with the same roles, or as Holder without any. A repetition sends the invitation again and does not
// change the roles.
type InviteMembers struct {
	Invites []Invite
	Roles   []string
}

// MemberInvited records that an invitation was sent, with its roles.
type MemberInvited struct {
	ID        MemberID         `json:"id"`
	Hash      TokenHash        `json:"tokenHash"`
	SentAt    captable.Instant `json:"sentAt"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	Unnamed   bool             `json:"unnamed,omitempty"`
}

// EventType returns the event's name in the journal.
func (MemberInvited) EventType() string { return "memberInvited" }

// Creates returns nil.
func (MemberInvited) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberInvited) Records(s *State) []any { return s.memberRecord(e.ID) }

func (e MemberInvited) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		sent := Invitation{
			Hash: e.Hash, SentAt: e.SentAt, ExpiresAt: e.ExpiresAt, Times: 1, Arrived: 1, Unnamed: e.Unnamed, Sender: AccountOf(stamp),
		}
		if m.Invitation != nil {
			sent.Times += m.Invitation.Times
			sent.Arrived += m.Invitation.Arrived
		}
		m.Status, m.Invitation = StatusInvited, &sent
	})
}

// Mailing is an event that causes an e-mail.
type Mailing interface {
	// MailCause returns the key that connects the event with its e-mail.
	MailCause() [32]byte
}

// MailCause returns the hash of the token.
func (e MemberInvited) MailCause() [32]byte { return e.Hash }

// Decide invites all of them or refuses the command. The author cannot grant permissions that the author does not
// have.
func (c InviteMembers) Decide(s *State, m DecideContext) ([]Event, error) {
	terms := MemberTerms{FullName: "invited", Roles: c.Roles}.withDefaults()
	if err := s.memberFaults(terms).Err(); err != nil {
		return nil, err
	}
	if err := s.mayGive(m, s.permitted(c.Roles)); err != nil {
		return nil, err
	}
	var events []Event
	for _, invite := range c.Invites {
		decided, err := invite.decide(s, m, terms)
		if err != nil {
			return nil, err
		}
		events = append(events, decided...)
	}
	return events, nil
}

// Decide returns no event for a present member, or if the last invitation is too recent or the limit is reached. A
// removed member is invited to return. A holder without an account gets the new roles in addition to existing
// ones.
func (i Invite) decide(s *State, m DecideContext, terms MemberTerms) ([]Event, error) {
	sent := MemberInvited{Hash: i.Hash, SentAt: captable.InstantOf(m.Now), ExpiresAt: captable.InstantOf(m.Now.Add(InvitationValid))}
	member, known := s.MemberOf(i.Entity)
	if i.Entity.IsZero() || !known {
		terms.FullName, sent.ID, sent.Unnamed = i.Name, m.NewID(), true
		terms.Roles = s.orDefault(terms.Roles, m)
		added := Member{ID: sent.ID, Entity: i.Fresh, MemberTerms: terms, Status: StatusInvited}
		return []Event{MemberAdded{Member: added}, sent}, nil
	}
	sent.ID = member.ID
	if s.Invitable(member, m.Now) != InviteSent {
		return nil, nil
	}
	sent.Unnamed = member.Invitation != nil && member.Invitation.Unnamed
	next := member.MemberTerms
	switch member.Status {
	case StatusRemoved:
		next.Roles, next.TerminationDate, next.TerminationReason = s.orDefault(terms.Roles, m), 0, ""
		return []Event{MemberReturned{ID: member.ID, Status: StatusInvited, Terms: next}, sent}, nil
	case StatusRegistered:
		next.Roles = union(member.Roles, terms.Roles)
		if err := s.mayGive(m, s.permitted(next.Roles)); err != nil {
			return nil, err
		}
		next.Roles = s.orDefault(next.Roles, m)
		return []Event{MemberChanged{ID: member.ID, Terms: next}, sent}, nil
	default:
		if err := s.mayGive(m, s.permitted(member.Roles)); err != nil {
			return nil, err
		}
		return []Event{sent}, nil
	}
}

// Outcomes of an invitation to a known member.
const (
	InviteSent    = "sent"
	InviteMember  = "member"
	InviteTooSoon = "tooSoon"
	InviteTooMany = "tooOften"
)

// Invitable returns the outcome of an invitation to the member at this time.
func (s *State) Invitable(member *Member, now time.Time) string {
	last := member.Invitation
	switch {
	case member.Status == StatusJoined:
		return InviteMember
	case last == nil:
		return InviteSent
	case last.Times < MaxInvitations && (member.Status == StatusBounced || last.withdrawn(member)): // the last e-mail was not delivered or is no longer valid
		return InviteSent
	case last.Times >= MaxInvitations:
		return InviteTooMany
	case last.SentAt.Time().Sub(now) > time.Hour: // sent by a clock that was ahead
		return InviteSent
	case now.Before(last.SentAt.Time().Add(InvitationCooldown)):
		return InviteTooSoon
	default:
		return InviteSent
	}
}

// union returns the names of both lists without duplicates.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Answerable reports whether the member has an open invitation. An invitation is valid only while its sender is a member.
// Otherwise a removed member could return through an address of their own.
func (s *State) Answerable(member *Member, now time.Time) bool {
	return member.Status == StatusInvited && member.Invitation.open(now) && s.vouched(member.Invitation)
}

// Invited returns the member with this open invitation.
func (s *State) Invited(hash TokenHash, now time.Time) (*Member, error) {
	for member := range s.Members() {
		if s.Answerable(member, now) && member.Invitation.Hash == hash {
			return member, nil
		}
	}
	return nil, fault.Refuse(fault.NotFound, "The invitation does not exist, was answered, or has expired.")
}

// vouched reports whether the sender of the invitation is the system or still a member.
func (s *State) vouched(i *Invitation) bool {
	if i.Sender.IsZero() {
		return true
	}
	_, ok := s.MemberBy(i.Sender)
	return ok
}

// withdrawals returns the events that end the open invitations of a sender. Another member who sends an invitation
// again becomes its sender.
func (s *State) withdrawals(sender UserID, now time.Time) []Event {
	if sender.IsZero() {
		return nil
	}
	var events []Event
	for member := range s.Members() {
		if member.Status == StatusInvited && member.Invitation.open(now) && member.Invitation.Sender == sender {
			events = append(events, InvitationWithdrawn{ID: member.ID})
		}
	}
	return events
}

// nameOr returns the normalized name, or other if it is blank.
func nameOr(name, other string) string {
	if name = strings.TrimSpace(name); name == "" {
		return other
	}
	return name
}
