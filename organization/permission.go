package organization

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Permission is one permission of a role.
type Permission uint32

// The permissions of roles.
const (
	ViewOrganization Permission = 1 << iota
	ViewCapTable
	EditCapTable
	ViewDocuments
	EditDocuments
	DeleteDocuments
	ViewMembers
	EditMembers
	ViewIncentivePlan
	EditIncentivePlan
	ViewGoverningDocuments
	EditOrganizationDetails
	EditBilling
	Signing
	ViewSelf
)

// Permissions is a set of permissions.
type Permissions uint32

// names returns the permissions' names in the order of their bits.
func names() []string {
	return []string{
		"viewOrganization", "viewCapTable", "editCapTable", "viewDocuments", "editDocuments", "deleteDocuments",
		"viewMembers", "editMembers", "viewIncentivePlan", "editIncentivePlan", "viewGoverningDocuments",
		"editOrganizationDetails", "editBilling", "signing", "viewSelf",
	}
}

// String returns the permission's name in the contract.
func (p Permission) String() string { return strings.Join(Permissions(p).Names(), ",") }

// NewPermissions returns the set of the permissions.
func NewPermissions(permissions ...Permission) Permissions {
	var set Permissions
	for _, p := range permissions {
		set |= Permissions(p)
	}
	return set
}

// Has reports whether the set contains the permission.
func (s Permissions) Has(p Permission) bool { return s&Permissions(p) != 0 }

// Names returns the names of the permissions in the set.
func (s Permissions) Names() []string {
	list := []string{}
	for bit, name := range names() {
		if s&(1<<bit) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// MarshalJSON returns the list of names.
func (s Permissions) MarshalJSON() ([]byte, error) { return json.Marshal(s.Names()) }

// UnmarshalJSON decodes a list of names.
func (s *Permissions) UnmarshalJSON(text []byte) error {
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	var set Permissions
	for _, name := range list {
		bit := slices.Index(names(), name)
		if bit < 0 {
			return fmt.Errorf("unknown permission %q", name)
		}
		set |= 1 << bit
	}
	*s = set
	return nil
}
