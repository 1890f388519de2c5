package organization

import "slices"

// Rights bound a deputy of a member, for example a token: the roles and permissions of the member at its creation.
type Rights struct {
	Roles       []string    `json:"roles,omitempty"`
	Permissions Permissions `json:"permissions"`
}

// Reader is a member with the permissions with which the member, or a deputy of the member, reads.
type Reader struct {
	// Member has the roles of the reader only.
	Member      *Member
	Permissions Permissions
}

// Reader returns the user, or a deputy of the user with at most the bound; false if the user is not a member. Without a bound, the present
// rights of the user apply.
func (s *State) Reader(user UserID, bound *Rights) (Reader, bool) {
	member, ok := s.MemberBy(user)
	if !ok {
		return Reader{}, false
	}
	permissions := s.permissionsOfMember(member)
	if bound == nil {
		return Reader{member, permissions}, true
	}
	limited := *member
	limited.Roles = slices.DeleteFunc(slices.Clone(member.Roles), func(role string) bool { return !slices.Contains(bound.Roles, role) })
	return Reader{&limited, permissions & bound.Permissions}, true
}

// permissionsOf returns the permissions with which the author of a command acts.
func (s *State) permissionsOf(m DecideContext) Permissions {
	author, _ := s.Reader(m.By, m.Bound)
	return author.Permissions
}

// RightsOf returns the present rights of the user, or nil if the user is not a member.
func (s *State) RightsOf(user UserID) *Rights {
	member, ok := s.MemberBy(user)
	if !ok {
		return nil
	}
	return &Rights{Roles: slices.Clone(member.Roles), Permissions: s.permissionsOfMember(member)}
}
