package storetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

func fenceClaims() []claim {
	return []claim{
		{"the second writer of a sequence is fenced and its append is not stored", provesFence},
		{"a fenced append does not hurt those that leave with it", provesIsolation},
		{"an append after a failed one of the same organization leaves no gap", provesNoGap},
		{"of two servers that write the same sequence at most one succeeds", provesTwoServers},
	}
}

func provesFence(t *testing.T, s store) {
	t.Helper()
	other := s.another(t)
	w := NewWriter()
	late := *w
	MustPut(t, s.journal, w.Next(`{"by":"first"}`))
	batch := late.Next(`{"by":"second"}`, `{}`)
	batch.Resources = []messages.Resource{{ID: NewID[organization.User](), Kind: "security"}}
	batch.Memberships = []messages.Membership{{User: NewID[organization.User](), Member: true}}
	err := Put(t, other, batch)
	if !errors.Is(err, messages.ErrFenced) || errors.Is(err, messages.ErrUnknownOutcome) {
		t.Fatalf("the second writer got: %v", err)
	}
	rows := Rows(t, other, w.ID, 0, 0)
	CheckChain(t, rows)
	if len(rows) != 1 || string(rows[0].Payload) != `{"by":"first"}` {
		t.Fatalf("%d rows, the first %s", len(rows), rows[0].Payload)
	}
	if owner, _, err := other.Locate(context.Background(), batch.Resources[0].ID); err != nil || !owner.IsZero() {
		t.Fatalf("the record of a fenced append was stored: %v %v", owner, err)
	}
	if of, err := other.OrganizationsOf(context.Background(), batch.Memberships[0].User); err != nil || len(of) != 0 {
		t.Fatalf("the membership of a fenced append was stored: %v %v", of, err)
	}
	MustPut(t, other, w.Next(`{"by":"second, after reading"}`))
}

// together submits appends while the committer is blocked, so that they form one group, and returns their outcomes
// in order. The ids of all organizations must have the last byte 0, which assigns them to the same committer.
func together(t *testing.T, s store, batches ...messages.Append) []error {
	t.Helper()
	release := make(chan struct{})
	held := make(chan struct{})
	gate := newNeighbour()
	s.journal.Append(gate.Next(payload(0)), func(error) {
		close(held)
		<-release
	})
	<-held
	outcomes := make([]error, len(batches))
	var answered sync.WaitGroup
	for i := range batches {
		answered.Add(1)
		s.journal.Append(batches[i], func(err error) {
			defer answered.Done()
			outcomes[i] = err
		})
	}
	close(release)
	answered.Wait()
	return outcomes
}

// newNeighbour returns a Writer of an organization that shares the committer of all other neighbours.
func newNeighbour() *Writer {
	w := NewWriter()
	w.ID[len(w.ID)-1] = 0
	return w
}

func provesIsolation(t *testing.T, s store) {
	t.Helper()
	first, fenced, last := newNeighbour(), newNeighbour(), newNeighbour()
	stale := *fenced
	MustPut(t, s.journal, fenced.Next(payload(0)))
	outcomes := together(t, s, first.Next(payload(1)), stale.Next(payload(2)), last.Next(payload(3)))
	if outcomes[0] != nil || !errors.Is(outcomes[1], messages.ErrFenced) || outcomes[2] != nil {
		t.Fatalf("the outcomes are %v", outcomes)
	}
	for _, w := range []*Writer{first, fenced, last} {
		rows := Rows(t, s.journal, w.ID, 0, 0)
		CheckChain(t, rows)
		if len(rows) != 1 {
			t.Fatalf("%d rows", len(rows))
		}
	}
}

func provesNoGap(t *testing.T, s store) {
	t.Helper()
	w := newNeighbour()
	stale := *w
	MustPut(t, s.journal, w.Next(payload(0)))
	outcomes := together(t, s, stale.Next(payload(1)), stale.Next(payload(2)))
	if !errors.Is(outcomes[0], messages.ErrFenced) || !errors.Is(outcomes[1], messages.ErrNotStored) {
		t.Fatalf("the outcomes are %v", outcomes)
	}
	if rows := Rows(t, s.journal, w.ID, 0, 0); len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
}

func provesTwoServers(t *testing.T, s store) {
	t.Helper()
	other := s.another(t)
	const organizations, wins = 8, 15
	var callers sync.WaitGroup
	ids := make([]organization.ID, organizations)
	var acknowledged [organizations]atomic.Int64
	for i := range ids {
		ids[i] = NewID[organization.Organization]()
		for _, journal := range []*persistence.Journal{s.journal, other} {
			callers.Go(func() {
				for won := 0; won < wins; {
					sequence, hash, err := journal.Head(context.Background(), ids[i])
					if err != nil {
						t.Error(err)
						return
					}
					w := Writer{ID: ids[i], Sequence: sequence, Hash: hash}
					outcome := make(chan error, 1)
					journal.Append(w.Next(payload(won)), func(err error) { outcome <- err })
					switch err := <-outcome; {
					case err == nil:
						won++
						acknowledged[i].Add(1)
					case !errors.Is(err, messages.ErrFenced):
						t.Error(err)
						return
					}
				}
			})
		}
	}
	callers.Wait()
	for i := range ids {
		rows := Rows(t, s.journal, ids[i], 0, 0)
		CheckChain(t, rows)
		if int64(len(rows)) != acknowledged[i].Load() {
			t.Fatalf("%d rows, %d acknowledged", len(rows), acknowledged[i].Load())
		}
	}
}
