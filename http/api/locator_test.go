package api_test

import (
	"context"
	"testing"

	"equity/http/api"
	"equity/organization"
)

// index counts the look-ups of each record.
type index struct {
	api.Index
	lookups map[byte]int
}

func (i *index) Locate(_ context.Context, id [16]byte) (organization.ID, string, error) {
	i.lookups[id[0]]++
	return organization.ID{id[0]}, "security", nil
}

func TestFullLocatorEvictsTheLeastRecentlyUsedRecordOnly(t *testing.T) {
	t.Parallel()
	store := &index{lookups: map[byte]int{}}
	locator := api.NewLocator(store, 3)
	for _, id := range []byte{1, 2, 3, 1, 4, 1, 3, 4, 2} { // 4 replaces 2
		home, _, err := locator.Locate(t.Context(), [16]byte{id})
		if err != nil || home != (organization.ID{id}) {
			t.Fatalf("%d: %s %v", id, home, err)
		}
	}
	for id, want := range map[byte]int{1: 1, 2: 2, 3: 1, 4: 1} {
		if store.lookups[id] != want {
			t.Errorf("record %d was looked up %d times, want %d", id, store.lookups[id], want)
		}
	}
}
