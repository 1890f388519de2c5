package organization_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/organization"
)

// observer are the terms of a role that looks and does not touch.
func observer() organization.RoleTerms {
	return organization.RoleTerms{Name: "Observer", Description: "Looks.", Permissions: organization.Of(organization.ViewCapTable, organization.ViewSelf)}
}

func (b *bundle) role(terms organization.RoleTerms) organization.RoleID {
	b.Helper()
	return b.do(organization.CreateRole{RoleTerms: terms})[0].(organization.RoleCreated).ID
}

// by decides in the name of an account.
func (b *bundle) by(user organization.UserID, command organization.Command) error {
	b.Helper()
	_, err := organization.Decide(b.state, command, organization.Moment{Now: b.now, By: user, NewID: b.newID})
	return err
}

func (b *bundle) permissions(user organization.UserID) string {
	allowed, _ := b.state.Permissions(user)
	return strings.Join(allowed.Names(), " ")
}

func TestOwnRoles(t *testing.T) {
	t.Parallel()
	t.Run("permit what they say, beside the built-in ones", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.role(observer())
		b.add(bob, "Bob", "Observer", organization.RoleGuest)
		equal(t, "permissions", b.permissions(bob), "viewCapTable viewSelf")
		roles := b.state.Roles()
		equal(t, "the last of eight", roles[7].Name, "Observer")
		equal(t, "is built in", roles[7].BuiltIn, false)
	})
	t.Run("change for everybody who has them, name and all", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		member := b.add(bob, "Bob", organization.RoleGuest, "Observer")
		b.do(organization.ReplaceRole{ID: id, RoleTerms: organization.RoleTerms{Name: "Watcher", Permissions: organization.Of(organization.ViewMembers)}})
		equal(t, "roles", strings.Join(b.member(member).Roles, " "), "Guest Watcher")
		equal(t, "permissions", b.permissions(bob), "viewMembers viewSelf")
		b.refused(adding(cleo, "Cleo", "Observer"), captable.CodeInvalid, "/roles/0 unknownReference")
	})
	t.Run("that somebody has stay, until nobody does", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		member := b.add(bob, "Bob", "Observer")
		told := b.refused(organization.DeleteRole{ID: id}, captable.CodeInUse)
		equal(t, "who", told.Details["member"], member.String())
		b.do(organization.RemoveMember{ID: member})
		b.do(organization.DeleteRole{ID: id})
		equal(t, "roles", len(b.state.Roles()), 7)
	})
	t.Run("have a name of their own and permit something", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		other := observer()
		other.Name = "observer"
		b.refused(organization.CreateRole{RoleTerms: other}, captable.CodeConflict)
		other.Name = "OWNER"
		b.refused(organization.CreateRole{RoleTerms: other}, captable.CodeConflict)
		b.refused(organization.CreateRole{RoleTerms: organization.RoleTerms{Name: " "}}, captable.CodeInvalid, "/name required", "/permissions required")
		other.Name = "OBSERVER"
		b.do(organization.ReplaceRole{ID: id, RoleTerms: other})
	})
	t.Run("that are not there are not found", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(organization.ReplaceRole{ID: organization.RoleID{1}, RoleTerms: observer()}, captable.CodeNotFound)
		b.refused(organization.DeleteRole{ID: organization.RoleID{1}}, captable.CodeNotFound)
	})
	t.Run("survive a snapshot, with what they permit", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.role(observer())
		b.add(bob, "Bob", "Observer")
		restored, err := organization.Restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		role, ok := restored.Role(id)
		kept, _ := b.state.Role(id)
		equal(t, "role", ok && *role == *kept, true)
		allowed, _ := restored.Permissions(bob)
		equal(t, "permissions", strings.Join(allowed.Names(), " "), "viewCapTable viewSelf")
	})
	t.Run("made after a copy are none of the copy's", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.add(bob, "Bob", organization.RoleGuest)
		view := b.state.Copy()
		b.role(observer())
		equal(t, "roles of the copy", len(view.Roles()), 7)
	})
}

func TestNobodyGivesWhatTheyDoNotHave(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.add(bob, "Bob", organization.RoleManager)
	billing := b.role(organization.RoleTerms{Name: "Billing", Permissions: organization.Of(organization.EditBilling)})
	biller := b.add(cleo, "Cleo", "Billing")
	self := b.memberOf(bob).ID
	for claim, command := range map[string]organization.Command{
		"a manager who would be an owner":                   organization.AmendMember{ID: self, Patch: []byte(`{"roles":["Owner"]}`)},
		"a manager who would make an owner":                 adding(organization.UserID{1}, "Eve", organization.RoleOwner),
		"a manager who would demote an owner":               organization.AmendMember{ID: b.memberOf(owner).ID, Patch: []byte(`{"roles":[]}`)},
		"a manager who would remove one who may more":       organization.RemoveMember{ID: biller},
		"a manager who would make a role that permits more": organization.CreateRole{RoleTerms: organization.RoleTerms{Name: "X", Permissions: organization.Of(organization.EditBilling)}},
		"a manager who would weaken a role that permits more": organization.ReplaceRole{
			ID: billing, RoleTerms: organization.RoleTerms{Name: "Billing", Permissions: organization.Of(organization.ViewSelf)},
		},
		"a manager who would delete it": organization.DeleteRole{ID: billing},
	} {
		t.Run(claim+" is refused", func(t *testing.T) {
			t.Parallel()
			err := b.by(bob, command)
			if err == nil || !strings.Contains(err.Error(), "Nobody gives or takes") {
				t.Errorf("%v", err)
			}
			if err := b.by(owner, command); err != nil && strings.Contains(err.Error(), "Nobody gives") {
				t.Errorf("an owner is told: %v", err)
			}
		})
	}
	t.Run("what leaves the roles alone is open to who manages members", func(t *testing.T) {
		t.Parallel()
		if err := b.by(bob, organization.AmendMember{ID: biller, Patch: []byte(`{"title":"CFO","roles":["Billing"]}`)}); err != nil {
			t.Error(err)
		}
	})
}
