package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// NewID returns a fresh identifier of any kind.
func NewID[Of any]() captable.ID[Of] { return captable.ID[Of](uuid.Must(uuid.NewV7())) }

// Epoch is the base time of test rows: row n is recorded n seconds later.
func Epoch() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC) }

// Writer creates the rows of one organization, each following the previous one.
type Writer struct {
	ID       organization.ID
	Sequence uint64
	Hash     messages.Hash
}

// NewWriter returns a Writer for a fresh organization.
func NewWriter() *Writer { return &Writer{ID: NewID[organization.Organization]()} }

// Next returns the append of the next rows, one per payload.
func (w *Writer) Next(payloads ...string) messages.Append {
	batch := messages.Append{Organization: w.ID}
	for _, payload := range payloads {
		w.Sequence++
		row := messages.Row{
			Organization: w.ID, Sequence: w.Sequence, By: "system:test", Type: "somethingHappened",
			RecordedAt: Epoch().Add(time.Duration(w.Sequence) * time.Second),
			Payload:    []byte(payload),
		}
		row.Seal(w.Hash)
		w.Hash = row.Hash
		batch.Rows = append(batch.Rows, row)
	}
	return batch
}

// payload returns a small event.
func payload(n int) string { return fmt.Sprintf(`{"number":"%d"}`, n) }

// Put appends a batch and waits for the outcome.
func Put(tb testing.TB, journal *persistence.Journal, batch messages.Append) error {
	tb.Helper()
	outcome := make(chan error, 1)
	journal.Append(batch, func(err error) { outcome <- err })
	select {
	case err := <-outcome:
		return err
	case <-time.After(time.Minute):
		tb.Fatal("the append was never answered")
		return nil
	}
}

// MustPut appends a batch and ends the test on failure.
func MustPut(tb testing.TB, journal *persistence.Journal, batch messages.Append) {
	tb.Helper()
	if err := Put(tb, journal, batch); err != nil {
		tb.Fatal(err)
	}
}

// Rows returns the rows of an organization's journal.
func Rows(tb testing.TB, journal *persistence.Journal, id organization.ID, after, upTo uint64) []messages.Row {
	tb.Helper()
	var rows []messages.Row
	err := journal.Scan(context.Background(), id, after, upTo, func(row messages.Row) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

// CheckChain fails the test unless the rows start at sequence 1, have no gap, and each follows the previous one.
func CheckChain(tb testing.TB, rows []messages.Row) {
	tb.Helper()
	var previous messages.Hash
	for i := range rows {
		if rows[i].Sequence != uint64(i+1) {
			tb.Fatalf("row %d has sequence %d", i+1, rows[i].Sequence)
		}
		if !rows[i].Fits(previous) {
			tb.Fatalf("row %d does not follow the previous row", i+1)
		}
		previous = rows[i].Hash
	}
}
