package organization

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

// Role is a named set of permissions.
type Role struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Permissions Permissions `json:"-"`
	BuiltIn     bool        `json:"builtIn"`
}

const allPermissions = Permissions(ViewSelf)<<1 - 1

// BuiltInRoles lists the roles that every organization has, the mightiest first.
func BuiltInRoles() []Role {
	views := Of(ViewOrganization, ViewCapTable, ViewDocuments, ViewMembers, ViewIncentivePlan, ViewGoverningDocuments, ViewSelf)
	roles := []Role{
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
	for i := range roles {
		roles[i].BuiltIn = true
	}
	return roles
}

func builtInRole(name string) (Role, bool) {
	for _, role := range BuiltInRoles() {
		if role.Name == name {
			return role, true
		}
	}
	return Role{}, false
}
