package persistence_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestHeadsAreDueOnceADay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		journal, anchors, now := storetest.OpenJournal(t, db), persistence.NewAnchors(db), storetest.Epoch()
		writers := []*storetest.Writer{storetest.NewWriter(), storetest.NewWriter(), storetest.NewWriter()}
		slices.SortFunc(writers, func(a, b *storetest.Writer) int { return bytes.Compare(a.ID[:], b.ID[:]) })
		head := func(w *storetest.Writer) messages.Head {
			return messages.Head{Organization: w.ID, Sequence: w.Sequence, Hash: w.Hash}
		}
		for _, w := range writers {
			storetest.MustPut(t, journal, w.Next(`{"number":"1"}`, `{"number":"2"}`))
		}
		due := func(after organization.ID, signedBy time.Time, limit int, want ...persistence.Unanchored) {
			t.Helper()
			if found, err := anchors.Next(t.Context(), after, signedBy, limit); err != nil || !slices.Equal(found, want) {
				t.Errorf("%v: due are %v; want %v", err, found, want)
			}
		}
		fresh := func(w *storetest.Writer) persistence.Unanchored {
			return persistence.Unanchored{Head: head(w), Signed: messages.Head{Organization: w.ID}}
		}
		due(organization.ID{}, now.Add(-time.Hour), 2, fresh(writers[0]), fresh(writers[1]))
		due(writers[1].ID, now.Add(-time.Hour), 2, fresh(writers[2]))

		first := head(writers[0])
		must(t, anchors.Mark(t.Context(), []messages.Head{first, head(writers[1])}, now))
		due(organization.ID{}, now.Add(time.Hour), 9, fresh(writers[2]))
		storetest.MustPut(t, journal, writers[0].Next(`{"number":"3"}`))
		due(organization.ID{}, now.Add(-time.Microsecond), 9, fresh(writers[2]))
		due(organization.ID{}, now, 9, persistence.Unanchored{Head: head(writers[0]), Signed: first}, fresh(writers[2]))
		must(t, anchors.Mark(t.Context(), []messages.Head{head(writers[0])}, now.Add(time.Hour)))
		due(organization.ID{}, now.Add(time.Hour), 9, fresh(writers[2]))

		if signed, err := anchors.Signed(t.Context(), writers[0].ID); err != nil || signed != head(writers[0]) {
			t.Errorf("signed is %v: %v", signed, err)
		}
		if signed, err := anchors.Signed(t.Context(), writers[2].ID); err != nil || signed.Sequence != 0 {
			t.Errorf("never signed, but %v: %v", signed, err)
		}
		if hash, found, err := journal.HashAt(t.Context(), writers[0].ID, first.Sequence); err != nil || !found || hash != first.Hash {
			t.Errorf("%x %t %v", hash, found, err)
		}
		if _, found, err := journal.HashAt(t.Context(), writers[0].ID, writers[0].Sequence+1); err != nil || found {
			t.Errorf("a missing row is found: %v", err)
		}
	})
}
