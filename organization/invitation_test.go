package organization_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// invite returns an invitation of a new or known entity.
func (b *bundle) invite(token byte, known captable.EntityID) organization.Invite {
	return organization.Invite{Entity: known, Fresh: b.newID(), Name: "ada", Hash: organization.TokenHash{token}}
}

// inviting sends one invitation with the roles and returns its member, or the zero id if none was sent.
func (b *bundle) inviting(token byte, known captable.EntityID, roles ...string) organization.MemberID {
	b.Helper()
	for _, event := range b.do(organization.InviteMembers{Invites: []organization.Invite{b.invite(token, known)}, Roles: roles}) {
		if sent, ok := event.(organization.MemberInvited); ok {
			return sent.ID
		}
	}
	return organization.MemberID{}
}

func TestInvitationsAreAcceptedOnce(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{}, organization.RoleInvestor)
	equal(t, "status", b.member(id).Status, organization.StatusInvited)
	if _, ok := b.state.Permissions(bob); ok {
		t.Error("somebody invited may do something")
	}
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob}, fault.NotFound)
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: owner}, fault.Conflict)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob, Name: " Bob "})
	joined := b.member(id)
	equal(t, "status", joined.Status, organization.StatusJoined)
	equal(t, "name", joined.FullName, "Bob")
	if permissions, _ := b.state.Permissions(bob); !permissions.Has(organization.ViewCapTable) {
		t.Error("the roles do not count")
	}
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: cleo}, fault.NotFound)
	b.refused(organization.DeclineInvitation{Hash: organization.TokenHash{1}}, fault.NotFound)
	b.refused(organization.AcceptInvitation{User: cleo}, fault.NotFound)
}

func TestInvitationsExpire(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{})
	b.now = b.now.Add(organization.InvitationValid)
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
	b.inviting(2, b.member(id).Entity)
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob})
	equal(t, "name without one of the account", b.member(id).FullName, "ada")
}

func TestInvitationsAreSentAgainWithinLimits(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{}, organization.RoleGuest)
	entity := b.member(id).Entity
	invitable := func() string { return b.state.Invitable(b.member(id), b.now) }
	equal(t, "at once", invitable(), organization.InviteTooSoon)
	equal(t, "at once, sent", b.inviting(2, entity), organization.MemberID{})
	for token := byte(2); token <= organization.MaxInvitations; token++ {
		b.now = b.now.Add(organization.InvitationCooldown)
		equal(t, "again", b.inviting(token, entity, organization.RoleOwner), id)
	}
	equal(t, "times", b.member(id).Invitation.Times, uint64(organization.MaxInvitations))
	equal(t, "roles", b.member(id).Roles[0], organization.RoleGuest)
	b.now = b.now.Add(organization.InvitationCooldown)
	equal(t, "for ever", invitable(), organization.InviteTooMany)
	equal(t, "for ever, sent", b.inviting(99, entity), organization.MemberID{})
}

func TestDeclinedInvitationGrantsNoMembership(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{}, organization.RoleGuest)
	b.do(organization.DeclineInvitation{Hash: organization.TokenHash{1}})
	equal(t, "status", b.member(id).Status, organization.StatusRemoved)
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
	b.now = b.now.Add(time.Hour)
	equal(t, "asked to return", b.inviting(2, b.member(id).Entity, organization.RoleInvestor), id)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob})
	equal(t, "roles", b.member(id).Roles[0], organization.RoleInvestor)
}

func TestRemovingTheMemberWithdrawsTheInvitation(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{})
	b.do(organization.RemoveMember{ID: id})
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
}

func TestInvitedHolderKeepsHoldings(t *testing.T) {
	t.Parallel()
	b := founded(t)
	holder := b.do(
		organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Dora Black", Roles: []string{organization.RoleGuest}}},
	)[0].(organization.MemberAdded).Member
	b.issue(captable.HolderRef{Entity: holder.Entity}, 10)
	b.inviting(1, holder.Entity, organization.RoleInvestor, organization.RoleGuest)
	b.do(organization.DeclineInvitation{Hash: organization.TokenHash{1}})
	equal(t, "after declining", b.member(holder.ID).Status, organization.StatusRegistered)
	b.now = b.now.Add(time.Hour)
	b.inviting(2, holder.Entity, organization.RoleInvestor)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob, Name: "Robert"})
	joined, _ := b.state.MemberBy(bob)
	equal(t, "entity", joined.Entity, holder.Entity)
	equal(t, "printed name", joined.FullName, "Dora Black")
}

