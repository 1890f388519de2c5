package persistence_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// explained opens a store on PostgreSQL that reports the plan of each statement, and returns the plans since the last call.
func explained(t *testing.T) (db *persistence.Database, plans func() []string) {
	t.Helper()
	address := storetest.PostgreSQL(t)
	storetest.Open(t, address)
	address, plans = storetest.Explained(t, address)
	return storetest.Open(t, address), plans
}

// keyed returns the next rows of the organization, the last of them with an idempotency key.
func keyed(w *storetest.Writer, payloads ...string) messages.Append {
	batch := w.Next(payloads...)
	last := &batch.Rows[len(batch.Rows)-1]
	last.IdempotencyKey = fmt.Sprint("key ", w.Sequence)
	last.Seal(last.PreviousHash)
	w.Hash = last.Hash
	return batch
}

// hotReads are the reads of the journal of one organization while it is loaded and serves requests, by name.
func hotReads(ctx context.Context, journal *persistence.Journal, id organization.ID) map[string]func() error {
	none := func(messages.Row) error { return nil }
	return map[string]func() error{
		"head":        func() error { _, _, err := journal.Head(ctx, id); return err },
		"stored head": func() error { _, _, err := journal.StoredHead(ctx, id); return err },
		"scan":        func() error { return journal.Scan(ctx, id, 3, 0, none) },
		"empty scan":  func() error { return journal.Scan(ctx, id, 30, 0, none) },
		"keys": func() error {
			return journal.Keys(ctx, id, storetest.Epoch(), func(string, string, uint64) error { return nil })
		},
		"page": func() error { _, err := journal.Page(ctx, id, messages.JournalQuery{Limit: 10}); return err },
		"filtered page": func() error {
			_, err := journal.Page(ctx, id, messages.JournalQuery{Before: 8, Limit: 10, Type: "somethingHappened", By: "system:test"})
			return err
		},
		"sequence at a moment": func() error { _, err := journal.SequenceAt(ctx, id, storetest.Epoch()); return err },
		"snapshot":             func() error { _, err := journal.LoadSnapshot(ctx, id, 0); return err },
		"earlier snapshot":     func() error { _, err := journal.LoadSnapshot(ctx, id, 5); return err },
		"snapshots":            func() error { _, err := journal.SnapshotSequences(ctx, id); return err },
	}
}

func TestHotStatementsReadOnePartitionByIndex(t *testing.T) {
	t.Parallel()
	db, plans := explained(t)
	journal := storetest.OpenJournal(t, db)
	for range 40 { // other organizations
		storetest.MustPut(t, journal, storetest.NewWriter().Next(`{}`, `{}`, `{}`))
	}
	writer := storetest.NewWriter()
	append10 := func() { // with the index rows of an append
		for range 10 {
			storetest.MustPut(t, journal, keyed(writer, `{}`, `{}`))
		}
	}
	checked := func(name string, do func() error) {
		plans()
		for range 8 { // after five executions PostgreSQL may choose a plan that is independent of the organization
			must(t, do())
		}
		named, found := 0, plans()
		for _, plan := range found {
			tables, partitions, whole := storetest.Partitions(plan)
			named += len(tables)
			if len(partitions) > 1 || len(whole) > 0 {
				t.Errorf("%s reads %d partitions, or whole ones (%s):\n%s", name, len(partitions), strings.Join(whole, ", "), plan)
			}
		}
		if len(found) == 0 || named == 0 && name != "append" {
			t.Errorf("%s: no plan with a table of the journal was reported", name)
		}
	}
	append10()
	checked("append", func() error { append10(); return nil })
	checked("save snapshot", func() error {
		return journal.SaveSnapshot(t.Context(), writer.ID, messages.Snapshot{Sequence: writer.Sequence, State: "state"})
	})
	for name, read := range hotReads(t.Context(), journal, writer.ID) {
		checked(name, read)
	}
	checked("large append", func() error {
		payloads := make([]string, 3_000)
		for i := range payloads {
			payloads[i] = `{}`
		}
		storetest.MustPut(t, journal, writer.Next(payloads...))
		return journal.Scan(t.Context(), writer.ID, 0, 0, func(messages.Row) error { return nil }) // after the move of the packs
	})
}

// TestPlantedScansOfPartitionsAreFound executes statements that read several partitions, or a whole one.
func TestPlantedScansOfPartitionsAreFound(t *testing.T) {
	t.Parallel()
	db, plans := explained(t)
	writer := storetest.NewWriter()
	storetest.MustPut(t, storetest.OpenJournal(t, db), writer.Next(`{}`, `{}`))
	_, err := db.Writer().ExecContext(t.Context(), `CREATE TABLE own AS SELECT organization FROM journal_head`)
	must(t, err)
	for statement, expected := range map[string][2]bool{ // several partitions, whole ones
		`SELECT count(*)::bigint FROM journal WHERE type = 'somethingHappened'`:                                             {true, true},
		`SELECT count(*)::bigint FROM journal WHERE encode(organization, 'hex') = '00'`:                                     {true, true},
		`SELECT count(*)::bigint FROM journal WHERE organization >= '\x00'::bytea`:                                          {true, false},
		`SELECT count(*)::bigint FROM journal_p3 WHERE sequence = 1 AND hash = previous_hash`:                               {false, true},
		`SELECT count(*)::bigint FROM snapshot_p3 WHERE state = '\x00'::bytea`:                                              {false, true},
		`SELECT count(*)::bigint FROM journal_head JOIN own ON encode(own.organization, 'hex') = encode(hash, 'hex')`:       {false, true},
		`SELECT count(*)::bigint FROM journal WHERE organization = (SELECT organization FROM own LIMIT 1) AND sequence > 0`: {false, false},
	} {
		plans()
		var count int64
		must(t, db.Reader().QueryRowContext(t.Context(), statement).Scan(&count))
		found := plans()
		if len(found) != 1 {
			t.Fatalf("%s: %d plans", statement, len(found))
		}
		if _, partitions, whole := storetest.Partitions(found[0]); (len(partitions) > 1) != expected[0] || (len(whole) > 0) != expected[1] {
			t.Errorf("%d partitions, whole ones: %v\n%s", len(partitions), whole, found[0])
		}
	}
}

