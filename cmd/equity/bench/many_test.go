package bench_test

import (
	"testing"

	"equity/cmd/equity/bench"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestFilledStoreHasReadableOrganizations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		const organizations = 120
		journal := storetest.OpenJournal(t, db)
		ids, took, _, err := bench.Fill(t.Context(), journal, organizations)
		if err != nil || len(ids) != organizations || len(took) == 0 {
			t.Fatalf("%d organizations, %d reads: %v", len(ids), len(took), err)
		}
		for _, id := range ids {
			stored, _, err := journal.StoredHead(t.Context(), id)
			if last, _, failed := journal.Head(t.Context(), id); err != nil || failed != nil || last < 3 || last != stored {
				t.Errorf("%s ends at %d, its head is %d: %v %v", id, last, stored, err, failed)
			}
		}
	})
}
