package organization

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"equity/captable"
	"equity/fault"
)

// The states of a membership.
const (
	StatusInvited    = "invited"
	StatusRegistered = "registered"
	StatusJoined     = "joined"
	StatusBounced    = "bounced"
	StatusRemoved    = "removed"
)

// MemberTerms are the editable fields of a member.
type MemberTerms struct {
	// Kind is individual or institution.
	Kind string `json:"kind"`
	// FullName is printed on certificates.
	FullName     string `json:"fullName"`
	Title        string `json:"title,omitempty"`
	Relationship string `json:"relationship,omitempty"`
	// Roles are names of roles. A joined member without a role has the permissions of Holder.
	Roles             []string      `json:"roles"`
	StartDate         captable.Date `json:"startDate,omitzero"`
	TerminationDate   captable.Date `json:"terminationDate,omitzero"`
	TerminationReason string        `json:"terminationReason,omitempty"`
	ExternalID        string        `json:"externalId,omitempty"`
	Comments          []string      `json:"comments,omitempty"`
}

// Member is an entity inside the organization. The record is immutable.
type Member struct {
	ID     MemberID          `json:"id"`
	Entity captable.EntityID `json:"entity"`
	// User is the account of the entity, or zero.
	User UserID `json:"user,omitzero"`
	MemberTerms
	Status string `json:"status"`
	// Invitation is the open or last invitation, or nil.
	Invitation *Invitation `json:"invitation,omitempty"`
	// AddressChange is the last change of the e-mail address of a holder, or nil.
	AddressChange *AddressChange `json:"addressChange,omitempty"`
	captable.Meta
}

// AddMember adds a member. Entity is an existing entity, or zero for a new one. The command does not link an
// account: users claim their own membership.
type AddMember struct {
	MemberTerms
	Entity captable.EntityID
	Source *captable.Source
	// Address describes the e-mail address of a returning member.
	Address Readdressing
}

// AmendMember updates the fields in the merge patch.
type AmendMember struct {
	ID    MemberID
	Patch []byte
	// Address describes a change of the e-mail address, which is not a field of the member. It ends an invitation to the
	// previous address.
	Address Readdressing
}

// RemoveMember ends a membership. With KeepHoldings, a member with holdings remains a holder. If the service ends
// too, unvested options end with it.
type RemoveMember struct {
	ID           MemberID
	KeepHoldings bool
	Departure
}

// MemberAdded records a new member.
type MemberAdded struct {
	Member Member           `json:"member"`
	Source *captable.Source `json:"source,omitempty"`
}

// EventType returns the event's name in the journal.
func (MemberAdded) EventType() string { return "memberAdded" }

// Creates returns the member.
func (e MemberAdded) Creates() []captable.Created {
	return []captable.Created{{ID: e.Member.ID, Kind: "member"}}
}

// Records returns the member.
func (e MemberAdded) Records(s *State) []any { return s.memberRecord(e.Member.ID) }

// MemberChanged records the member's fields as they are now.
type MemberChanged struct {
	ID    MemberID    `json:"id"`
	Terms MemberTerms `json:"terms"`
	// AddedRoles are the roles that the member did not have before.
	AddedRoles []string `json:"addedRoles,omitempty"`
}

// EventType returns the event's name in the journal.
func (MemberChanged) EventType() string { return "memberChanged" }

// Creates returns nil.
func (MemberChanged) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberChanged) Records(s *State) []any { return s.memberRecord(e.ID) }

// MemberRemoved records the end of a membership. The entity can remain a holder.
type MemberRemoved struct {
	ID MemberID `json:"id"`
}

// EventType returns the event's name in the journal.
func (MemberRemoved) EventType() string { return "memberRemoved" }

// Creates returns nil.
func (MemberRemoved) Creates() []captable.Created { return nil }

// Records returns the removed member.
func (e MemberRemoved) Records(s *State) []any { return s.memberRecord(e.ID) }

// Decide adds a member, or restores a removed one: an entity has only one member record, with its history. The
// author cannot grant permissions that the author does not have.
func (c AddMember) Decide(s *State, m DecideContext) ([]Event, error) {
	terms := c.withDefaults()
	if err := s.memberFaults(terms).Err(); err != nil {
		return nil, err
	}
	if err := s.mayGive(m, s.permitted(terms.Roles)); err != nil {
		return nil, err
	}
	entity := c.Entity
	if entity.IsZero() {
		entity = m.NewID()
	}
	former, returns := s.MemberOf(entity)
	if returns && former.Status != StatusRemoved {
		return nil, fault.Refuse(fault.Conflict, "The person is a member already.").With("member", former.ID.String())
	}
	if returns {
		if err := s.unusedExternalID(terms.ExternalID, former.ID); err != nil {
			return nil, err
		}
		events, err := s.readdressed(m, former, c.Address)
		return append(events, MemberReturned{ID: former.ID, Status: StatusRegistered, Terms: terms}), err
	}
	if err := s.unusedExternalID(terms.ExternalID, MemberID{}); err != nil {
		return nil, err
	}
	member := Member{ID: m.NewID(), Entity: entity, MemberTerms: terms, Status: StatusRegistered}
	return []Event{MemberAdded{Member: member, Source: c.Source}}, nil
}

// MemberReturned records that a removed member was added again.
type MemberReturned struct {
	ID     MemberID    `json:"id"`
	User   UserID      `json:"user,omitzero"`
	Status string      `json:"status"`
	Terms  MemberTerms `json:"terms"`
}

// EventType returns the event's name in the journal.
func (MemberReturned) EventType() string { return "memberReturned" }

