package bench_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/cmd/equity/bench"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestSeededHistoryIsOneThatTheServerCouldHaveWritten(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal := storetest.OpenJournal(t, db)
		const events = 4321 // more than two batches
		id, state, last, err := bench.Seed(journal, 7, events)
		if err != nil || last != events {
			t.Fatalf("the last sequence is %d: %v", last, err)
		}
		rows := storetest.Rows(t, journal, id, 0, 0)
		if len(rows) != events {
			t.Fatalf("%d rows were stored", len(rows))
		}
		storetest.CheckChain(t, rows)
		decoder, replayed := organization.NewSchema(), organization.NewState()
		for _, row := range rows {
			event, err := decoder.Decode(row.Type, row.Payload)
			if err != nil {
				t.Fatal(err)
			}
			replayed.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		}
		if faults := replayed.Table().Audit(); len(faults) > 0 {
			t.Errorf("the totals do not hold: %v", faults)
		}
		if string(replayed.Snapshot()) != string(state.Snapshot()) {
			t.Error("the stored records differ from the seeded ones")
		}
	})
}

func TestWhatIsAtRestIsMeasured(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		figures, err := bench.AtRest(t.Context(), storetest.OpenJournal(t, db), bench.MinEvents, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i, what := range []string{"revival from the journal alone, 2000 events", "revival with a snapshot", "memory of a live", "memory per idle"} {
			if i >= len(figures) || !strings.HasPrefix(figures[i].What, what) {
				t.Fatalf("%s is missing in %v", what, figures)
			}
			compares := strings.HasPrefix(what, "revival")
			if f := figures[i]; compares && (f.Ours <= 0 || f.Theirs <= 0) || !compares && f.Theirs != 0 {
				t.Errorf("%+v", f)
			}
		}
	})
}
