package organization_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// as decides a command with an account as its author, and applies the events.
func (b *bundle) as(user organization.UserID, command organization.Command) {
	b.Helper()
	events, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, By: user, NewID: b.newID})
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	for _, event := range events {
		b.state.Apply(event, captable.Stamp{Sequence: uint64(len(b.recorded) + 1), At: captable.InstantOf(b.now), By: user.String()})
	}
}

// sentBy sends an invitation by bob, an owner, and returns its member and bob's.
func sentBy(b *bundle) (invited *organization.Member, sender organization.MemberID) {
	b.Helper()
	sender = b.add(bob, "Bob", organization.RoleOwner)
	b.as(bob, organization.InviteMembers{Invites: []organization.Invite{b.invite(1, captable.EntityID{})}, Roles: []string{organization.RoleOwner}})
	invited, err := b.state.Invited(organization.TokenHash{1}, b.now)
	if err != nil {
		b.Fatal(err)
	}
	return invited, sender
}

func TestInvitationEndsWithTheRemovalOfItsSender(t *testing.T) {
	t.Parallel()
	b := founded(t)
	_, sender := sentBy(b)
	b.as(owner, organization.RemoveMember{ID: sender})
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: cleo}, fault.NotFound)
}

func TestInvitationStaysEndedWhenItsSenderReturns(t *testing.T) {
	t.Parallel()
	b := founded(t)
	_, sender := sentBy(b)
	b.as(owner, organization.RemoveMember{ID: sender})
	b.add(bob, "Bob")
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: cleo}, fault.NotFound)
}

func TestInvitationEndsWhenItsSenderLeaves(t *testing.T) {
	t.Parallel()
	b := founded(t)
	sentBy(b)
	b.as(bob, organization.LeaveOrganization{User: bob})
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: cleo}, fault.NotFound)
}

func TestInvitationOfAnEarlierRemovalIsRefused(t *testing.T) {
	t.Parallel()
	b := founded(t)
	_, sender := sentBy(b)
	b.apply([]organization.Event{organization.MemberRemoved{ID: sender}}) // as recorded by an earlier version
	b.refused(organization.AcceptInvitation{Hash: organization.TokenHash{1}, User: cleo}, fault.NotFound)
}

func TestAnotherMemberConfirmsAnInvitationBySendingItAgain(t *testing.T) {
	t.Parallel()
	b := founded(t)
	invited, sender := sentBy(b)
	again := organization.InviteMembers{Invites: []organization.Invite{b.invite(2, invited.Entity)}}
	b.now = b.now.Add(organization.InvitationCooldown)
	b.as(owner, again)
	b.as(owner, organization.RemoveMember{ID: sender})
	b.do(organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: cleo})
	equal(t, "status", b.member(invited.ID).Status, organization.StatusJoined)
}

func TestEndedInvitationCanBeSentAgainAtOnce(t *testing.T) {
	t.Parallel()
	b := founded(t)
	invited, sender := sentBy(b)
	b.as(owner, organization.RemoveMember{ID: sender})
	equal(t, "invitable", b.state.Invitable(b.member(invited.ID), b.now), organization.InviteSent)
}

func TestSenderSurvivesASnapshot(t *testing.T) {
	t.Parallel()
	b := founded(t)
	invited, _ := sentBy(b)
	restored, err := restore(b.state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	member, _ := restored.Member(invited.ID)
	equal(t, "sender", member.Invitation.Sender, bob)
}
