package organization_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

func TestAddMember(t *testing.T) {
	t.Parallel()
	t.Run("a new member is registered and has joined after the claim of an account", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		joined := b.member(b.add(bob, "  Bob Noyce ", organization.RoleInvestor))
		equal(t, "joined", joined.Status+" "+joined.FullName+" "+joined.Kind, "joined Bob Noyce individual")
		equal(t, "version", joined.Version, 4)
		event := b.do(
			organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Fund", Kind: "institution"}},
		)[0].(organization.MemberAdded)
		registered := b.member(event.Member.ID)
		equal(t, "registered", registered.Status, organization.StatusRegistered)
		equal(t, "has an entity", registered.Entity.IsZero(), false)
		equal(t, "roles in JSON", text(t, registered.Roles), `[]`)
		equal(t, "creates", event.Creates()[0], captable.Created{ID: registered.ID, Kind: "member"})
	})
	t.Run("a refused member names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(organization.AddMember{MemberTerms: organization.MemberTerms{
			FullName: " ", Kind: "robot", Roles: []string{"Owner", "Emperor", "owner", "Owner"},
			StartDate: exact.MustDate(today), TerminationDate: exact.MustDate("2026-01-14"),
		}}, fault.Invalid,
			"/fullName required", "/kind enum", "/roles/1 unknownReference", "/roles/2 unknownReference", "/roles/3 duplicate",
			"/terminationDate beforeStart")
	})
	t.Run("an entity that is already a member is refused", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		equal(t, "figure", b.refused(adding(bob, "Bob"), fault.Conflict).Details["member"], id.String())
	})
	t.Run("the externalId of another member, also of a removed one, is refused", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		first := adding(bob, "Bob")
		first.ExternalID = "x"
		id := b.do(first)[0].(organization.MemberAdded).Member.ID
		second := adding(cleo, "Cleo")
		second.ExternalID = "x"
		b.refused(second, fault.Conflict)
		b.do(organization.RemoveMember{ID: id})
		b.refused(second, fault.Conflict)
	})
}

func TestAddMemberAgain(t *testing.T) {
	t.Parallel()
	t.Run("a removed member who is added again has the same id and the new terms", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob", organization.RoleManager)
		b.do(organization.RemoveMember{ID: id})
		b.do(adding(bob, "Robert", organization.RoleGuest))
		_, allowed := b.state.Permissions(bob)
		equal(t, "access before it is claimed", allowed, false)
		b.claim(bob)
		member := b.member(id)
		equal(t, "member", member.FullName+" "+member.Roles[0]+" "+member.Status, "Robert Guest joined")
		permissions, ok := b.state.Permissions(bob)
		equal(t, "permissions", ok && permissions == organization.NewPermissions(organization.ViewSelf), true)
	})
	t.Run("a member who is claimed again by another account has access with that account only", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		b.do(organization.RemoveMember{ID: id})
		b.do(adding(bob, "Bob"))
		b.do(organization.ClaimMember{Entity: captable.EntityID(bob), User: cleo})
		_, old := b.state.MemberBy(bob)
		member, now := b.state.MemberBy(cleo)
		equal(t, "old account", old, false)
		equal(t, "new account", now && member.ID == id, true)
	})
	t.Run("a removed member's externalId that another member has taken is refused", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(organization.RemoveMember{ID: b.add(bob, "Bob")})
		other := adding(cleo, "Cleo")
		other.ExternalID = "x"
		b.do(other)
		again := adding(bob, "Bob")
		again.ExternalID = "x"
		b.refused(again, fault.Conflict)
	})
	t.Run("a member who is added again does not take the account of another member", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		first := b.add(bob, "Bob")
		b.do(organization.RemoveMember{ID: first})
		second := adding(organization.UserID{9}, "Bob II")
		now := b.do(second)[0].(organization.MemberAdded).Member.ID
		b.do(organization.ClaimMember{Entity: second.Entity, User: bob})
		b.do(adding(bob, "Bob"))
		b.refused(organization.ClaimMember{Entity: captable.EntityID(bob), User: bob}, fault.Conflict)
		b.do(organization.ClaimMember{Entity: captable.EntityID(bob), User: cleo})
		member, ok := b.state.MemberBy(bob)
		equal(t, "member", ok && member.ID == now, true)
	})
}

