package storetest

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func indexClaims() []claim {
	return []claim{
		{"records are found by their id", provesLocate},
		{"memberships and stakes come and go with the events", provesMemberships},
		{"an entity belongs permanently to the first user with a membership as this entity", provesPersons},
		{"particulars are written, replaced and erased", provesParticulars},
		{"holders are found by their e-mail address", provesKnownBy},
		{"the last word of a group counts", provesLastWord},
		{"sealed values are stored with their events and discarded if these are refused", provesSealed},
		{"alarms are stored with their events, and repeated ones are merged", provesAlarms},
		{"an event of an armed instance keeps the time of its alarm, and stores a removed alarm again", provesAlarmsOfArmedInstances},
	}
}

func provesLocate(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	batch := w.Next(payload(1))
	id, second := NewID[captable.Security](), NewID[captable.Legend]()
	batch.Resources = []messages.Resource{{ID: id, Kind: "security"}, {ID: second, Kind: "legend"}, {ID: id, Kind: "again"}}
	MustPut(t, s.journal, batch)
	owner, kind, err := s.journal.Locate(context.Background(), id)
	if err != nil || owner != w.ID || kind != "security" {
		t.Fatalf("%v %q %v", owner, kind, err)
	}
	owner, kind, err = s.journal.Locate(context.Background(), NewID[captable.Security]())
	if err != nil || !owner.IsZero() || kind != "" {
		t.Fatalf("an unknown record: %v %q %v", owner, kind, err)
	}
}

func provesMemberships(t *testing.T, s store) {
	t.Helper()
	ctx := context.Background()
	user, entity := NewID[organization.User](), NewID[captable.Entity]()
	one, other := NewWriter(), NewWriter()
	for _, w := range []*Writer{one, other} {
		batch := w.Next(payload(1))
		batch.Memberships = []messages.Membership{{User: user, Member: true}}
		batch.Stakes = []messages.Stake{{Entity: entity, Holds: true}}
		MustPut(t, s.journal, batch)
	}
	check := func(want ...organization.ID) {
		t.Helper()
		slices.SortFunc(want, func(a, b organization.ID) int { return slices.Compare(a[:], b[:]) })
		of, err := s.journal.OrganizationsOf(ctx, user)
		if err != nil || !slices.Equal(of, want) {
			t.Fatalf("a member of %v, not %v: %v", of, want, err)
		}
		held, err := s.journal.OrganizationsHeldBy(ctx, entity)
		if err != nil || !slices.Equal(held, want) {
			t.Fatalf("holds equity of %v, want %v: %v", held, want, err)
		}
	}
	check(one.ID, other.ID)
	batch := one.Next(payload(2))
	batch.Memberships = []messages.Membership{{User: user}}
	batch.Stakes = []messages.Stake{{Entity: entity}}
	MustPut(t, s.journal, batch)
	check(other.ID)
}

func provesPersons(t *testing.T, s store) {
	t.Helper()
	ctx := context.Background()
	ada, eve := NewID[organization.User](), NewID[organization.User]()
	entity, other := NewID[captable.Entity](), NewID[captable.Entity]()
	w := NewWriter()
	for i, group := range [][]messages.Membership{
		{{User: ada, Entity: entity, Member: true}, {User: ada, Entity: other, Member: true}},
		{{User: ada, Entity: entity}, {User: eve, Entity: entity, Member: true}},
	} {
		batch := w.Next(payload(i + 1))
		batch.Memberships = group
		MustPut(t, s.journal, batch)
	}
	for of, want := range map[captable.EntityID]organization.UserID{entity: ada, other: ada, NewID[captable.Entity](): {}} {
		if got, err := s.journal.Person(ctx, of); err != nil || got != want {
			t.Errorf("%s is %s instead of %s: %v", of, got, want, err)
		}
	}
	want := []captable.EntityID{entity, other}
	slices.SortFunc(want, func(a, b captable.EntityID) int { return slices.Compare(a[:], b[:]) })
	if got, err := s.journal.EntitiesOf(ctx, ada); err != nil || !slices.Equal(got, want) {
		t.Errorf("ada is %v instead of %v: %v", got, want, err)
	}
	if got, err := s.journal.EntitiesOf(ctx, eve); err != nil || len(got) != 0 {
		t.Errorf("eve is %v: %v", got, err)
	}
}

