package persistence_test

import (
	"maps"
	"testing"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestAddressesInListsMembers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		users, journal := persistence.NewUsers(db), persistence.NewJournal(db)
		storetest.Cleanup(t, func() { must(t, journal.Close()) })
		ada, bob, eve := newUser("Ada@Example.org"), newUser("bob@example.org"), newUser("eve@example.org")
		for _, user := range []persistence.User{ada, bob, eve} {
			must(t, users.Create(t.Context(), user))
		}
		one, other := storetest.NewWriter(), storetest.NewWriter()
		for w, member := range map[*storetest.Writer][]organization.UserID{
			one: {ada.ID, bob.ID, storetest.NewID[organization.User]()}, other: {eve.ID},
		} {
			batch := w.Next(`{}`)
			for _, id := range member {
				batch.Memberships = append(batch.Memberships, messages.Membership{User: id, Member: true})
			}
			storetest.MustPut(t, journal, batch)
		}
		batch := one.Next(`{}`)
		batch.Memberships = []messages.Membership{{User: bob.ID}}
		storetest.MustPut(t, journal, batch)
		got, err := journal.AddressesIn(t.Context(), one.ID)
		if want := (map[organization.UserID]string{ada.ID: "Ada@Example.org"}); err != nil || !maps.Equal(got, want) {
			t.Errorf("%v, not %v: %v", got, want, err)
		}
	})
}