// Creates returns nil.
func (MemberReturned) Creates() []captable.Created { return nil }

// Records returns the member.
func (e MemberReturned) Records(s *State) []any { return s.memberRecord(e.ID) }

func (c AmendMember) Decide(s *State, m DecideContext) ([]Event, error) {
	member, err := s.present(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := captable.Patched(member.MemberTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	terms = terms.withDefaults()
	if err := s.memberFaults(terms).Err(); err != nil {
		return nil, err
	}
	if !slices.Equal(terms.Roles, member.Roles) {
		if err := s.mayGive(m, s.permitted(terms.Roles)|s.permitted(member.Roles)); err != nil {
			return nil, err
		}
	}
	if c.Address.Changes && member.User.IsZero() { // the new address could claim the membership with its roles
		if err := s.mayGive(m, s.permitted(member.Roles)); err != nil {
			return nil, err
		}
	}
	if err := s.unusedExternalID(terms.ExternalID, c.ID); err != nil {
		return nil, err
	}
	if !slices.Contains(terms.Roles, RoleOwner) && s.isLastOwner(member) {
		return nil, fault.Refuse(fault.LastOwner, "The last Owner cannot be demoted.")
	}
	events, err := s.terminates(m, member, terms)
	if err != nil {
		return nil, err
	}
	readdressed, err := s.readdressed(m, member, c.Address)
	if err != nil {
		return nil, err
	}
	events = append(events, readdressed...)
	if c.Address.Changes && member.Status == StatusInvited && member.Invitation.open(m.Now) {
		events = append(events, InvitationWithdrawn{ID: c.ID})
	}
	return append(events, MemberChanged{ID: c.ID, Terms: terms, AddedRoles: without(terms.Roles, member.Roles)}), nil
}

// without returns the names that the other list does not contain.
func without(names, other []string) []string {
	var left []string
	for _, name := range names {
		if !slices.Contains(other, name) {
			left = append(left, name)
		}
	}
	return left
}

// Decide ends a membership. If the service ends too, it first decides the events for the grants. The remaining
// holdings must be empty, unless the caller keeps them explicitly.
func (c RemoveMember) Decide(s *State, m DecideContext) ([]Event, error) {
	member, err := s.present(c.ID)
	if err != nil {
		return nil, err
	}
	if err := s.mayGive(m, s.permitted(member.Roles)); err != nil {
		return nil, err
	}
	if s.isLastOwner(member) {
		return nil, fault.Refuse(fault.LastOwner, "The last Owner cannot be removed.")
	}
	events, err := c.leave(s, m, member)
	if err != nil {
		return nil, err
	}
	left := s
	if len(events) > 0 {
		left = s.Copy()
	}
	for _, event := range events {
		left.Apply(event, captable.Stamp{})
	}
	if !c.KeepHoldings && left.table.Holds(member.Entity) {
		return nil, fault.Refuse(fault.Conflict, "The member has holdings. Set keepHoldings to true to keep them and end only the access.")
	}
	events = append(slices.Clip(events), s.withdrawals(member.User, m.Now)...)
	return append(events, MemberRemoved{ID: c.ID}), nil
}

func (t MemberTerms) withDefaults() MemberTerms {
	t.FullName = strings.TrimSpace(t.FullName)
	if t.Kind == "" {
		t.Kind = "individual"
	}
	if t.Roles == nil {
		t.Roles = []string{}
	}
	return t
}

// memberFaults returns the faults of the terms. Roles must exist in the organization.
func (s *State) memberFaults(t MemberTerms) fault.Fields {
	var faults fault.Fields
	if t.FullName == "" {
		faults.Add("/fullName", "required", "fullName is required.")
	}
	if strings.ContainsFunc(t.FullName, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }) {
		faults.Add("/fullName", "bidirectionalControl", "The name contains a character that controls the writing direction. Remove it.")
	}
	if t.Kind != "individual" && t.Kind != "institution" {
		faults.Add("/kind", "enum", "kind must be individual or institution.")
	}
	for i, role := range t.Roles {
		if _, ok := s.allowed[role]; !ok {
			faults.Add("/roles/"+strconv.Itoa(i), "unknownReference", "The role does not exist.")
		} else if slices.Contains(t.Roles[:i], role) {
			faults.Add("/roles/"+strconv.Itoa(i), "duplicate", "List each role once.")
		}
	}
	if !t.TerminationDate.IsZero() && t.TerminationDate < t.StartDate {
		faults.Add("/terminationDate", "beforeStart", "terminationDate must not be before startDate.")
	}
	return faults
}

func (m *Member) has(role string) bool { return slices.Contains(m.Roles, role) }

// Owns reports whether the member is an Owner.
func (m *Member) Owns() bool { return m.has(RoleOwner) }

func (s *State) isLastOwner(member *Member) bool {
	if !member.has(RoleOwner) {
		return false
	}
	for other := range s.Members() {
		if other.ID != member.ID && other.Status == StatusJoined && other.has(RoleOwner) {
			return false
		}
	}
	return true
}

func (e MemberAdded) Apply(s *State, stamp captable.Stamp) {
	member := e.Member
	member.Meta = captable.NewMeta(stamp)
	s.setMember(&member)
}

func (e MemberReturned) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.User, m.Status, m.MemberTerms = e.User, e.Status, e.Terms
	})
}

func (e MemberChanged) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) { m.MemberTerms = e.Terms })
}

func (e MemberRemoved) Apply(s *State, stamp captable.Stamp) {
	s.changeMember(e.ID, stamp, func(m *Member) {
		m.Status, m.Roles, m.Invitation = StatusRemoved, []string{}, m.Invitation.ended()
	})
}
