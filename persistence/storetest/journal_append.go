package storetest

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/messages"
)

func appendClaims() []claim {
	return []claim{
		{"appended rows are read unchanged", provesRoundTrip},
		{"appends of an organization keep their order while several are queued", provesOrder},
		{"organizations append concurrently", provesConcurrency},
		{"payloads of 5 MB are stored, alone and together", provesLargePayloads},
		{"closing completes accepted appends and refuses later ones", provesClose},
	}
}

func provesRoundTrip(t *testing.T, s store) {
	t.Helper()
	w := NewWriter()
	batch := w.Next(`{"name":"Ångström 株式会社 — “quoted” 🦊"}`, `{}`, payload(3))
	batch.Rows[1].By = "018f3d2c-1111-7abc-8def-0123456789ab"
	batch.Rows[1].Type = "naïve☃"
	batch.Rows[1].IdempotencyKey = "ключ-1"
	batch.Rows[1].Fingerprint = strings.Repeat("f", 64)
	batch.Rows[1].Seal(batch.Rows[0].Hash)
	batch.Rows[2].Seal(batch.Rows[1].Hash)
	want := append([]messages.Row(nil), batch.Rows...)
	MustPut(t, s.journal, batch)
	got := Rows(t, s.journal, w.ID, 0, 0)
	CheckChain(t, got)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v\nwant %+v", got, want)
	}
}

func provesOrder(t *testing.T, s store) {
	t.Helper()
	const number = 500
	w := NewWriter()
	var answered sync.WaitGroup
	var last atomic.Uint64
	for i := range number {
		batch := w.Next(payload(i))
		sequence := batch.Rows[0].Sequence
		answered.Add(1)
		s.journal.Append(batch, func(err error) {
			defer answered.Done()
			if err != nil {
				t.Error(err)
			}
			if before := last.Swap(sequence); before != sequence-1 {
				t.Errorf("%d was answered after %d", sequence, before)
			}
		})
	}
	answered.Wait()
	rows := Rows(t, s.journal, w.ID, 0, 0)
	CheckChain(t, rows)
	if len(rows) != number {
		t.Fatalf("%d rows", len(rows))
	}
}

func provesConcurrency(t *testing.T, s store) {
	t.Helper()
	const organizations, appends = 64, 12
	writers := make([]*Writer, organizations)
	var answers atomic.Int64
	var callers sync.WaitGroup
	for i := range writers {
		writers[i] = NewWriter()
		callers.Go(func() {
			for n := range appends {
				outcome := make(chan error, 2) // room for a second answer, which would be an error
				s.journal.Append(writers[i].Next(payload(n), payload(n)), func(err error) {
					answers.Add(1)
					outcome <- err
				})
				if err := <-outcome; err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	for _, w := range writers {
		rows := Rows(t, s.journal, w.ID, 0, 0)
		CheckChain(t, rows)
		if len(rows) != 2*appends {
			t.Fatalf("%d rows", len(rows))
		}
	}
	if got := answers.Load(); got != organizations*appends {
		t.Fatalf("%d answers to %d appends", got, organizations*appends)
	}
}

func provesLargePayloads(t *testing.T, s store) {
	t.Helper()
	large := `{"text":"` + strings.Repeat("žluťoučký kůň ", 5<<20/18) + `"}`
	one, other := NewWriter(), NewWriter()
	var answered sync.WaitGroup
	for _, w := range []*Writer{one, other} {
		for range 2 {
			answered.Add(1)
			s.journal.Append(w.Next(large, `{}`), func(err error) {
				defer answered.Done()
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	answered.Wait()
	for _, w := range []*Writer{one, other} {
		rows := Rows(t, s.journal, w.ID, 0, 0)
		CheckChain(t, rows)
		if len(rows) != 4 || string(rows[2].Payload) != large {
			t.Fatal("not read as written")
		}
	}
}

func provesClose(t *testing.T, s store) {
	t.Helper()
	const number = 300
	var mu sync.Mutex
	answers := map[uint64]int{}
	stored := 0
	w := NewWriter()
	var answered sync.WaitGroup
	for i := range number {
		batch := w.Next(payload(i))
		sequence := batch.Rows[0].Sequence
		answered.Add(1)
		s.journal.Append(batch, func(err error) {
			mu.Lock()
			defer mu.Unlock()
			answers[sequence]++
			if err == nil {
				stored++
			}
			answered.Done()
		})
	}
	if err := s.journal.Close(); err != nil {
		t.Fatal(err)
	}
	answered.Wait()
	if len(answers) != number || stored != number {
		t.Fatalf("%d answered, %d stored, of %d accepted", len(answers), stored, number)
	}
	if err := Put(t, s.journal, w.Next(payload(0))); !errors.Is(err, messages.ErrNotStored) {
		t.Fatalf("after closing: %v", err)
	}
	if got := len(Rows(t, s.another(t), w.ID, 0, 0)); got != number {
		t.Fatalf("%d rows", got)
	}
}
