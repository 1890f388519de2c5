package organization

import (
	"slices"
	"strings"
	"time"

	"equity/captable"
)

// How long an invitation may be accepted, and how often it is sent.
const (
	InvitationValid    = 14 * 24 * time.Hour
	InvitationCooldown = time.Hour
	MostInvitations    = 10
)

// Invitation is how somebody was asked to become a member.
type Invitation struct {
	// Hash is zero once the invitation was answered or taken back.
	Hash      TokenHash        `json:"-"`
	SentAt    captable.Instant `json:"sentAt"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	// Times is how often it was sent.
	Times uint64 `json:"times"`
	// Unnamed says that the member's name is only what was at hand; who accepts brings their own.
	Unnamed bool `json:"-"`
	// Sender is the account that sent it last; zero for the system.
	Sender UserID `json:"-"`
}

// open reports whether the invitation may still be answered.
func (i *Invitation) open(now time.Time) bool {
	return i != nil && i.Hash != TokenHash{} && now.Before(i.ExpiresAt.Time())
}

// withdrawn reports whether the invitation was taken back and no other was sent.
func (i *Invitation) withdrawn(member *Member) bool {
	return member.Status == StatusInvited && i.Hash == TokenHash{}
}

// ended is the same invitation, which nobody can answer any more.
func (i *Invitation) ended() *Invitation {
	if i == nil {
		return nil
	}
	next := *i
	next.Hash = TokenHash{}
	return &next
}

// Invite asks one person to become a member.
type Invite struct {
	// Entity is a known one; zero for somebody new, who becomes Fresh.
	Entity, Fresh captable.EntityID
	// Name is what somebody new is called until they say otherwise.
	Name string
	Hash TokenHash
}

// InviteMembers asks several people to become members with the same roles. A repeat sends the invitation again; it
// does not change the roles.
type InviteMembers struct {
	Invites []Invite
	Roles   []string
}

// MemberInvited records that an invitation was sent, and by which roles.
type MemberInvited struct {
	ID        MemberID         `json:"id"`
	Hash      TokenHash        `json:"tokenHash"`
	SentAt    captable.Instant `json:"sentAt"`
	ExpiresAt captable.Instant `json:"expiresAt"`
	Unnamed   bool             `json:"unnamed,omitempty"`
}

// Mailing is an event that a mail goes with.
type Mailing interface {
	// MailCause is what the mail knows the event by.
	MailCause() [32]byte
}

// MailCause is the hash of the token.
func (e MemberInvited) MailCause() [32]byte { return e.Hash }

// decide invites all or nobody. Nobody gives away by an invitation what they may not do themselves.
func (c InviteMembers) decide(s *State, m Moment) ([]Event, error) {
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

// decide gives nothing for who is a member, or was invited a moment ago, or too often. A member who was removed
// is asked to return; a holder without an account is asked to come in, with the new roles beside their own.
func (i Invite) decide(s *State, m Moment, terms MemberTerms) ([]Event, error) {
	sent := MemberInvited{Hash: i.Hash, SentAt: captable.InstantOf(m.Now), ExpiresAt: captable.InstantOf(m.Now.Add(InvitationValid))}
	member, known := s.MemberOf(i.Entity)
	if i.Entity.IsZero() || !known {
		terms.FullName, sent.ID, sent.Unnamed = i.Name, m.NewID(), true
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
		next.Roles, next.TerminationDate, next.TerminationReason = terms.Roles, 0, ""
		return []Event{MemberReturned{ID: member.ID, Status: StatusInvited, Terms: next}, sent}, nil
	case StatusRegistered:
		next.Roles = union(member.Roles, terms.Roles)
		if err := s.mayGive(m, s.permitted(next.Roles)); err != nil {
			return nil, err
		}
		return []Event{MemberChanged{ID: member.ID, Terms: next}, sent}, nil
	default:
		if err := s.mayGive(m, s.permitted(member.Roles)); err != nil {
			return nil, err
		}
		return []Event{sent}, nil
	}
}

// What becomes of an invitation to a known member.
const (
	InviteSent    = "sent"
	InviteMember  = "member"
	InviteTooSoon = "tooSoon"
	InviteTooMany = "tooOften"
)

// Invitable tells what an invitation to the member comes to at the moment.
func (s *State) Invitable(member *Member, now time.Time) string {
	last := member.Invitation
	switch {
	case member.Status == StatusJoined:
		return InviteMember
	case last == nil:
		return InviteSent
	case last.Times < MostInvitations && (member.Status == StatusBounced || last.withdrawn(member)): // nobody at the address was bothered
		return InviteSent
	case last.Times >= MostInvitations:
		return InviteTooMany
	case last.SentAt.Time().Sub(now) > time.Hour: // sent by a clock that was ahead
		return InviteSent
	case now.Before(last.SentAt.Time().Add(InvitationCooldown)):
		return InviteTooSoon
	default:
		return InviteSent
	}
}

// union gives the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, name := range b {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// Invited returns the member with this open invitation. An invitation counts only while its
// sender is a member: a removed member could otherwise return by an address of their own.
func (s *State) Invited(hash TokenHash, now time.Time) (*Member, error) {
	for member := range s.Members() {
		if member.Status == StatusInvited && member.Invitation.open(now) && member.Invitation.Hash == hash && s.vouched(member.Invitation) {
			return member, nil
		}
	}
	return nil, captable.Refuse(captable.CodeNotFound, "There is no such invitation, or it was answered, or is too old.")
}

// vouched reports whether the sender of the invitation is still a member, or the system.
func (s *State) vouched(i *Invitation) bool {
	if i.Sender.IsZero() {
		return true
	}
	_, ok := s.MemberBy(i.Sender)
	return ok
}

// withdrawals returns the events that end the open invitations of a sender. Another member
// confirms an invitation by sending it again, and becomes its sender.
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

// nameOr is the name as it is kept, or the other one where it is blank.
func nameOr(name, other string) string {
	if name = strings.TrimSpace(name); name == "" {
		return other
	}
	return name
}
