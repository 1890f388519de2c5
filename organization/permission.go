package organization

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Permission is one thing that a role allows.
type Permission uint32

// The permissions that roles are made of.
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

// names are the permissions' names in the order of their bits.
func names() []string {
	return []string{
		"viewOrganization", "viewCapTable", "editCapTable", "viewDocuments", "editDocuments", "deleteDocuments",
		"viewMembers", "editMembers", "viewIncentivePlan", "editIncentivePlan", "viewGoverningDocuments",
		"editOrganizationDetails", "editBilling", "signing", "viewSelf",
	}
}

// String gives the permission's name in the contract.
func (p Permission) String() string { return strings.Join(Permissions(p).Names(), ",") }

// Of gives the set of these permissions.
func Of(permissions ...Permission) Permissions {
	var set Permissions
	for _, p := range permissions {
		set |= Permissions(p)
	}
	return set
}

// Has reports whether the set holds the permission.
func (s Permissions) Has(p Permission) bool { return s&Permissions(p) != 0 }

// Names lists the permissions of the set by name.
func (s Permissions) Names() []string {
	list := []string{}
	for bit, name := range names() {
		if s&(1<<bit) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// MarshalJSON gives the list of names.
func (s Permissions) MarshalJSON() ([]byte, error) { return json.Marshal(s.Names()) }

// UnmarshalJSON reads a list of names.
func (s *Permissions) UnmarshalJSON(text []byte) error {
	var list []string
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	var set Permissions
	for _, name := range list {
		bit := slices.Index(names(), name)
		if bit < 0 {
			return fmt.Errorf("there is no permission %q", name)
		}
		set |= 1 << bit
	}
	*s = set
	return nil
}
