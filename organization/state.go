package organization

import (
	"bytes"
	"iter"
	"slices"

	"github.com/tidwall/btree"

	"equity/captable"
)

// State is one organization as of one event. Like the cap table in it, it is a set
// of copy-on-write trees: one goroutine changes it, what [State.Copy] gave may be
// read by any number.
type State struct {
	id      ID
	profile Profile
	meta    captable.Meta
	members captable.Records[captable.MemberKind, Member]
	// byEntity and byUser find a member by what it stands for.
	byEntity *btree.BTreeG[link]
	byUser   *btree.BTreeG[link]
	byName   *btree.Map[string, MemberID] // by externalId
	// moved is the version of the member who was added or changed last.
	moved uint64
	roles captable.Records[Role, Role] // the organization's own
	// allowed is what each role permits, built-in ones included. It is never changed.
	allowed map[string]Permissions
	table   *captable.State
	// names finds members for the rows of a file; nil until a row asks, and after each change of a member.
	names *holderNames
}

type link struct {
	from [16]byte
	to   MemberID
}

// NewState is an organization before it was created.
func NewState() *State {
	options := btree.Options{NoLocks: true}
	less := func(a, b link) bool { return bytes.Compare(a.from[:], b.from[:]) < 0 }
	return &State{
		members:  captable.NewRecords[captable.MemberKind, Member](),
		byEntity: btree.NewBTreeGOptions(less, options),
		byUser:   btree.NewBTreeGOptions(less, options),
		byName:   &btree.Map[string, MemberID]{},
		roles:    captable.NewRecords[Role, Role](),
		allowed:  builtIn(),
		table:    captable.NewState(),
	}
}

// Copy gives the same state for somebody else to read or change, in constant time.
// It is no mere reading: of two goroutines that share a state, neither may copy it.
func (s *State) Copy() *State {
	c := *s
	c.names = nil // rows ask the copy that they are decided on
	c.members, c.byEntity, c.byUser = s.members.Copy(), s.byEntity.Copy(), s.byUser.Copy()
	c.byName, c.roles, c.table = s.byName.Copy(), s.roles.Copy(), s.table.Copy()
	return &c
}

// ID names the organization; it is zero before the organization was created.
func (s *State) ID() ID { return s.id }

// Profile is what the organization says of itself.
func (s *State) Profile() Profile { return s.profile }

// Meta is the organization record's own.
func (s *State) Meta() captable.Meta { return s.meta }

// Table is the organization's cap table.
func (s *State) Table() *captable.State { return s.table }

// Members lists all members in the order of their ids, removed ones too.
func (s *State) Members() iter.Seq[*Member] { return s.members.All() }

// MembersVersion is the sequence of the last event that added or changed a member.
func (s *State) MembersVersion() uint64 { return s.moved }

// Member finds a member, a removed one too.
func (s *State) Member(id MemberID) (*Member, bool) { return s.members.Get(id) }

// MemberOf finds the member that stands for the entity.
func (s *State) MemberOf(entity captable.EntityID) (*Member, bool) {
	if found, ok := s.byEntity.Get(link{from: entity}); ok {
		return s.Member(found.to)
	}
	return nil, false
}

// MemberBy finds the member that an account is; false for a removed one.
func (s *State) MemberBy(user UserID) (*Member, bool) {
	if found, ok := s.byUser.Get(link{from: user}); ok {
		return s.Member(found.to)
	}
	return nil, false
}

// Permissions is the union of what the user's roles allow; false for a user who is
// not a member.
func (s *State) Permissions(user UserID) (Permissions, bool) {
	member, ok := s.MemberBy(user)
	if !ok {
		return 0, false
	}
	return s.permitted(member.Roles), true
}

// Holder finds a holder: any member, removed ones too when named by entity, as
// their shares stay theirs.
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

// NameOf gives the name of the entity, or nothing for an unknown one.
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
	return nil, captable.Refuse(captable.CodeNotFound, "There is no such member.")
}

func (s *State) unusedExternalID(externalID string, self MemberID) error {
	if taken, ok := s.byName.Get(externalID); ok && externalID != "" && taken != self {
		return captable.Refuse(captable.CodeConflict, "Another member has this externalId.").With("externalId", externalID)
	}
	return nil
}

// setMember enters the record and what finds it. An account finds its member only
// while that is present: when it was removed, another may have the account.
func (s *State) setMember(member *Member) {
	s.names = nil
	if old, ok := s.members.Set(member.ID, member); ok {
		if found, linked := s.byUser.Get(link{from: old.User}); linked && found.to == old.ID {
			s.byUser.Delete(found)
		}
		if old.ExternalID != member.ExternalID {
			s.byName.Delete(old.ExternalID)
		}
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
