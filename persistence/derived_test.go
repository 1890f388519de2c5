package persistence_test

import (
	"encoding/binary"
	"maps"
	"testing"

	"equity/captable"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// TestRebuildReplacesManyRows rebuilds tables with more rows than one statement inserts.
func TestRebuildReplacesManyRows(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal, w := storetest.OpenJournal(t, db), storetest.NewWriter()
		batch := w.Next(`{}`)
		storetest.MustPut(t, journal, batch)
		want := persistence.NewDerived()
		want.Head = batch.Rows[len(batch.Rows)-1]
		for i := range uint64(1201) {
			var key [16]byte
			binary.BigEndian.PutUint64(key[:], i+1)
			want.Resources[key] = "legend"
			want.Members[organization.UserID(key)] = true
			want.Holders[captable.EntityID(key)] = true
		}
		for range 2 { // the second one replaces the rows of the first
			must(t, journal.Rebuild(t.Context(), want, nil))
		}
		got, err := journal.Derived(t.Context(), w.ID)
		must(t, err)
		if !maps.Equal(got.Resources, want.Resources) || !maps.Equal(got.Members, want.Members) || !maps.Equal(got.Holders, want.Holders) {
			t.Errorf("%d resources, %d members and %d holders", len(got.Resources), len(got.Members), len(got.Holders))
		}
		if got.Head.Sequence != want.Head.Sequence || got.Head.Hash != want.Head.Hash {
			t.Errorf("the head is %d", got.Head.Sequence)
		}
	})
}