func TestAmendMember(t *testing.T) {
	t.Parallel()
	amend := func(id organization.MemberID, patch string) organization.AmendMember {
		return organization.AmendMember{ID: id, Patch: []byte(patch)}
	}
	t.Run("an amendment changes present fields and clears null fields", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob", organization.RoleGuest)
		b.do(amend(id, `{"title":"CEO","externalId":"x","startDate":"2025-01-01","roles":["Legal","Signatory"],"comments":["c"]}`))
		b.do(amend(id, `{"title":null,"comments":null,"terminationDate":"2025-12-31","terminationReason":"left","relationship":"exEmployee"}`))
		equal(t, "terms", text(t, b.member(id).MemberTerms), `{"kind":"individual","fullName":"Bob","relationship":"exEmployee","roles":["Legal","Signatory"],`+
			`"startDate":"2025-01-01","terminationDate":"2025-12-31","terminationReason":"left","externalId":"x"}`)
		b.do(amend(id, `{"roles":null}`))
		equal(t, "roles", text(t, b.member(id).Roles), `[]`)
	})
	t.Run("a refused amendment names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		b.refused(amend(id, `{"fullName":"","kind":"x","roles":["y"]}`), fault.Invalid, "/fullName required", "/kind enum", "/roles/0 unknownReference")
		b.refused(amend(id, `{"status":"joined","user":null,"email":"x","roles":"Owner"}`), fault.Invalid,
			"/email unknownField", "/roles wrongType", "/status unknownField", "/user unknownField")
		b.refused(amend(organization.MemberID{9}, `{}`), fault.NotFound)
		b.do(organization.RemoveMember{ID: id})
		b.refused(amend(id, `{}`), fault.NotFound)
	})
	t.Run("externalIds are unique, and earlier ones can be used again", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		one, two := b.add(bob, "Bob"), b.add(cleo, "Cleo")
		b.do(amend(one, `{"externalId":"x"}`))
		b.do(amend(one, `{"externalId":"x"}`))
		b.refused(amend(two, `{"externalId":"x"}`), fault.Conflict)
		b.do(amend(one, `{"externalId":"y"}`))
		b.do(amend(two, `{"externalId":"x"}`))
	})
}

func TestLastOwner(t *testing.T) {
	t.Parallel()
	demote := func(id organization.MemberID) organization.AmendMember {
		return organization.AmendMember{ID: id, Patch: []byte(`{"roles":["Manager"]}`)}
	}
	t.Run("the last Owner can be neither removed nor demoted", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.memberOf(owner).ID
		b.refused(organization.RemoveMember{ID: id, KeepHoldings: true}, fault.LastOwner)
		b.refused(demote(id), fault.LastOwner)
		b.refused(organization.AmendMember{ID: id, Patch: []byte(`{"roles":null}`)}, fault.LastOwner)
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"title":"CEO"}`)})
	})
	t.Run("an Owner can be removed if another Owner has an account", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.memberOf(owner).ID
		b.do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Nobody yet", Roles: []string{organization.RoleOwner}}})
		b.refused(demote(id), fault.LastOwner)
		other := b.add(bob, "Bob", organization.RoleOwner)
		b.do(demote(id))
		b.refused(organization.RemoveMember{ID: other}, fault.LastOwner)
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"roles":["Owner"]}`)})
		b.do(organization.RemoveMember{ID: other})
		b.refused(demote(id), fault.LastOwner)
	})
}

func TestRemoveMember(t *testing.T) {
	t.Parallel()
	t.Run("a removal ends the access and keeps the record", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob", organization.RoleManager)
		b.do(organization.RemoveMember{ID: id})
		_, access := b.state.Permissions(bob)
		equal(t, "access", access, false)
		equal(t, "record", b.member(id).Status+text(t, b.member(id).Roles), `removed[]`)
		equal(t, "name", b.state.NameOf(captable.EntityID(bob)), "Bob")
		b.refused(organization.RemoveMember{ID: id}, fault.NotFound)
		b.refused(organization.RemoveMember{ID: organization.MemberID{9}}, fault.NotFound)
	})
	t.Run("a removal of a holder is refused, unless the holdings are kept", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		shares := b.issue(captable.HolderRef{Member: id}, 10)
		b.refused(organization.RemoveMember{ID: id}, fault.Conflict)
		b.do(organization.RemoveMember{ID: id, KeepHoldings: true})
		equal(t, "still holds", b.state.Table().Holds(captable.EntityID(bob)), true)
		moved := b.table(captable.TransferShareholding{
			Shareholding: shares, To: captable.HolderRef{Entity: captable.EntityID(owner)}, Shares: exact.NewDecimal(4),
			Date: exact.MustDate(today), Kind: "sale",
		})[0].(captable.ShareholdingEnded)
		equal(t, "balance of", moved.Balance.ShareholderName, "Bob")
	})
	t.Run("a removal of a former holder is allowed", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		b.table(captable.VoidShareholding{ID: b.issue(captable.HolderRef{Member: id}, 10)})
		b.do(organization.RemoveMember{ID: id})
	})
}
