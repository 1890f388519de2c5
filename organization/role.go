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

// RoleID names a role that the organization made for itself.
type RoleID = captable.ID[Role]

// RoleTerms are the fields of a role that editors set.
type RoleTerms struct {
	// Name is unique, whatever its case: members have roles by name.
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Permissions Permissions `json:"permissions"`
}

// Role is a named set of permissions. The record is immutable.
type Role struct {
	// ID is none for a built-in role.
	ID RoleID `json:"id,omitzero"`
	RoleTerms
	BuiltIn bool `json:"builtIn"`
	captable.Meta
}

const allPermissions = Permissions(ViewSelf)<<1 - 1

// BuiltInRoles lists the roles that every organization has, the mightiest first.
func BuiltInRoles() []Role {
	views := Of(ViewOrganization, ViewCapTable, ViewDocuments, ViewMembers, ViewIncentivePlan, ViewGoverningDocuments, ViewSelf)
	terms := []RoleTerms{
		{Name: RoleOwner, Description: "Everything, billing and deletion of the organization included.", Permissions: allPermissions},
		{Name: RoleManager, Description: "Everything but billing and deletion of the organization.", Permissions: allPermissions &^ Permissions(EditBilling)},
		{Name: RoleLegal, Description: "The cap table, plans and documents.", Permissions: views | Of(
			EditCapTable, EditDocuments, EditIncentivePlan, Signing,
		)},
		{Name: RoleAuditor, Description: "Reads what a Manager reads.", Permissions: views},
		{Name: RoleInvestor, Description: "Reads the organization, its cap table and what is their own.", Permissions: Of(ViewOrganization, ViewCapTable, ViewSelf)},
		{Name: RoleSignatory, Description: "Signs documents.", Permissions: Of(ViewOrganization, ViewDocuments, Signing, ViewSelf)},
		{Name: RoleGuest, Description: "Reads what is their own.", Permissions: Of(ViewSelf)},
	}
	roles := make([]Role, len(terms))
	for i := range terms {
		roles[i] = Role{RoleTerms: terms[i], BuiltIn: true}
	}
	return roles
}

// Roles lists all roles: the built-in ones, then those of the organization in the order
// in which they were made.
func (s *State) Roles() []Role {
	roles := BuiltInRoles()
	for role := range s.roles.All() {
		roles = append(roles, *role)
	}
	return roles
}

// Role finds a role of the organization's own.
func (s *State) Role(id RoleID) (*Role, bool) { return s.roles.Get(id) }

// builtIn is what the built-in roles allow.
func builtIn() map[string]Permissions {
	allowed := map[string]Permissions{}
	for _, role := range BuiltInRoles() {
		allowed[role.Name] = role.Permissions
	}
	return allowed
}

// permitted gives what the roles allow together; a name that no role has allows nothing.
func (s *State) permitted(names []string) (set Permissions) {
	for _, name := range names {
		set |= s.allowed[name]
	}
	return set
}