// previous opens a store with the schema before the partitions.
func previous(t *testing.T) *persistence.Database {
	t.Helper()
	db, err := persistence.Open(t.Context(), storetest.PostgreSQL(t))
	must(t, err)
	storetest.Cleanup(t, func() { must(t, db.Close()) })
	files, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	var earlier []string
	for _, file := range files {
		if name := filepath.Base(file); name < "00034_partitions.sql" {
			earlier = append(earlier, name)
		}
	}
	stepsOf(t, db, earlier)
	return db
}

// sorted returns the rows of a table as text.
func sorted(t *testing.T, db *persistence.Database, table string) (found []string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), `SELECT t::text FROM `+table+` t ORDER BY 1`)
	must(t, err)
	defer func() { must(t, rows.Close()) }()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		found = append(found, text)
	}
	must(t, rows.Err())
	return found
}

func TestPartitionsKeepTheDataOfThePreviousSchema(t *testing.T) {
	t.Parallel()
	db := previous(t)
	journal := storetest.OpenJournal(t, db)
	var writers []*storetest.Writer
	for range 50 {
		w := storetest.NewWriter()
		batch := keyed(w, `{"a":"1"}`, `{"b":"2"}`, `{"c":"3"}`)
		batch.Memberships = []messages.Membership{
			{User: storetest.NewID[organization.User](), Entity: storetest.NewID[captable.Entity](), Member: true},
		}
		storetest.MustPut(t, journal, batch)
		must(t, journal.SaveSnapshot(t.Context(), w.ID, messages.Snapshot{Sequence: 2, State: "state", Hash: w.Hash}))
		writers = append(writers, w)
	}
	packed := storetest.NewID[organization.Organization]()
	_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO journal_pack VALUES ($1, 1, 1, $2, $2, $2)`, packed[:], []byte("bytes"))
	must(t, err)
	names := []string{"journal", "journal_head", "journal_pack", "snapshot", "membership"}
	before := map[string][]string{}
	for _, table := range names {
		before[table] = sorted(t, db, table)
	}
	if applied, err := db.Migrate(t.Context()); err != nil || applied == 0 {
		t.Fatal(applied, err)
	}
	for _, table := range names {
		if after := sorted(t, db, table); strings.Join(before[table], "\n") != strings.Join(after, "\n") || len(after) == 0 {
			t.Errorf("%s has %d rows, and had %d", table, len(after), len(before[table]))
		}
	}
	for _, w := range writers { // through the connections of before the migration
		stale := *w
		storetest.MustPut(t, journal, w.Next(`{"d":"4"}`))
		storetest.CheckChain(t, storetest.Rows(t, journal, w.ID, 0, 0))
		if err := storetest.Put(t, journal, stale.Next(`{"e":"5"}`)); !errors.Is(err, messages.ErrFenced) {
			t.Errorf("a second row with a sequence: %v", err)
		}
	}
}

func TestEachKeyOfThePreviousSchemaIsKept(t *testing.T) {
	t.Parallel()
	db := previous(t)
	keys := func() (found []string) {
		rows, err := db.Reader().QueryContext(t.Context(), `SELECT t.relname || ' ' || i.indisprimary || i.indisunique || ' ' ||
			substring(pg_get_indexdef(i.indexrelid) from 'USING.*') FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
			WHERE t.relnamespace = current_schema()::regnamespace AND NOT t.relispartition ORDER BY 1`)
		must(t, err)
		defer func() { must(t, rows.Close()) }()
		for rows.Next() {
			var text string
			must(t, rows.Scan(&text))
			found = append(found, text)
		}
		must(t, rows.Err())
		return found
	}
	before := keys()
	_, err := db.Migrate(t.Context())
	must(t, err)
	after := strings.Join(keys(), "\n")
	for _, key := range before {
		removed := strings.HasPrefix(key, "agent_call ") // call_log replaces it
		if strings.Contains(key, " falsefalse ") {
			key = strings.TrimSuffix(key, ")") // an index that is not unique may have further columns
		}
		if !removed && !strings.Contains(after, key) {
			t.Errorf("%s is missing in:\n%s", key, after)
		}
	}
	var partitions int
	must(t, db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM pg_inherits WHERE inhparent = 'journal'::regclass`).Scan(&partitions))
	if partitions != 16 {
		t.Errorf("%d partitions", partitions)
	}
}
