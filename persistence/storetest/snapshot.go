package storetest

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"

	"equity/messages"
	"equity/organization"
)

func snapshotClaims() []claim {
	return []claim{
		{"the newest snapshot that is not too new is loaded", provesSnapshots},
		{"the newest two snapshots and one per 50,000 events are kept", provesRetention},
		{"a snapshot of 30 MB is read as it was", provesLargeSnapshot},
	}
}

// snapshotOf returns a snapshot with a hash derived from its sequence.
func snapshotOf(sequence uint64, state []byte) messages.Snapshot {
	return messages.Snapshot{Sequence: sequence, Hash: messages.Hash{byte(sequence), 1}, State: string(state)}
}

func save(t *testing.T, s store, id organization.ID, sequence uint64, state string) {
	t.Helper()
	if err := s.journal.SaveSnapshot(context.Background(), id, snapshotOf(sequence, []byte(state))); err != nil {
		t.Fatal(err)
	}
}

func provesSnapshots(t *testing.T, s store) {
	t.Helper()
	w, other := NewWriter(), NewWriter()
	save(t, s, w.ID, 10, "ten")
	save(t, s, w.ID, 20, "twenty, replaced later")
	save(t, s, w.ID, 20, "twenty")
	save(t, s, other.ID, 15, "another's")
	for _, c := range []struct {
		atMost, want uint64
		state        string
	}{{0, 20, "twenty"}, {25, 20, "twenty"}, {20, 20, "twenty"}, {19, 10, "ten"}, {9, 0, ""}} {
		found, err := s.journal.LoadSnapshot(context.Background(), w.ID, c.atMost)
		if err != nil || found.Sequence != c.want || found.State != c.state {
			t.Errorf("at most %d: %d %s %v", c.atMost, found.Sequence, found.State, err)
		}
		if c.want > 0 && found.Hash != snapshotOf(c.want, nil).Hash {
			t.Errorf("at most %d: the hash is %x", c.atMost, found.Hash)
		}
	}
	if found, err := s.journal.LoadSnapshot(
		context.Background(), NewWriter().ID, 0,
	); err != nil || found.Sequence != 0 || found.State != "" {
		t.Errorf("without snapshots: %+v %v", found, err)
	}
}

func provesRetention(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	for sequence := uint64(1000); sequence <= 175_000; sequence += 6000 {
		save(t, s, w.ID, sequence, "state")
	}
	var kept []uint64
	for atMost := uint64(0); ; {
		found, err := s.journal.LoadSnapshot(context.Background(), w.ID, atMost)
		if err != nil {
			t.Fatal(err)
		}
		if found.Sequence == 0 {
			break
		}
		kept = append(kept, found.Sequence)
		atMost = found.Sequence - 1
	}
	if want := []uint64{175_000, 169_000, 151_000, 103_000, 55_000}; !slices.Equal(kept, want) {
		t.Fatalf("kept %v, want %v", kept, want)
	}
}

func provesLargeSnapshot(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	state := make([]byte, 30<<20)
	if _, err := rand.Read(state[:1<<20]); err != nil {
		t.Fatal(err)
	}
	if err := s.journal.SaveSnapshot(context.Background(), w.ID, snapshotOf(1, state)); err != nil {
		t.Fatal(err)
	}
	loaded, err := s.journal.LoadSnapshot(context.Background(), w.ID, 0)
	if err != nil || loaded.State != string(state) {
		t.Fatalf("%d bytes: %v", len(loaded.State), err)
	}
}
