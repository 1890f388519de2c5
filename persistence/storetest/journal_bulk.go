package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// bulkOf is a number of rows that takes several slices, the last of which is not full.
const bulkOf = 4_321

func bulkClaims() []claim {
	return []claim{
		{"a bulk is stored with its indexes", provesBulk},
		{"a bulk with a refused last slice stores no row", provesBulkIsAtomic},
		{"the last change of an index row in a bulk counts", provesLastWordOfABulk},
		{"an append that follows a bulk is stored behind it", provesAppendBehindABulk},
	}
}

// bulk returns an append with a record, a holder and an e-mail address for each row.
func (w *Writer) bulk() messages.Append {
	payloads := make([]string, bulkOf)
	for i := range payloads {
		payloads[i] = payload(i)
	}
	batch := w.Next(payloads...)
	for range bulkOf {
		entity := NewID[captable.Entity]()
		batch.Resources = append(batch.Resources, messages.Resource{ID: NewID[captable.Shareholding](), Kind: "shareholding"})
		batch.Stakes = append(batch.Stakes, messages.Stake{Entity: entity, Holds: true})
		batch.Particulars = append(batch.Particulars, messages.Particular{Entity: entity, Field: "email", Value: json.RawMessage(`"a@example.com"`)})
	}
	batch.Memberships = []messages.Membership{{User: NewID[organization.User](), Member: true}}
	return batch
}

func provesBulk(t *testing.T, s store) {
	t.Helper()
	ctx := context.Background()
	w := NewWriter()
	batch := w.bulk()
	resources, stakes := batch.Resources, batch.Stakes
	MustPut(t, s.journal, batch)
	rows := Rows(t, s.journal, w.ID, 0, 0)
	CheckChain(t, rows)
	if len(rows) != bulkOf {
		t.Fatalf("%d rows", len(rows))
	}
	for _, at := range []int{0, bulkOf / 2, bulkOf - 1} {
		if owner, kind, err := s.journal.Locate(ctx, resources[at].ID); err != nil || owner != w.ID || kind != "shareholding" {
			t.Errorf("record %d: %v %q %v", at, owner, kind, err)
		}
	}
	if kept, err := s.journal.Particulars(ctx, w.ID); err != nil || len(kept) != len(stakes) {
		t.Errorf("particulars of %d holders: %v", len(kept), err)
	}
	if last, hash, err := s.journal.StoredHead(ctx, w.ID); err != nil || last != bulkOf || hash != w.Hash {
		t.Errorf("head %d: %v", last, err)
	}
}

func provesBulkIsAtomic(t *testing.T, s store) {
	t.Helper()
	ctx := context.Background()
	w := NewWriter()
	taken := *w
	taken.Sequence = bulkOf - 1
	MustPut(t, s.journal, taken.Next(payload(0)))
	batch := w.bulk()
	resource, member := batch.Resources[0].ID, batch.Memberships[0].User
	if err := Put(t, s.journal, batch); !errors.Is(err, messages.ErrFenced) || errors.Is(err, messages.ErrUnknownOutcome) {
		t.Fatalf("got %v", err)
	}
	if rows := Rows(t, s.journal, w.ID, 0, 0); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
	if owner, _, err := s.journal.Locate(ctx, resource); err != nil || !owner.IsZero() {
		t.Errorf("a record was stored: %v %v", owner, err)
	}
	if of, err := s.journal.OrganizationsOf(ctx, member); err != nil || len(of) != 0 {
		t.Errorf("a membership was stored: %v %v", of, err)
	}
	MustPut(t, s.journal, NewWriter().bulk()) // the connection serves the next one
}

func provesLastWordOfABulk(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	batch := w.bulk()
	first, user := batch.Particulars[0], batch.Memberships[0].User
	first.Value = nil
	batch.Particulars = append(batch.Particulars, first)
	batch.Memberships = append(batch.Memberships, messages.Membership{User: user})
	MustPut(t, s.journal, batch)
	if kept, err := s.journal.Particulars(context.Background(), w.ID, first.Entity); err != nil || len(kept[first.Entity]) != 0 {
		t.Errorf("kept %v: %v", kept, err)
	}
	if of, err := s.journal.OrganizationsOf(context.Background(), user); err != nil || len(of) != 0 {
		t.Errorf("a member of %v: %v", of, err)
	}
}

func provesAppendBehindABulk(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	MustPut(t, s.journal, w.bulk())
	MustPut(t, s.journal, w.Next(payload(1)))
	CheckChain(t, Rows(t, s.journal, w.ID, 0, 0))
}
