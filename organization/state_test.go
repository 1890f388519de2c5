package organization_test

import (
	"bytes"
	"testing"

	"equity/captable"
	"equity/organization"
)

func TestHolder(t *testing.T) {
	t.Parallel()
	t.Run("a holder is found by its membership and by its entity", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		want := captable.Holder{Entity: captable.EntityID(bob), Member: id, Name: "Bob"}
		for _, ref := range []captable.HolderRef{{Member: id}, {Entity: captable.EntityID(bob)}} {
			holder, ok := b.state.Holder(ref)
			equal(t, "holder", holder, want)
			equal(t, "found", ok, true)
		}
	})
	t.Run("a removed holder is found by its entity only", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob")
		b.do(organization.RemoveMember{ID: id})
		_, byMember := b.state.Holder(captable.HolderRef{Member: id})
		_, byEntity := b.state.Holder(captable.HolderRef{Entity: captable.EntityID(bob)})
		equal(t, "by member, by entity", [2]bool{byMember, byEntity}, [2]bool{false, true})
	})
	t.Run("a holder with an unknown id is not found", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		for _, ref := range []captable.HolderRef{{}, {Member: organization.MemberID{9}}, {Entity: captable.EntityID{9}}} {
			if holder, ok := b.state.Holder(ref); ok {
				t.Errorf("%v is %v", ref, holder)
			}
		}
		equal(t, "name", b.state.NameOf(captable.EntityID{9}), "")
	})
}

func TestMemberBy(t *testing.T) {
	t.Parallel()
	t.Run("no member is found for the zero account", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Without account"}})
		if member, ok := b.state.MemberBy(organization.UserID{}); ok {
			t.Errorf("found %v", member)
		}
	})
	t.Run("the same member is found after a restore", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		first := b.add(bob, "Bob")
		b.do(organization.RemoveMember{ID: first})
		second := adding(bob, "Bob II")
		second.Entity = captable.EntityID{9}
		b.do(organization.RemoveMember{ID: b.do(second)[0].(organization.MemberAdded).Member.ID})
		b.add(bob, "Bob", organization.RoleLegal)
		restored, err := restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		for _, state := range []*organization.State{b.state, restored} {
			member, ok := state.MemberBy(bob)
			equal(t, "member", ok && member.ID == first, true)
		}
	})
}

func TestCopy(t *testing.T) {
	t.Parallel()
	t.Run("a copy does not change with its state", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.add(bob, "Bob", organization.RoleGuest)
		copied := b.state.Copy()
		want := copied.Snapshot()
		b.do(organization.Amend{Patch: []byte(`{"name":"Other","address":{"city":"Bern"}}`)})
		b.do(organization.AmendMember{ID: id, Patch: []byte(`{"roles":["Manager"],"externalId":"x"}`)})
		b.do(organization.RemoveMember{ID: id})
		b.add(cleo, "Cleo")
		b.issue(captable.HolderRef{Entity: captable.EntityID(cleo)}, 5)
		if !bytes.Equal(copied.Snapshot(), want) {
			t.Error("the copy changed")
		}
		allowed, _ := copied.Permissions(bob)
		equal(t, "permissions in the copy", allowed, organization.NewPermissions(organization.ViewSelf))
		_, known := copied.MemberBy(cleo)
		equal(t, "knows who came later", known, false)
	})
}
