package organization_test

import (
	"slices"
	"strings"
	"testing"

	"equity/organization"
)

func TestBuiltInRoles(t *testing.T) {
	t.Parallel()
	const every = "viewOrganization viewCapTable editCapTable viewDocuments editDocuments deleteDocuments viewMembers editMembers viewIncentivePlan " +
		"editIncentivePlan viewGoverningDocuments editOrganizationDetails editBilling signing viewSelf"
	for role, want := range map[string]string{
		organization.RoleOwner:   every,
		organization.RoleManager: strings.ReplaceAll(every, "editBilling ", ""),
		organization.RoleAuditor: "viewOrganization viewCapTable viewDocuments viewMembers viewIncentivePlan viewGoverningDocuments viewSelf",
		organization.RoleLegal: "viewOrganization viewCapTable editCapTable viewDocuments editDocuments viewMembers viewIncentivePlan " +
			"editIncentivePlan viewGoverningDocuments signing viewSelf",
		organization.RoleInvestor:  "viewOrganization viewCapTable viewSelf",
		organization.RoleSignatory: "viewOrganization viewDocuments signing viewSelf",
		organization.RoleHolder:    "viewOrganization viewSelf",
		organization.RoleGuest:     "viewSelf",
	} {
		t.Run(role+" has exactly its permissions", func(t *testing.T) {
			t.Parallel()
			b := founded(t)
			b.add(bob, "Bob", role)
			allowed, ok := b.state.Permissions(bob)
			equal(t, "is a member", ok, true)
			equal(t, "permissions", strings.Join(allowed.Names(), " "), want)
		})
	}
	t.Run("the eight built-in roles have a description each", func(t *testing.T) {
		t.Parallel()
		roles := organization.BuiltInRoles()
		equal(t, "roles", len(roles), 8)
		for _, role := range roles {
			if !role.BuiltIn || role.Description == "" {
				t.Errorf("%+v", role)
			}
		}
	})
	t.Run("a member has the permissions of all roles", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.add(bob, "Bob", organization.RoleGuest, organization.RoleSignatory, organization.RoleInvestor)
		allowed, _ := b.state.Permissions(bob)
		equal(t, "permissions", strings.Join(allowed.Names(), " "), "viewOrganization viewCapTable viewDocuments signing viewSelf")
	})
	t.Run("a stranger has no permissions", func(t *testing.T) {
		t.Parallel()
		_, ok := founded(t).state.Permissions(cleo)
		equal(t, "is a member", ok, false)
	})
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	t.Run("permissions have unique names", func(t *testing.T) {
		t.Parallel()
		names := map[string]bool{}
		for p := organization.ViewOrganization; p <= organization.ViewSelf; p <<= 1 {
			names[p.String()] = true
			if !organization.NewPermissions(p).Has(p) || organization.NewPermissions().Has(p) {
				t.Errorf("%s is not in its own set", p)
			}
		}
		equal(t, "names", len(names), 15)
		equal(t, "set", slices.Equal(
			organization.NewPermissions(organization.Signing, organization.ViewCapTable).Names(), []string{"viewCapTable", "signing"},
		), true)
	})
}
