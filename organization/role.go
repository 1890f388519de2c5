package organization

import (
	"slices"
	"strings"

	"equity/captable"
)

// The names of the built-in roles.
const (
	RoleOwner     = "Owner"
	RoleManager   = "Manager"
	RoleLegal     = "Legal"
	RoleAuditor   = "Auditor"
	RoleInvestor  = "Investor"
	RoleSignatory = "Signatory"
	RoleHolder    = "Holder"
	RoleGuest     = "Guest"
)

// RoleID identifies a custom role of an organization.
type RoleID = captable.ID[Role]

// RoleTerms are the editable fields of a role.
type RoleTerms struct {
	// Name is unique, case-insensitive, because members refer to roles by name.
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Permissions Permissions `json:"permissions"`
}

// Role is a named set of permissions. The record is immutable.
type Role struct {
	// ID is zero for a built-in role.
	ID RoleID `json:"id,omitzero"`
	RoleTerms
	BuiltIn bool `json:"builtIn"`
	captable.Meta
}

// holderPermissions are those of [RoleHolder].
const holderPermissions = Permissions(ViewOrganization | ViewSelf)

const allPermissions = Permissions(ViewSelf)<<1 - 1

// BuiltInRoles returns the roles of every organization, in order of decreasing permissions.
func BuiltInRoles() []Role {
	views := NewPermissions(ViewOrganization, ViewCapTable, ViewDocuments, ViewMembers, ViewIncentivePlan, ViewGoverningDocuments, ViewSelf)
	terms := []RoleTerms{
		{Name: RoleOwner, Description: "All permissions, including billing and deletion of the organization.", Permissions: allPermissions},
		{
			Name: RoleManager, Description: "All permissions except billing and deletion of the organization.",
			Permissions: allPermissions &^ Permissions(EditBilling),
		},
		{Name: RoleLegal, Description: "The cap table, plans and documents.", Permissions: views | NewPermissions(
			EditCapTable, EditDocuments, EditIncentivePlan, Signing,
		)},
		{Name: RoleAuditor, Description: "Views all that a Manager can view.", Permissions: views},
		{
			Name: RoleInvestor, Description: "Views the organization, its cap table and their own holdings.",
			Permissions: NewPermissions(ViewOrganization, ViewCapTable, ViewSelf),
		},
		{
			Name: RoleSignatory, Description: "Signs documents.",
			Permissions: NewPermissions(ViewOrganization, ViewDocuments, Signing, ViewSelf),
		},
		{Name: RoleHolder, Description: "Views their own holdings and the details of the organization.", Permissions: holderPermissions},
		{Name: RoleGuest, Description: "Views their own holdings.", Permissions: NewPermissions(ViewSelf)},
	}
	roles := make([]Role, len(terms))
	for i := range terms {
		roles[i] = Role{RoleTerms: terms[i], BuiltIn: true}
	}
	return roles
}

// Roles returns the built-in roles, then the custom roles in order of creation. A custom role that is named Holder replaces the
// built-in one: organizations created it before that role was built in.
func (s *State) Roles() []Role {
	roles := BuiltInRoles()
	if s.ownHolder() != "" {
		roles = slices.DeleteFunc(roles, func(role Role) bool { return role.Name == RoleHolder })
	}
	for role := range s.roles.All() {
		roles = append(roles, *role)
	}
	return roles
}

// HasRole reports whether a role has the name.
func (s *State) HasRole(name string) bool {
	_, ok := s.allowed[name]
	return ok
}

// Role returns a custom role.
func (s *State) Role(id RoleID) (*Role, bool) { return s.roles.Get(id) }

// builtIn returns the permissions of the built-in roles.
func builtIn() map[string]Permissions {
	allowed := map[string]Permissions{}
	for _, role := range BuiltInRoles() {
		allowed[role.Name] = role.Permissions
	}
	return allowed
}

// isHolder reports whether the name is that of the built-in role Holder. Names of roles are compared without case.
func isHolder(name string) bool { return strings.EqualFold(name, RoleHolder) }

// ownHolder returns the name of the custom role that replaces the built-in role Holder, or an empty string.
func (s *State) ownHolder() string {
	for role := range s.roles.All() {
		if isHolder(role.Name) {
			return role.Name
		}
	}
	return ""
}

// defaultRoles returns the roles of somebody who is invited or joins without a role: Holder. A custom role of that name can have
// more permissions; it is assigned only by an author with these permissions.
func (s *State) defaultRoles(author Permissions) []string {
	own := s.ownHolder()
	if own == "" {
		return []string{RoleHolder}
	}
	if s.allowed[own]&^(author|holderPermissions) != 0 {
		return nil
	}
	return []string{own}
}

// orDefault returns the roles, or the default roles if there are none. The author may grant Holder without having its permissions.
func (s *State) orDefault(roles []string, m DecideContext) []string {
	if len(roles) > 0 {
		return roles
	}
	return append([]string{}, s.defaultRoles(s.grantable(m))...)
}

// permissionsOfMember returns the permissions of a member. A member who joined without a role has those of the built-in role Holder.
func (s *State) permissionsOfMember(m *Member) Permissions {
	if len(m.Roles) == 0 && m.Status == StatusJoined {
		return holderPermissions
	}
	return s.permitted(m.Roles)
}

// permitted returns the union of the roles' permissions. Unknown names have no permissions.
func (s *State) permitted(names []string) (set Permissions) {
	for _, name := range names {
		set |= s.allowed[name]
	}
	return set
}
