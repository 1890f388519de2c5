package organization_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

const holdersPermissions = "viewOrganization viewSelf"

// roles returns the roles of the member with the account.
func (b *bundle) roles(user organization.UserID) string {
	b.Helper()
	member, ok := b.state.MemberBy(user)
	if !ok {
		b.Fatalf("%s is no member", user)
	}
	return strings.Join(member.Roles, " ")
}

// joinedByEarlierVersion adds the events of a journal in which a member without a role joined.
func (b *bundle) joinedByEarlierVersion(user organization.UserID) {
	b.Helper()
	id := organization.MemberID(b.newID())
	b.apply([]organization.Event{
		organization.MemberAdded{Member: organization.Member{
			ID: id, Entity: b.newID(), Status: organization.StatusInvited, MemberTerms: organization.MemberTerms{FullName: "Bob", Roles: []string{}},
		}},
		organization.MemberInvited{ID: id, Hash: organization.TokenHash{7}, ExpiresAt: captable.InstantOf(b.now.Add(organization.InvitationValid))},
		organization.MemberJoined{ID: id, User: user},
	})
}

// ownHolder adds a role of an earlier version that is named Holder, with the permissions.
func (b *bundle) ownHolder(name string, permissions ...organization.Permission) organization.RoleID {
	b.Helper()
	id := organization.RoleID(b.newID())
	b.apply([]organization.Event{organization.RoleCreated{
		ID: id, Terms: organization.RoleTerms{Name: name, Permissions: organization.NewPermissions(permissions...)},
	}})
	return id
}

func TestHolderIsTheDefaultRole(t *testing.T) {
	t.Parallel()
	accept := func(b *bundle) { b.do(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}) }
	t.Run("InvitationWithoutRoleAssignsHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.inviting(1, captable.EntityID{})
		equal(t, "invited", strings.Join(b.member(id).Roles, " "), "Holder")
		accept(b)
		equal(t, "joined", b.roles(bob), "Holder")
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
	})
	t.Run("InvitationWithRoleAssignsOnlyThatRole", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.inviting(1, captable.EntityID{}, organization.RoleGuest)
		accept(b)
		equal(t, "joined", b.roles(bob), "Guest")
	})
	t.Run("InvitationOfHolderWithoutRoleAssignsHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(adding(bob, "Bob"))
		b.inviting(1, captable.EntityID(bob))
		accept(b)
		equal(t, "joined", b.roles(bob), "Holder")
	})
	t.Run("InvitationKeepsRolesOfHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(adding(bob, "Bob", organization.RoleInvestor))
		b.inviting(1, captable.EntityID(bob))
		accept(b)
		equal(t, "joined", b.roles(bob), "Investor")
	})
	t.Run("InvitationOfRemovedMemberWithoutRoleAssignsHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		removed := b.add(bob, "Bob", organization.RoleInvestor)
		b.do(organization.RemoveMember{ID: removed})
		b.inviting(1, b.member(removed).Entity)
		accept(b)
		equal(t, "joined", b.roles(bob), "Holder")
	})
	t.Run("AcceptanceWithoutRoleAssignsHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.inviting(1, captable.EntityID{}, organization.RoleGuest)
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"roles":[]}`)})
		accept(b)
		equal(t, "joined", b.roles(bob), "Holder")
	})
	t.Run("ClaimWithoutRoleAssignsHolder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.add(bob, "Bob")
		equal(t, "joined", b.roles(bob), "Holder")
	})
	t.Run("AuthorWithoutItsPermissionsInvitesHolders", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.role(organization.RoleTerms{Name: "Recruiter", Permissions: organization.NewPermissions(organization.EditMembers)})
		b.add(cleo, "Cleo", "Recruiter")
		b.as(cleo, organization.InviteMembers{Invites: []organization.Invite{b.invite(1, captable.EntityID{})}})
		accept(b)
		equal(t, "joined", b.roles(bob), "Holder")
	})
	t.Run("HolderSurvivesSnapshot", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.inviting(1, captable.EntityID{})
		accept(b)
		restored, err := restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		permissions, _ := restored.Permissions(bob)
		equal(t, "permissions", strings.Join(permissions.Names(), " "), holdersPermissions)
	})
}

func TestMemberWithoutRoleHasPermissionsOfHolder(t *testing.T) {
	t.Parallel()
	t.Run("a member without roles in an older journal has the permissions of a holder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.joinedByEarlierVersion(bob)
		equal(t, "roles", b.roles(bob), "")
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
		equal(t, "rights of a deputy", strings.Join(b.state.RightsOf(bob).Permissions.Names(), " "), holdersPermissions)
		reader, _ := b.state.Reader(bob, nil)
		equal(t, "reader", strings.Join(reader.Permissions.Names(), " "), holdersPermissions)
	})
	t.Run("a member without the last role has the permissions of a holder", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob", organization.RoleInvestor)
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"roles":[]}`)})
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
	})
	t.Run("a member without roles has no more permissions if a custom Holder role has more", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.ownHolder("Holder", organization.EditCapTable)
		b.joinedByEarlierVersion(bob)
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
	})
}

