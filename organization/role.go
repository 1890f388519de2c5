package organization

import "equity/captable"

// The names of the built-in roles.
const (
	RoleOwner     = "Owner"
	RoleManager   = "Manager"
	RoleLegal     = "Legal"
	RoleAuditor   = "Auditor"
	RoleInvestor  = "Investor"
	RoleSignatory = "Signatory"
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

const allPermissions = Permissions(ViewSelf)<<1 - 1

// BuiltInRoles returns the roles of every organization, in order of decreasing permissions.
func BuiltInRoles() []Role {
	views := NewPermissions(ViewOrganization, ViewCapTable, ViewDocuments, ViewMembers, ViewIncentivePlan, ViewGoverningDocuments, ViewSelf)
	terms := []RoleTerms{
		{Name: RoleOwner, Description: "All permissions, including billing and deletion of the organization.", Permissions: allPermissions},
		{Name: RoleManager, Description: "All permissions except billing and deletion of the organization.", Permissions: allPermissions &^ Permissions(EditBilling)},
		{Name: RoleLegal, Description: "The cap table, plans and documents.", Permissions: views | NewPermissions(
			EditCapTable, EditDocuments, EditIncentivePlan, Signing,
		)},
		{Name: RoleAuditor, Description: "Views all that a Manager can view.", Permissions: views},
		{Name: RoleInvestor, Description: "Views the organization, its cap table and their own holdings.", Permissions: NewPermissions(ViewOrganization, ViewCapTable, ViewSelf)},
		{Name: RoleSignatory, Description: "Signs documents.", Permissions: NewPermissions(ViewOrganization, ViewDocuments, Signing, ViewSelf)},
		{Name: RoleGuest, Description: "Views their own holdings.", Permissions: NewPermissions(ViewSelf)},
	}
	roles := make([]Role, len(terms))
	for i := range terms {
		roles[i] = Role{RoleTerms: terms[i], BuiltIn: true}
	}
	return roles
}

// Roles returns the built-in roles, then the custom roles in order of creation.
func (s *State) Roles() []Role {
	roles := BuiltInRoles()
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

// permitted returns the union of the roles' permissions. Unknown names have no permissions.
func (s *State) permitted(names []string) (set Permissions) {
	for _, name := range names {
		set |= s.allowed[name]
	}
	return set
}
