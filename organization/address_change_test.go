package organization_test

import (
	"bytes"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// readdressing changes the address of the member. The former address has a mail with the token.
func readdressing(id organization.MemberID, token byte) organization.AmendMember {
	return organization.AmendMember{
		ID: id, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true, Token: organization.TokenHash{token}},
	}
}

// holder adds a member without an account that holds shares, and invites it if the token is not 0.
func (b *bundle) holder(token byte) *organization.Member {
	b.Helper()
	added := b.do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Grace"}})[0].(organization.MemberAdded).Member
	b.issue(captable.HolderRef{Entity: added.Entity}, 10)
	if token != 0 {
		b.inviting(token, added.Entity)
	}
	return b.member(added.ID)
}

func (b *bundle) waits(id organization.MemberID) bool {
	b.Helper()
	_, waits := b.member(id).ClaimWaitsUntil(b.now)
	return waits
}

func TestAddressOfHolderRequiresPermissionToEditCapTable(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.role(organization.RoleTerms{Name: "HR", Permissions: organization.NewPermissions(organization.EditMembers, organization.ViewSelf)})
	b.add(bob, "Bob", "HR")
	held, free := b.holder(0), b.do(adding(cleo, "Cleo"))[0].(organization.MemberAdded).Member
	if err := b.by(bob, readdressing(held.ID, 9)); !fault.Is(err, fault.Forbidden) {
		t.Errorf("address of a holder: %v", err)
	}
	if err := b.by(bob, readdressing(free.ID, 9)); err != nil {
		t.Errorf("address of a member without holdings: %v", err)
	}
	b.do(organization.RemoveMember{ID: held.ID, KeepHoldings: true})
	again := organization.AddMember{Entity: held.Entity, MemberTerms: held.MemberTerms, Address: organization.Readdressing{Changes: true}}
	if err := b.by(bob, again); !fault.Is(err, fault.Forbidden) {
		t.Errorf("address of a returning holder: %v", err)
	}
}

func TestFormerHolderCountsAsHolder(t *testing.T) {
	t.Parallel()
	b := founded(t)
	held := b.holder(1)
	for share := range b.state.Table().Shareholdings() {
		b.table(captable.VoidShareholding{ID: share.ID, Reason: "entered twice"})
	}
	b.do(readdressing(held.ID, 9))
	equal(t, "waits", b.waits(held.ID), true)
}

func TestClaimOfInvitedHolderWaitsThreeDays(t *testing.T) {
	t.Parallel()
	b := founded(t)
	held := b.holder(1)
	b.do(readdressing(held.ID, 9))
	b.inviting(2, held.Entity) // the new address
	accept := organization.AcceptInvitation{Hash: organization.TokenHash{2}, User: bob}
	b.refused(accept, organization.CodeClaimWaiting)
	if restored, err := restore(b.state.Snapshot()); err != nil || !bytes.Equal(restored.Snapshot(), b.state.Snapshot()) {
		t.Error("the snapshot loses the change of the address", err)
	}
	b.now = b.now.Add(organization.ClaimWait - time.Microsecond)
	b.refused(accept, organization.CodeClaimWaiting)
	b.now = b.now.Add(time.Microsecond)
	b.do(accept)
}

func TestSecondChangeOfAddressWaitsAgain(t *testing.T) {
	t.Parallel()
	b := founded(t)
	held := b.holder(1)
	b.do(readdressing(held.ID, 8))
	b.now = b.now.Add(2 * 24 * time.Hour)
	b.inviting(2, held.Entity)
	b.do(organization.BounceInvitation{Hash: organization.TokenHash{2}}) // an invented address does not shorten the wait
	b.do(readdressing(held.ID, 9))
	b.now = b.now.Add(2 * 24 * time.Hour)
	equal(t, "waits", b.waits(held.ID), true)
	b.now = b.now.Add(24 * time.Hour)
	equal(t, "waits after three days", b.waits(held.ID), false)
}

func TestClaimWaitsForNoneOfThese(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(b *bundle) *organization.Member{
		"a holder who was never invited": func(b *bundle) *organization.Member { return b.holder(0) },
		"an address whose first mail bounced": func(b *bundle) *organization.Member {
			held := b.holder(1)
			b.do(organization.BounceInvitation{Hash: organization.TokenHash{1}})
			return held
		},
		"a member without holdings": func(b *bundle) *organization.Member {
			id := b.inviting(1, captable.EntityID{})
			return b.member(id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := founded(t)
			held := prepare(b)
			b.do(readdressing(held.ID, 9))
			equal(t, "waits", b.waits(held.ID), false)
		})
	}
}

func TestLaterBounceDoesNotShortenTheWait(t *testing.T) {
	t.Parallel()
	b := founded(t)
	held := b.holder(1)
	b.now = b.now.Add(2 * time.Hour)
	b.inviting(2, held.Entity)
	b.do(organization.BounceInvitation{Hash: organization.TokenHash{2}}) // the mailbox was closed after the first mail
	b.do(readdressing(held.ID, 9))
	equal(t, "waits", b.waits(held.ID), true)
}

func TestConfirmationEndsTheWait(t *testing.T) {
	t.Parallel()
	for means, confirm := range map[string]func(b *bundle, id organization.MemberID){
		organization.ConfirmedByFormer: func(b *bundle, _ organization.MemberID) {
			b.refused(organization.ConfirmAddressByToken{Hash: organization.TokenHash{8}}, fault.NotFound)
			b.refused(organization.ConfirmAddressByToken{}, fault.NotFound)
			b.do(organization.ConfirmAddressByToken{Hash: organization.TokenHash{9}})
			b.refused(organization.ConfirmAddressByToken{Hash: organization.TokenHash{9}}, fault.NotFound)
		},
		organization.ConfirmedByBounce: func(b *bundle, _ organization.MemberID) {
			b.do(organization.BounceInvitation{Hash: organization.TokenHash{1}})
		},
		organization.ConfirmedByOwner: func(b *bundle, id organization.MemberID) {
			b.add(bob, "Bob", organization.RoleManager)
			if err := b.by(bob, organization.ConfirmAddress{ID: id}); !fault.Is(err, fault.Forbidden) {
				b.Error("a Manager confirmed", err)
			}
			b.as(owner, organization.ConfirmAddress{ID: id})
			if err := b.by(owner, organization.ConfirmAddress{ID: id}); !fault.Is(err, fault.Conflict) {
				b.Error("confirmed twice", err)
			}
		},
	} {
		t.Run(means, func(t *testing.T) {
			t.Parallel()
			b := founded(t)
			held := b.holder(1)
			b.do(readdressing(held.ID, 9))
			equal(t, "waits", b.waits(held.ID), true)
			confirm(b, held.ID)
			equal(t, "waits after the confirmation", b.waits(held.ID), false)
		})
	}
}
