package organization_test

import (
	"strings"
	"testing"

	"equity/fault"
	"equity/organization"
)

// observer returns the terms of a read-only role.
func observer() organization.RoleTerms {
	return organization.RoleTerms{
		Name: "Observer", Description: "Looks.", Permissions: organization.NewPermissions(organization.ViewCapTable, organization.ViewSelf),
	}
}

func (b *bundle) role(terms organization.RoleTerms) organization.RoleID {
	b.Helper()
	return b.do(organization.CreateRole{RoleTerms: terms})[0].(organization.RoleCreated).ID
}

// by decides a command with an account as its author.
func (b *bundle) by(user organization.UserID, command organization.Command) error {
	b.Helper()
	_, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, By: user, NewID: b.newID})
	return err
}

func (b *bundle) permissions(user organization.UserID) string {
	allowed, _ := b.state.Permissions(user)
	return strings.Join(allowed.Names(), " ")
}

func TestOwnRoles(t *testing.T) {
	t.Parallel()
	t.Run("a custom role has its permissions, in addition to built-in roles", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.role(observer())
		b.add(bob, "Bob", "Observer", organization.RoleGuest)
		equal(t, "permissions", b.permissions(bob), "viewCapTable viewSelf")
		roles := b.state.Roles()
		equal(t, "the last of nine", roles[8].Name, "Observer")
		equal(t, "is built in", roles[8].BuiltIn, false)
	})
	t.Run("a change of a custom role applies to all of its members, including the name", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		member := b.add(bob, "Bob", organization.RoleGuest, "Observer")
		b.do(organization.ReplaceRole{
			ID: id, RoleTerms: organization.RoleTerms{Name: "Watcher", Permissions: organization.NewPermissions(organization.ViewMembers)},
		})
		equal(t, "roles", strings.Join(b.member(member).Roles, " "), "Guest Watcher")
		equal(t, "permissions", b.permissions(bob), "viewMembers viewSelf")
		b.refused(adding(cleo, "Cleo", "Observer"), fault.Invalid, "/roles/0 unknownReference")
	})
	t.Run("a custom role cannot be deleted while a member has it", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		member := b.add(bob, "Bob", "Observer")
		told := b.refused(organization.DeleteRole{ID: id}, fault.InUse)
		equal(t, "who", told.Details["member"], member.String())
		b.do(organization.RemoveMember{ID: member})
		b.do(organization.DeleteRole{ID: id})
		equal(t, "roles", len(b.state.Roles()), 8)
	})
	t.Run("a custom role requires a unique name and a permission", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		other := observer()
		other.Name = "observer"
		b.refused(organization.CreateRole{RoleTerms: other}, fault.Conflict)
		other.Name = "OWNER"
		b.refused(organization.CreateRole{RoleTerms: other}, fault.Conflict)
		b.refused(organization.CreateRole{RoleTerms: organization.RoleTerms{Name: " "}}, fault.Invalid, "/name required", "/permissions required")
		other.Name = "OBSERVER"
		b.do(organization.ReplaceRole{ID: id, RoleTerms: other})
	})
	t.Run("a custom role with an unknown id is not found", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(organization.ReplaceRole{ID: organization.RoleID{1}, RoleTerms: observer()}, fault.NotFound)
		b.refused(organization.DeleteRole{ID: organization.RoleID{1}}, fault.NotFound)
	})
	t.Run("a custom role survives a snapshot with its permissions", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		b.add(bob, "Bob", "Observer")
		restored, err := restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		role, ok := restored.Role(id)
		kept, _ := b.state.Role(id)
		equal(t, "role", ok && *role == *kept, true)
		allowed, _ := restored.Permissions(bob)
		equal(t, "permissions", strings.Join(allowed.Names(), " "), "viewCapTable viewSelf")
	})
	t.Run("a custom role that is created after a copy is not in the copy", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.add(bob, "Bob", organization.RoleGuest)
		view := b.state.Copy()
		b.role(observer())
		equal(t, "roles of the copy", len(view.Roles()), 8)
	})
}

func TestGrantBeyondOwnPermissionsIsRefused(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.add(bob, "Bob", organization.RoleManager)
	billing := b.role(organization.RoleTerms{Name: "Billing", Permissions: organization.NewPermissions(organization.EditBilling)})
	biller := b.add(cleo, "Cleo", "Billing")
	self := b.memberOf(bob).ID
	for claim, command := range map[string]organization.Command{
		"becoming an owner":                       organization.AmendMember{ID: self, Patch: []byte(`{"roles":["Owner"]}`)},
		"adding an owner":                         adding(organization.UserID{1}, "Eve", organization.RoleOwner),
		"demoting an owner":                       organization.AmendMember{ID: b.memberOf(owner).ID, Patch: []byte(`{"roles":[]}`)},
		"removing a member with more permissions": organization.RemoveMember{ID: biller},
		"creating a role with more permissions": organization.CreateRole{
			RoleTerms: organization.RoleTerms{Name: "X", Permissions: organization.NewPermissions(organization.EditBilling)},
		},
		"replacing a role with more permissions": organization.ReplaceRole{
			ID: billing, RoleTerms: organization.RoleTerms{Name: "Billing", Permissions: organization.NewPermissions(organization.ViewSelf)},
		},
		"deleting a role with more permissions": organization.DeleteRole{ID: billing},
	} {
		t.Run(claim+" is refused for a manager", func(t *testing.T) {
			t.Parallel()
			err := b.by(bob, command)
			if err == nil || !strings.Contains(err.Error(), "You can grant or remove only") {
				t.Errorf("%v", err)
			}
			if err := b.by(owner, command); err != nil && strings.Contains(err.Error(), "You can grant") {
				t.Errorf("an owner is refused: %v", err)
			}
		})
	}
	t.Run("a change without roles requires only permission to edit members", func(t *testing.T) {
		t.Parallel()
		if err := b.by(bob, organization.AmendMember{ID: biller, Patch: []byte(`{"title":"CFO","roles":["Billing"]}`)}); err != nil {
			t.Error(err)
		}
	})
}
