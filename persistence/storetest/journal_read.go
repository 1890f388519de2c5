package storetest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
)

func readClaims() []claim {
	return []claim{
		{"a scan respects its bounds and stops at an error", provesScan},
		{"rows of a scan stay valid after it", provesRowsStayValid},
		{"a scan uses no connection while its rows are processed", provesScanHoldsNothing},
		{"the head is the last row, and zero without rows", provesHead},
		{"idempotency keys are read since a given time and for the last thousand rows", provesKeys},
		{"pages come newest first and are filtered", provesPages},
		{"the sequence at a time is the last one recorded until then", provesSequenceAt},
		{"each organization is listed once", provesOrganizations},
	}
}

// filled returns a fresh organization with n rows.
func filled(t *testing.T, s store, n int) *Writer {
	t.Helper()
	w := NewWriter()
	payloads := make([]string, n)
	for i := range payloads {
		payloads[i] = payload(i + 1)
	}
	MustPut(t, s.journal, w.Next(payloads...))
	return w
}

func sequences(rows []messages.Row) []uint64 {
	var found []uint64
	for i := range rows {
		found = append(found, rows[i].Sequence)
	}
	return found
}

func provesScan(t *testing.T, s store) {
	t.Helper()
	w := filled(t, s, 10)
	filled(t, s, 3)
	for _, c := range []struct {
		after, upTo uint64
		want        []uint64
	}{
		{0, 3, []uint64{1, 2, 3}},
		{7, 0, []uint64{8, 9, 10}},
		{4, 6, []uint64{5, 6}},
		{9, 99, []uint64{10}},
		{10, 0, nil},
		{5, 5, nil},
		{6, 5, nil},
		{99, 0, nil},
	} {
		if got := sequences(Rows(t, s.journal, w.ID, c.after, c.upTo)); !slices.Equal(got, c.want) {
			t.Errorf("after %d up to %d: %v", c.after, c.upTo, got)
		}
	}
	if rows := Rows(t, s.journal, NewWriter().ID, 0, 0); len(rows) != 0 {
		t.Errorf("an unknown organization has %d rows", len(rows))
	}
	stop, seen := errors.New("enough"), 0
	err := s.journal.Scan(context.Background(), w.ID, 0, 0, func(messages.Row) error {
		seen++
		return stop
	})
	if !errors.Is(err, stop) || seen != 1 {
		t.Errorf("stopped after %d rows with %v", seen, err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if err := s.journal.Scan(ended, w.ID, 0, 0, func(messages.Row) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a scan with a cancelled context: %v", err)
	}
}

func provesRowsStayValid(t *testing.T, s store) {
	t.Helper()
	const number = 20_000
	w := filled(t, s, number)
	rows := Rows(t, s.journal, w.ID, 0, 0)
	CheckChain(t, rows)
	for i := range rows {
		if string(rows[i].Payload) != payload(i+1) {
			t.Fatalf("row %d contains %s", i+1, rows[i].Payload)
		}
	}
	_ = append(rows[0].Payload, "overwrites"...) // an append to a payload must not overwrite the next one
	if string(rows[1].Payload) != payload(2) {
		t.Fatal("payloads share their memory's end")
	}
}

// provesScanHoldsNothing nests more scans than the pool has connections.
func provesScanHoldsNothing(t *testing.T, s store) {
	t.Helper()
	w := filled(t, s, 10)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	const depth = 50
	level := 0
	var within func(messages.Row) error
	within = func(messages.Row) error {
		if level++; level < depth {
			return s.journal.Scan(ctx, w.ID, 9, 0, within)
		}
		return nil
	}
	if err := s.journal.Scan(ctx, w.ID, 9, 0, within); err != nil || level != depth {
		t.Errorf("%d nested scans: %v", level, err)
	}
}

func provesHead(t *testing.T, s store) {
	t.Helper()
	ctx := context.Background()
	if sequence, hash, err := s.journal.Head(ctx, NewWriter().ID); err != nil || sequence != 0 || hash != (messages.Hash{}) {
		t.Fatalf("without rows: %d %x %v", sequence, hash, err)
	}
	w := filled(t, s, 7)
	if sequence, hash, err := s.journal.Head(ctx, w.ID); err != nil || sequence != 7 || hash != w.Hash {
		t.Fatalf("%d %x %v", sequence, hash, err)
	}
}

func provesKeys(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	const last = 1004 // the last thousand of these rows are read regardless of age
	payloads := make([]string, last+1)
	for i := range payloads {
		payloads[i] = payload(i + 1)
	}
	batch := w.Next(payloads...)
	for i, key := range map[int]string{3: "old", 5: "recent", last: "newest"} {
		batch.Rows[i].IdempotencyKey = key
		batch.Rows[i].Fingerprint = "print of " + key
	}
	MustPut(t, s.journal, batch)
	var keys []string
	err := s.journal.Keys(context.Background(), w.ID, batch.Rows[last].RecordedAt,
		func(key, fingerprint string, sequence uint64) error {
			keys = append(keys, key+"/"+fingerprint+"/"+strconv.FormatUint(sequence, 10))
			return nil
		})
	if err != nil || !slices.Equal(keys, []string{"recent/print of recent/6", "newest/print of newest/1005"}) {
		t.Fatalf("%v %v", keys, err)
	}
}

func provesPages(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	batch := w.Next(payload(1), payload(2), payload(3), payload(4), payload(5), payload(6))
	for i := range batch.Rows {
		if i%2 == 0 {
			batch.Rows[i].Type = "even"
		}
		if i < 3 {
			batch.Rows[i].By = "early"
		}
		if i == 1 || i == 4 {
			batch.Rows[i].SetOrigin(messages.OriginImport)
		}
	}
	MustPut(t, s.journal, batch)
	filled(t, s, 2)
	for _, c := range []struct {
		query messages.JournalQuery
		want  []uint64
	}{
		{messages.JournalQuery{Limit: 2}, []uint64{6, 5}},
		{messages.JournalQuery{Limit: 2, Before: 5}, []uint64{4, 3}},
		{messages.JournalQuery{Limit: 9, Before: 1}, nil},
		{messages.JournalQuery{Limit: 9, Type: "even"}, []uint64{5, 3, 1}},
		{messages.JournalQuery{Limit: 9, By: "early", Before: 3}, []uint64{2, 1}},
		{messages.JournalQuery{Limit: 9, By: "early", Type: "even"}, []uint64{3, 1}},
		{messages.JournalQuery{Limit: 9, Type: "even' OR '1'='1"}, nil},
		{messages.JournalQuery{Limit: 9, Origin: messages.OriginImport}, []uint64{5, 2}},
		{messages.JournalQuery{Limit: 9, Origin: messages.OriginImport, Type: "even", Before: 6}, []uint64{5}},
		{messages.JournalQuery{Limit: 9, Origin: "imp"}, nil},
	} {
		page, err := s.journal.Page(context.Background(), w.ID, c.query)
		if got := sequences(page); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v %v", c.query, got, err)
		}
	}
}

func provesSequenceAt(t *testing.T, s store) {
	t.Helper()
	for _, length := range []int{1, 2, 3, 10, 100} {
		w := filled(t, s, length)
		check := func(at time.Time, want int) {
			t.Helper()
			got, err := s.journal.SequenceAt(context.Background(), w.ID, at)
			if err != nil || got != uint64(want) {
				t.Errorf("of %d rows at %s: %d, not %d: %v", length, at, got, want, err)
			}
		}
		check(Epoch(), 0)
		for n := 1; n <= length; n++ {
			recorded := Epoch().Add(time.Duration(n) * time.Second)
			check(recorded.Add(-time.Microsecond), n-1)
			check(recorded, n)
			check(recorded.Add(time.Millisecond), n)
		}
		check(Epoch().Add(time.Hour), length)
	}
	if got, err := s.journal.SequenceAt(context.Background(), NewWriter().ID, Epoch()); err != nil || got != 0 {
		t.Errorf("without rows: %d %v", got, err)
	}
}

func provesOrganizations(t *testing.T, s store) {
	t.Helper()
	want := map[organization.ID]bool{}
	for range 20 {
		want[filled(t, s, 3).ID] = true
	}
	zero := Writer{}
	MustPut(t, s.journal, zero.Next(payload(0))) // including the zero id
	want[zero.ID] = true
	err := s.journal.Organizations(context.Background(), func(id organization.ID) error {
		if !want[id] {
			t.Errorf("%s is listed twice, or unknown", id)
		}
		delete(want, id)
		return nil
	})
	if err != nil || len(want) != 0 {
		t.Fatalf("%d are missing: %v", len(want), err)
	}
}
