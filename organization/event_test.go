package organization_test

import (
	"bytes"
	"reflect"
	"testing"

	"equity/captable"
	"equity/organization"
)

// story executes one command of every kind of this package.
func story(b *bundle) []organization.Event {
	b.Helper()
	events := b.do(create())
	do := func(command organization.Command) organization.Event {
		b.Helper()
		done := b.do(command)
		events = append(events, done...)
		return done[0]
	}
	do(organization.Amend{Patch: []byte(`{"legalName":"Acme, Inc.","address":{"city":"Bern"}}`)})
	id := do(adding(bob, "Bob", organization.RoleLegal)).(organization.MemberAdded).Member.ID
	do(organization.AmendMember{ID: id, Patch: []byte(`{"title":"Counsel","externalId":"x"}`)})
	do(organization.RemoveMember{ID: id})
	do(adding(bob, "Bob"))
	invited := func(name byte) organization.TokenHash {
		hash := organization.TokenHash{name}
		do(organization.InviteMembers{Invites: []organization.Invite{{Fresh: b.newID(), Name: "cleo", Hash: hash}}})
		return hash
	}
	do(organization.AcceptInvitation{Hash: invited(1), User: cleo, Name: "Cleo"})
	do(organization.DeclineInvitation{Hash: invited(2)})
	do(organization.BounceInvitation{Hash: invited(3)})
	invited(4)
	for member := range b.state.Members() {
		if member.Status == organization.StatusInvited {
			do(organization.AmendMember{ID: member.ID, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true}})
		}
	}
	holder := do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Dora"}}).(organization.MemberAdded).Member.Entity
	do(organization.ClaimMember{Entity: holder, User: organization.UserID{15: 0xd}})
	do(organization.Table{Command: captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "L", Text: "T"}}})
	return events
}

func TestDecoder(t *testing.T) {
	t.Parallel()
	t.Run("every event is decoded, and a replay restores the state", func(t *testing.T) {
		t.Parallel()
		b := unfounded(t)
		events := story(b)
		decoder, replayed := organization.NewSchema(), organization.NewState()
		kinds := map[string]bool{}
		for i, row := range b.recorded {
			event, err := decoder.Decode(row.kind, row.payload)
			if err != nil {
				t.Fatalf("%s %s: %v", row.kind, row.payload, err)
			}
			equal(t, "type", event.EventType(), row.kind)
			equal(t, "Go type", reflect.TypeOf(event), reflect.TypeOf(events[i]))
			equal(t, "payload", text(t, event), string(row.payload))
			replayed.Apply(event, row.stamp)
			kinds[row.kind] = true
		}
		equal(t, "kinds told", len(kinds), 13)
		if !bytes.Equal(replayed.Snapshot(), b.state.Snapshot()) {
			t.Error("the replayed state differs")
		}
	})
	t.Run("an unknown event type is refused", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []string{"", "memberadded", "organizationDeleted", "shareholdingActive"} {
			if event, err := organization.NewSchema().Decode(kind, []byte(`{}`)); err == nil {
				t.Errorf("%q was read as %v", kind, event)
			}
		}
	})
	t.Run("an invalid payload is refused for every event type", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []string{
			"organizationCreated", "organizationChanged", "memberAdded", "memberReturned", "memberChanged", "memberRemoved",
			"legendCreated",
		} {
			for _, payload := range []string{``, `[]`, `{`, `{"id":5,"profile":5,"member":6}`} {
				if event, err := organization.NewSchema().Decode(kind, []byte(payload)); err == nil {
					t.Errorf("%s %q was read as %v", kind, payload, event)
				}
			}
		}
	})
	t.Run("the names of events in existing journals are known", func(t *testing.T) {
		t.Parallel()
		known := []string{
			"organizationCreated", "organizationChanged", "memberAdded", "memberReturned", "memberChanged", "memberRemoved",
			"securityCreated", "securityChanged", "securityDeleted", "sharesAuthorized", "securitySplit", "legendCreated", "legendChanged",
			"legendDeleted",
			"shareholdingIssued", "shareholdingAccepted", "shareholdingAmended", "shareholdingCorrected", "shareholdingVoided",
			"shareholdingTransferred", "shareholdingRepurchased", "shareholdingCancelled", "shareholdingConverted", "shareholdingReissued",
			"shareholdingConsolidated", "shareholdingRetracted", "configurationChanged", "packageImported", "objectCarried",
		}
		for _, kind := range known {
			if _, err := organization.NewSchema().Decode(kind, []byte(`{}`)); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestEventRecords(t *testing.T) {
	t.Parallel()
	t.Run("the records of an event are the current member or the affected records of the cap table", func(t *testing.T) {
		t.Parallel()
		b := unfounded(t)
		for _, event := range story(b) {
			records := event.Records(b.state)
			switch event := event.(type) {
			case organization.Created, organization.Changed:
				equal(t, event.EventType(), len(records), 0)
			case organization.TableEvent:
				equal(t, event.EventType(), records[0].(*captable.Legend).Name, "L")
			default:
				if _, ok := records[0].(*organization.Member); !ok || len(records) != 1 {
					t.Errorf("%s touched %v", event.EventType(), records)
				}
			}
		}
	})
	t.Run("the records of an event are empty in a state without them", func(t *testing.T) {
		t.Parallel()
		for _, event := range story(unfounded(t)) {
			empty := organization.NewState()
			equal(t, event.EventType(), len(event.Records(empty)), 0)
			empty.Apply(event, captable.Stamp{})
		}
	})
	t.Run("the creations of events are the organization, members and legends", func(t *testing.T) {
		t.Parallel()
		kinds := map[string]int{}
		for _, event := range story(unfounded(t)) {
			for _, created := range event.Creates() {
				kinds[created.Kind]++
			}
		}
		equal(t, "kinds", text(t, kinds), `{"legend":1,"member":7,"organization":1}`)
	})
}