func TestOwnRoleNamedHolder(t *testing.T) {
	t.Parallel()
	t.Run("a custom Holder role replaces the built-in role", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.ownHolder("HOLDER", organization.ViewSelf)
		var names []string
		for _, role := range b.state.Roles() {
			names = append(names, role.Name)
		}
		equal(t, "roles", strings.Join(names, " "), "Owner Manager Legal Auditor Investor Signatory Guest HOLDER")
		b.refused(adding(bob, "Bob", "Holder"), fault.Invalid, "/roles/0 unknownReference")
	})
	t.Run("a custom Holder role is assigned by default", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.ownHolder("holder", organization.ViewSelf, organization.ViewDocuments)
		b.inviting(1, captable.EntityID{})
		b.do(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob})
		equal(t, "roles", b.roles(bob), "holder")
		equal(t, "permissions", b.permissions(bob), "viewDocuments viewSelf")
	})
	t.Run("an author with fewer permissions does not assign a custom Holder role", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.ownHolder("Holder", organization.EditBilling)
		b.add(cleo, "Cleo", organization.RoleManager)
		b.as(cleo, organization.InviteMembers{Invites: []organization.Invite{b.invite(1, captable.EntityID{})}})
		b.do(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob})
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
	})
	t.Run("a claim does not assign a custom Holder role with more permissions", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.ownHolder("Holder", organization.EditBilling)
		b.add(bob, "Bob")
		equal(t, "roles", b.roles(bob), "")
	})
	t.Run("a custom Holder role can be changed", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.ownHolder("Holder", organization.ViewSelf)
		b.do(organization.ReplaceRole{
			ID: id, RoleTerms: organization.RoleTerms{Name: "Holder", Permissions: organization.NewPermissions(organization.ViewMembers)},
		})
		b.add(bob, "Bob", "Holder")
		equal(t, "permissions", b.permissions(bob), "viewMembers")
	})
	t.Run("a renamed custom Holder role restores the built-in role", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.ownHolder("holder", organization.ViewMembers)
		b.add(cleo, "Cleo", "holder")
		b.do(organization.ReplaceRole{
			ID: id, RoleTerms: organization.RoleTerms{Name: "Watcher", Permissions: organization.NewPermissions(organization.ViewMembers)},
		})
		b.add(bob, "Bob", "Holder")
		equal(t, "kept", b.roles(cleo), "Watcher")
		equal(t, "permissions", b.permissions(bob), holdersPermissions)
	})
	t.Run("a custom Holder role cannot be created beside the built-in role", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(organization.CreateRole{
			RoleTerms: organization.RoleTerms{Name: "holder", Permissions: organization.NewPermissions(organization.ViewSelf)},
		}, fault.Conflict)
	})
}
