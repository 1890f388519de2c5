package organization

import (
	"bytes"
	"iter"
	"slices"

	"equity/captable"
	"equity/captable/sorted"
	"equity/fault"
	"equity/organization/document"
)

// State is the state of one organization as of one event. Like its cap table, it consists of copy-on-write trees:
// one goroutine changes it, and any number may read a result of [State.Copy].
type State struct {
	id      ID
	profile Profile
	meta    captable.Meta
	members captable.Records[captable.MemberKind, Member]
	// byEntity and byUser are indexes of members.
	byEntity sorted.Set[link]
	byUser   sorted.Set[link]
	byName   sorted.Map[MemberID] // by externalId
	// moved is the version of the last added or changed member.
	moved uint64
	roles captable.Records[Role, Role] // custom roles
	// hookTokens are the valid tokens of inbound hooks, at most two. The list is never changed in place.
	hookTokens []*HookToken
	// subscription is the last known subscription, or nil. It and payments are never changed in place.
	subscription *Subscription
	// payments are the last attempts of the latest invoices.
	payments []settled
	// presentMembers is the number of members that are not removed.
	presentMembers int
	// allowed contains the permissions of each role, including built-in ones. The map is never changed.
	allowed map[string]Permissions
	table   *captable.State
	// documents is the data room.
	documents *document.Tree
	// parts are those of extensions, in the order of their names.
	parts []namedPart
	// names finds members for the rows of a file. It is nil until the first row needs it, and after each change of
	// a member.
	names *holderNames
}

type link struct {
	from [16]byte
	to   MemberID
}

// NewState returns the state before the organization is created.
func NewState() *State {
	less := func(a, b link) bool { return bytes.Compare(a.from[:], b.from[:]) < 0 }
	return &State{
		members:   captable.NewRecords[captable.MemberKind, Member](),
		byEntity:  sorted.NewSet(less),
		byUser:    sorted.NewSet(less),
		byName:    sorted.NewMap[MemberID](),
		roles:     captable.NewRecords[Role, Role](),
		allowed:   builtIn(),
		table:     captable.NewState(),
		documents: document.NewTree(),
	}
}

// Copy returns a copy for another goroutine to read or change, in constant time. It also writes to the state, so
// two goroutines that share a state must not copy it.
func (s *State) Copy() *State {
	c := *s
	c.names = nil // the copy builds its own index
	c.members, c.byEntity, c.byUser = s.members.Copy(), s.byEntity.Copy(), s.byUser.Copy()
	c.byName, c.roles, c.table = s.byName.Copy(), s.roles.Copy(), s.table.Copy()
	c.documents, c.parts = s.documents.Copy(), s.copyParts()
	return &c
}

// ID returns the id of the organization, or zero before its creation.
func (s *State) ID() ID { return s.id }

// Profile returns the profile of the organization.
func (s *State) Profile() Profile { return s.profile }

// Meta returns the metadata of the organization record.
func (s *State) Meta() captable.Meta { return s.meta }

// Table returns the organization's cap table.
func (s *State) Table() *captable.State { return s.table }

// Members returns all members in order of their ids, including removed ones.
func (s *State) Members() iter.Seq[*Member] { return s.members.All() }

// MembersVersion returns the sequence of the last event that added or changed a member.
func (s *State) MembersVersion() uint64 { return s.moved }

// Member returns a member, including removed ones.
func (s *State) Member(id MemberID) (*Member, bool) { return s.members.Get(id) }

// MemberOf returns the member of the entity.
func (s *State) MemberOf(entity captable.EntityID) (*Member, bool) {
	if found, ok := s.byEntity.Get(link{from: entity}); ok {
		return s.Member(found.to)
	}
	return nil, false
}

// MemberBy returns the present member of an account.
func (s *State) MemberBy(user UserID) (*Member, bool) {
	if found, ok := s.byUser.Get(link{from: user}); ok {
		return s.Member(found.to)
	}
	return nil, false
}

// Accounts returns the number of accounts that are members.
func (s *State) Accounts() int { return s.byUser.Len() }

// Permissions returns the permissions of the user, or false if the user is not a member.
func (s *State) Permissions(user UserID) (Permissions, bool) {
	member, ok := s.MemberBy(user)
	if !ok {
		return 0, false
	}
	return s.permissionsOfMember(member), true
}

// PermissionsOf returns the permissions of the roles.
func (s *State) PermissionsOf(roles []string) Permissions { return s.permitted(roles) }

// Holder returns a holder. A removed member is found by entity, because its shares remain.
func (s *State) Holder(ref captable.HolderRef) (captable.Holder, bool) {
	var member *Member
	var ok bool
	if ref.Member.IsZero() {
		member, ok = s.MemberOf(ref.Entity)
	} else {
		member, ok = s.Member(ref.Member)
		ok = ok && member.Status != StatusRemoved
	}
	if !ok {
		return captable.Holder{}, false
	}
	return captable.Holder{Entity: member.Entity, Member: member.ID, Name: member.FullName}, true
}

// NameOf returns the name of the entity, or an empty string.
func (s *State) NameOf(entity captable.EntityID) string {
	if member, ok := s.MemberOf(entity); ok {
		return member.FullName
	}
	return ""
}

func (s *State) present(id MemberID) (*Member, error) {
	if member, ok := s.Member(id); ok && member.Status != StatusRemoved {
		return member, nil
	}
	return nil, fault.Refuse(fault.NotFound, "The member does not exist.")
}

func (s *State) unusedExternalID(externalID string, self MemberID) error {
	if taken, ok := s.byName.Get(externalID); ok && externalID != "" && taken != self {
		return fault.Refuse(fault.Conflict, "Another member has this externalId.").With("externalId", externalID)
	}
	return nil
}

// setMember stores the record and its index entries. The account of a removed member is not indexed, because
// another member may have the account.
func (s *State) setMember(member *Member) {
	s.names = nil
	if old, ok := s.members.Set(member.ID, member); ok {
		if found, linked := s.byUser.Get(link{from: old.User}); linked && found.to == old.ID {
			s.byUser.Delete(found)
		}
		if old.ExternalID != member.ExternalID {
			s.byName.Delete(old.ExternalID)
		}
		if old.Status != StatusRemoved {
			s.presentMembers--
		}
	}
	if member.Status != StatusRemoved {
		s.presentMembers++
	}
	s.moved = max(s.moved, member.Version)
	s.byEntity.Set(link{member.Entity, member.ID})
	if !member.User.IsZero() && member.Status != StatusRemoved {
		s.byUser.Set(link{member.User, member.ID})
	}
	if member.ExternalID != "" {
		s.byName.Set(member.ExternalID, member.ID)
	}
}

func (s *State) changeMember(id MemberID, stamp captable.Stamp, change func(*Member)) {
	if old, ok := s.Member(id); ok {
		next := *old
		next.Roles = slices.Clone(old.Roles)
		change(&next)
		next.Touch(stamp)
		s.setMember(&next)
	}
}
