package storetest

import (
	"context"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// interruptedRows is the size of a bulk with so many packs that the journal is closed before all of them are moved.
const interruptedRows = 30_000

func packClaims() []claim {
	return []claim{
		{"a record of a bulk is located while its rows are packed", provesLocateOfPacked},
		{"the rows of an interrupted bulk are scanned", interruptedBulk(func(t *testing.T, j *persistence.Journal, w *Writer) {
			t.Helper()
			if rows := Rows(t, j, w.ID, 0, 0); len(rows) != interruptedRows+1 {
				t.Errorf("%d rows", len(rows))
			} else {
				CheckChain(t, rows)
			}
		})},
		{"the rows of an interrupted bulk are listed", interruptedBulk(func(t *testing.T, j *persistence.Journal, w *Writer) {
			t.Helper()
			page, err := j.Page(context.Background(), w.ID, messages.JournalQuery{Limit: 10})
			if err != nil || len(page) != 10 || page[9].Sequence != interruptedRows-8 {
				t.Errorf("%d rows: %v", len(page), err)
			}
		})},
		{"the keys of an interrupted bulk are read", interruptedBulk(func(t *testing.T, j *persistence.Journal, w *Writer) {
			t.Helper()
			keys := 0
			err := j.Keys(context.Background(), w.ID, Epoch(), func(_, _ string, _ uint64) error {
				keys++
				return nil
			})
			if err != nil || keys != interruptedRows {
				t.Errorf("%d keys: %v", keys, err)
			}
		})},
		{"times within an interrupted bulk are found", interruptedBulk(func(t *testing.T, j *persistence.Journal, w *Writer) {
			t.Helper()
			at := Epoch().Add(interruptedRows / 2 * time.Second)
			if sequence, err := j.SequenceAt(context.Background(), w.ID, at); err != nil || sequence != interruptedRows/2 {
				t.Errorf("sequence %d: %v", sequence, err)
			}
		})},
	}
}

// interruptedBulk stores a bulk and a row behind it, closes the journal before the rows of the bulk are moved, and
// checks another journal.
func interruptedBulk(check func(t *testing.T, j *persistence.Journal, w *Writer)) func(*testing.T, store) {
	return func(t *testing.T, s store) {
		t.Helper()
		w := NewWriter()
		payloads := make([]string, interruptedRows)
		for i := range payloads {
			payloads[i] = payload(i)
		}
		batch := w.Next(payloads...)
		var previous messages.Hash
		for i := range batch.Rows {
			batch.Rows[i].IdempotencyKey, batch.Rows[i].Fingerprint = "key", "fingerprint"
			batch.Rows[i].Seal(previous)
			previous = batch.Rows[i].Hash
		}
		w.Hash = previous
		first := persistence.NewJournal(s.db)
		MustPut(t, first, batch)
		MustPut(t, first, w.Next(payload(0)))
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		var packs int
		if err := s.db.Writer().QueryRowContext(context.Background(), `SELECT COUNT(*) FROM journal_pack`).Scan(&packs); err != nil || packs == 0 {
			t.Fatalf("%d packs remain, so the test has no effect: %v", packs, err)
		}
		check(t, s.journal, w)
	}
}

func provesLocateOfPacked(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	batch := w.bulk()
	resources := batch.Resources
	MustPut(t, s.journal, batch)
	for _, at := range []int{bulkOf - 1, 0} {
		if owner, _, err := s.journal.Locate(context.Background(), resources[at].ID); err != nil || owner != w.ID {
			t.Errorf("record %d: %v %v", at, owner, err)
		}
	}
	unknown := NewID[captable.Shareholding]()
	if owner, _, err := s.journal.Locate(context.Background(), unknown); err != nil || owner != (organization.ID{}) {
		t.Errorf("an unknown record: %v %v", owner, err)
	}
}