func provesParticulars(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	ada, grace := NewID[captable.Entity](), NewID[captable.Entity]()
	batch := w.Next(payload(1))
	batch.Particulars = []messages.Particular{
		{Entity: ada, Field: "phone", Value: json.RawMessage(`"+44 1"`)},
		{Entity: ada, Field: "address", Value: json.RawMessage(`{"city":"Łódź"}`)},
		{Entity: grace, Field: "phone", Value: json.RawMessage(`"+1 2"`)},
	}
	MustPut(t, s.journal, batch)
	batch = w.Next(payload(2))
	batch.Particulars = []messages.Particular{
		{Entity: ada, Field: "phone", Value: json.RawMessage(`"+44 3"`)},
		{Entity: ada, Field: "address", Value: json.RawMessage(`null`)},
		{Entity: ada, Field: "never", Value: nil},
	}
	MustPut(t, s.journal, batch)
	adas := map[string]json.RawMessage{"phone": json.RawMessage(`"+44 3"`)}
	graces := map[string]json.RawMessage{"phone": json.RawMessage(`"+1 2"`)}
	checkParticulars(t, s, w.ID, map[captable.EntityID]map[string]json.RawMessage{ada: adas, grace: graces})
	checkParticulars(t, s, w.ID, map[captable.EntityID]map[string]json.RawMessage{ada: adas}, ada)
	checkParticulars(t, s, NewWriter().ID, map[captable.EntityID]map[string]json.RawMessage{})
	many := make([]captable.EntityID, 1200)
	many[1100] = grace
	checkParticulars(t, s, w.ID, map[captable.EntityID]map[string]json.RawMessage{grace: graces}, many...)
}

func checkParticulars(
	t *testing.T, s store, id organization.ID, want map[captable.EntityID]map[string]json.RawMessage,
	entities ...captable.EntityID,
) {
	t.Helper()
	got, err := s.journal.Particulars(context.Background(), id, entities...)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v: %v", got, want, err)
	}
}

func provesLastWord(t *testing.T, s store) {
	t.Helper()
	w := newNeighbour()
	user, entity := NewID[organization.User](), NewID[captable.Entity]()
	first, second := w.Next(payload(1)), w.Next(payload(2))
	first.Memberships = []messages.Membership{{User: user, Member: true}, {User: user}, {User: user, Member: true}}
	second.Memberships = []messages.Membership{{User: user}}
	first.Stakes = []messages.Stake{{Entity: entity}}
	second.Stakes = []messages.Stake{{Entity: entity, Holds: true}, {Entity: entity, Holds: true}}
	first.Particulars = []messages.Particular{{Entity: entity, Field: "phone", Value: json.RawMessage(`"1"`)}}
	second.Particulars = []messages.Particular{{Entity: entity, Field: "phone", Value: json.RawMessage(`"2"`)}}
	for _, err := range together(t, s, first, second) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if of, err := s.journal.OrganizationsOf(context.Background(), user); err != nil || len(of) != 0 {
		t.Fatalf("still a member of %v: %v", of, err)
	}
	if of, err := s.journal.OrganizationsHeldBy(context.Background(), entity); err != nil || len(of) != 1 {
		t.Fatalf("holds equity of %v: %v", of, err)
	}
	checkParticulars(t, s, w.ID, map[captable.EntityID]map[string]json.RawMessage{
		entity: {"phone": json.RawMessage(`"2"`)},
	})
}

func provesKnownBy(t *testing.T, s store) {
	t.Helper()
	one, other := NewWriter(), NewWriter()
	ada, grace := NewID[captable.Entity](), NewID[captable.Entity]()
	for _, w := range []*Writer{one, other} {
		batch := w.Next(payload(1))
		batch.Particulars = []messages.Particular{
			{Entity: ada, Field: "email", Value: json.RawMessage(`"Ada@Example.org"`)},
			{Entity: ada, Field: "phone", Value: json.RawMessage(`"grace@example.org"`)},
			{Entity: grace, Field: "email", Value: json.RawMessage(`"grace@example.org"`)},
		}
		MustPut(t, s.journal, batch)
	}
	check := func(email string, want ...messages.KnownEntity) {
		t.Helper()
		got, err := s.journal.EntitiesByEmail(context.Background(), email)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s is %v, not %v: %v", email, got, want, err)
		}
	}
	in := func(w *Writer, entity captable.EntityID) messages.KnownEntity {
		return messages.KnownEntity{Organization: w.ID, Entity: entity}
	}
	check(" ada@EXAMPLE.org", in(one, ada), in(other, ada))
	check("grace@example.org", in(one, grace), in(other, grace))
	check("nobody@example.org")
	batch := one.Next(payload(2))
	batch.Particulars = []messages.Particular{{Entity: ada, Field: "email", Value: json.RawMessage(`"new@example.org"`)}}
	MustPut(t, s.journal, batch)
	check("ada@example.org", in(other, ada))
	check("new@example.org", in(one, ada))
}
