package persistence_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// put appends a batch and waits for the outcome.
func put(journal *persistence.Journal, batch messages.Append) error {
	outcome := make(chan error, 1)
	journal.Append(batch, func(err error) { outcome <- err })
	return <-outcome
}

// diary records the outcome of each row that one writer tried to store.
type diary struct {
	writer   *storetest.Writer
	outcomes map[messages.Hash]error
	stored   int
}

// write stores rows until the wanted number succeeded, like an actor: after a failure it continues from the state of
// the journal.
func (d *diary) write(ctx context.Context, t *testing.T, journal *persistence.Journal, wanted int, onStored func()) {
	t.Helper()
	for d.stored < wanted && ctx.Err() == nil {
		attempt := fmt.Sprintf(`{"attempt":"%d"}`, len(d.outcomes)) // no two attempts have rows with the same hash
		batch := d.writer.Next(attempt, attempt)
		err := put(journal, batch)
		for i := range batch.Rows {
			d.outcomes[batch.Rows[i].Hash] = err
		}
		if err == nil {
			d.stored++
			onStored()
			continue
		}
		for {
			sequence, hash, err := journal.Head(ctx, d.writer.ID)
			if err == nil {
				d.writer.Sequence, d.writer.Hash = sequence, hash
				break
			}
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// check compares the diary with the journal: acknowledged rows must be stored, refused rows must not.
func (d *diary) check(t *testing.T, journal *persistence.Journal) {
	t.Helper()
	rows := storetest.Rows(t, journal, d.writer.ID, 0, 0)
	storetest.CheckChain(t, rows)
	present := map[messages.Hash]bool{}
	for i := range rows {
		present[rows[i].Hash] = true
	}
	for hash, err := range d.outcomes {
		switch {
		case err == nil && !present[hash]:
			t.Errorf("a row that was acknowledged is missing")
		case errors.Is(err, messages.ErrUnknownOutcome):
		case err != nil && present[hash]:
			t.Errorf("a row is stored although its append failed: %v", err)
		}
	}
}

func TestJournalSurvivesItsConnections(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	journal := storetest.OpenJournal(t, db)
	const writers, wanted = 6, 60
	diaries := make([]*diary, writers)
	var stored atomic.Int64
	var wait sync.WaitGroup
	for i := range diaries {
		diaries[i] = &diary{writer: storetest.NewWriter(), outcomes: map[messages.Hash]error{}}
		wait.Go(func() {
			diaries[i].write(t.Context(), t, journal, wanted, func() {
				if stored.Add(1)%15 == 0 {
					terminate(t, db)
				}
			})
		})
	}
	wait.Wait()
	failures := 0
	for _, d := range diaries {
		d.check(t, journal)
		if d.stored != wanted {
			t.Errorf("%d of %d stored", d.stored, wanted)
		}
		for _, err := range d.outcomes {
			if err != nil {
				failures++
			}
		}
	}
	if failures == 0 {
		t.Error("no append failed, so the test has no effect")
	}
}

// terminate ends all other connections of the test, identified by their application name.
func terminate(t *testing.T, db *persistence.Database) {
	t.Helper()
	_, err := db.Writer().ExecContext(context.Background(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE pid <> pg_backend_pid() AND application_name = current_schema()`)
	if err != nil && !strings.Contains(err.Error(), "57P01") && !strings.Contains(err.Error(), "closed") {
		t.Logf("terminate: %v", err) // a concurrent call may terminate this connection
	}
}

// through opens a store on PostgreSQL with a journal behind a proxy and another journal without it.
func through(t *testing.T) (*persistence.Journal, *persistence.Journal, *storetest.Proxy) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	direct := storetest.OpenJournal(t, storetest.Open(t, address))
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := storetest.NewProxy(t, parsed.Host)
	parsed.Host = proxy.Address()
	return storetest.OpenJournal(t, storetest.Open(t, parsed.String())), direct, proxy
}

func TestJournalWhilePostgreSQLIsUnavailable(t *testing.T) {
	t.Parallel()
	journal, direct, proxy := through(t)
	w := storetest.NewWriter()
	storetest.MustPut(t, journal, w.Next(`{}`))
	before := *w
	proxy.Refuse(true)
	for range 3 {
		err := put(journal, w.Next(`{"lost":true}`))
		if !errors.Is(err, messages.ErrNotStored) && !errors.Is(err, messages.ErrUnknownOutcome) {
			t.Fatalf("while away: %v", err)
		}
	}
	if err := put(journal, w.Next(`{"lost":true}`)); !errors.Is(err, messages.ErrNotStored) {
		t.Fatalf("an append without a connection: %v", err)
	}
	attempts := proxy.Attempts()
	var answered sync.WaitGroup
	const many = 500
	answered.Add(many)
	for range many {
		journal.Append(storetest.NewWriter().Next(`{}`), func(err error) {
			defer answered.Done()
			if !errors.Is(err, messages.ErrNotStored) {
				t.Errorf("one of many appends: %v", err)
			}
		})
	}
	answered.Wait()
	if more := proxy.Attempts() - attempts; more > many/5 {
		t.Errorf("%d attempts to connect for %d appends that could be answered together", more, many)
	}
	proxy.Refuse(false)
	*w = before
	storetest.MustPut(t, journal, w.Next(`{}`))
	if rows := storetest.Rows(t, direct, w.ID, 0, 0); len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
}

func TestJournalWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	journal, direct, proxy := through(t)
	w := storetest.NewWriter()
	storetest.MustPut(t, journal, w.Next(`{}`))
	proxy.CutAtAnswer()
	if err := put(journal, w.Next(`{}`)); !errors.Is(err, messages.ErrUnknownOutcome) {
		t.Fatalf("an append with a lost answer: %v", err)
	}
	rows := storetest.Rows(t, direct, w.ID, 0, 0)
	storetest.CheckChain(t, rows)
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	storetest.MustPut(t, journal, w.Next(`{}`))
}

func TestJournalWhenTheDiskIsFull(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.SQLite(t))
	journal := storetest.OpenJournal(t, db)
	d := &diary{writer: storetest.NewWriter(), outcomes: map[messages.Hash]error{}}
	d.write(t.Context(), t, journal, 5, func() {})
	limit := func(pages string) {
		if _, err := db.Writer().ExecContext(t.Context(), `PRAGMA max_page_count = `+pages); err != nil {
			t.Fatal(err)
		}
	}
	limit("1") // SQLite raises a lower limit to the current size
	before := *d.writer
	large := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	err := put(journal, d.writer.Next(large))
	if !errors.Is(err, messages.ErrNotStored) || errors.Is(err, messages.ErrUnknownOutcome) {
		t.Fatalf("on a full disk: %v", err)
	}
	*d.writer = before
	limit("1000000")
	d.write(t.Context(), t, journal, 10, func() {})
	d.check(t, journal)
	if len(d.outcomes) != 20 {
		t.Fatalf("%d rows were tried", len(d.outcomes))
	}
}

func TestJournalOfManyOrganizationsAtOnce(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	journal := persistence.NewJournal(db)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			d := &diary{writer: storetest.NewWriter(), outcomes: map[messages.Hash]error{}}
			d.write(t.Context(), t, journal, 10, func() {})
			d.check(t, journal)
		})
	}
	wait.Wait()
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
}