func TestInvitationBeyondOwnPermissionsIsRefused(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.add(bob, "Bob", organization.RoleManager)
	manage := func(command organization.Command) error {
		_, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, By: bob, NewID: b.newID})
		return err
	}
	invite := func(known captable.EntityID, role string) error {
		return manage(organization.InviteMembers{Invites: []organization.Invite{b.invite(9, known)}, Roles: []string{role}})
	}
	if err := invite(captable.EntityID{}, organization.RoleOwner); err == nil {
		t.Error("a Manager made an Owner")
	}
	if err := invite(captable.EntityID{}, organization.RoleGuest); err != nil {
		t.Error(err)
	}
	id := b.inviting(1, captable.EntityID{}, organization.RoleOwner)
	b.now = b.now.Add(time.Hour)
	if err := invite(b.member(id).Entity, organization.RoleGuest); err == nil {
		t.Error("a Manager sent an Owner's invitation again")
	}
	b.refused(organization.InviteMembers{Roles: []string{"Emperor", organization.RoleGuest, organization.RoleGuest}}, fault.Invalid,
		"/roles/0 unknownReference", "/roles/2 duplicate")
}

func TestHolderIsClaimedOnce(t *testing.T) {
	t.Parallel()
	b := founded(t)
	holder := b.do(
		organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Dora", Roles: []string{organization.RoleInvestor}}},
	)[0].(organization.MemberAdded).Member
	b.refused(organization.ClaimMember{Entity: captable.EntityID{1}, User: bob}, fault.Conflict)
	b.refused(organization.ClaimMember{Entity: holder.Entity, User: owner}, fault.Conflict)
	b.do(organization.ClaimMember{Entity: holder.Entity, User: bob})
	equal(t, "status", b.member(holder.ID).Status, organization.StatusJoined)
	if permissions, _ := b.state.Permissions(bob); !permissions.Has(organization.ViewCapTable) {
		t.Error("the roles do not count")
	}
	b.refused(organization.ClaimMember{Entity: holder.Entity, User: cleo}, fault.Conflict)
	b.do(organization.RemoveMember{ID: holder.ID})
	b.refused(organization.ClaimMember{Entity: holder.Entity, User: cleo}, fault.Conflict)
	invited := b.inviting(1, captable.EntityID{})
	b.refused(organization.ClaimMember{Entity: b.member(invited).Entity, User: cleo}, fault.Conflict)
}

func TestBouncedInvitationCanBeSentAgainAtOnce(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{}, organization.RoleGuest)
	b.refused(organization.BounceInvitation{Hash: organization.TokenHash{2}}, fault.NotFound)
	b.do(organization.BounceInvitation{Hash: organization.TokenHash{1}})
	equal(t, "status", b.member(id).Status, organization.StatusBounced)
	b.refused(organization.BounceInvitation{Hash: organization.TokenHash{1}}, fault.NotFound)
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
	equal(t, "again", b.inviting(3, b.member(id).Entity), id)
	equal(t, "status", b.member(id).Status, organization.StatusInvited)
	equal(t, "roles", b.member(id).Roles[0], organization.RoleGuest)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{3}, User: bob})
	b.refused(organization.BounceInvitation{Hash: organization.TokenHash{3}}, fault.NotFound)
}

func TestInvitationEndsWithItsAddress(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.inviting(1, captable.EntityID{}, organization.RoleGuest)
	b.do(organization.AmendMember{ID: id, Patch: []byte(`{"title":"Guest of honour"}`)})
	if _, err := b.state.Invited(organization.TokenHash{1}, b.now); err != nil {
		t.Errorf("another title: %v", err)
	}
	b.do(organization.AmendMember{ID: id, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true}})
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: bob}, fault.NotFound)
	b.refused(organization.BounceInvitation{Hash: organization.TokenHash{1}}, fault.NotFound)
	equal(t, "status", b.member(id).Status, organization.StatusInvited)
	equal(t, "events", len(b.do(organization.AmendMember{ID: id, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true}})), 1) // no invitation to withdraw
	equal(t, "again at once", b.inviting(2, b.member(id).Entity), id)
	equal(t, "times", b.member(id).Invitation.Times, 2)
	equal(t, "a third time", b.state.Invitable(b.member(id), b.now), organization.InviteTooSoon)
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob})
	equal(t, "events of a member", len(b.do(organization.AmendMember{ID: id, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true}})), 1)
}
