package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomodule/redigo/redis"

	"equity/persistence"
)

// Factory returns the address of a fresh, empty store that is removed after the test.
type Factory func(tb testing.TB) string

// Engines returns the factories by name.
func Engines() map[string]Factory {
	return map[string]Factory{"sqlite": SQLite, "postgresql": PostgreSQL}
}

// Each runs a test on every engine in parallel, each with its own migrated store.
func Each(t *testing.T, run func(t *testing.T, db *persistence.Database)) {
	t.Helper()
	for name, factory := range Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, Open(t, factory(t)))
		})
	}
}

// SQLite returns the address of a file in the temporary folder of the test.
func SQLite(tb testing.TB) string {
	tb.Helper()
	return "sqlite://" + filepath.Join(tb.TempDir(), "equity.db")
}

// PostgreSQL returns the address of a new schema in the database of TEST_DATABASE_URL.
func PostgreSQL(tb testing.TB) string {
	tb.Helper()
	address, err := url.Parse(service(tb, "TEST_DATABASE_URL", "PostgreSQL"))
	if err != nil {
		tb.Fatalf("TEST_DATABASE_URL: %v", err)
	}
	schema := "test_" + randomName()
	administer(tb, address.String(), `CREATE SCHEMA `+schema)
	Cleanup(tb, func() { administer(tb, address.String(), `DROP SCHEMA `+schema+` CASCADE`) })
	query := address.Query()
	query.Set("search_path", schema)
	query.Set("application_name", schema) // identifies the connections of the test
	address.RawQuery = query.Encode()
	return address.String()
}

// Redis returns the address of the Redis of TEST_REDIS_URL and a unique key prefix, whose keys are removed after
// the test.
func Redis(tb testing.TB) (address, prefix string) {
	tb.Helper()
	address, prefix = service(tb, "TEST_REDIS_URL", "Redis"), "test:"+randomName()+":"
	Cleanup(tb, func() { removeKeys(tb, address, prefix) })
	return address, prefix
}

func removeKeys(tb testing.TB, address, prefix string) {
	tb.Helper()
	conn, err := redis.DialURL(address)
	if err != nil {
		tb.Error(err)
		return
	}
	defer func() { _ = conn.Close() }()
	keys, err := redis.Values(conn.Do("KEYS", prefix+"*"))
	if err == nil && len(keys) > 0 {
		_, err = conn.Do("DEL", keys...)
	}
	if err != nil {
		tb.Error(err)
	}
}

// Open opens and migrates a store. It is closed after the test.
func Open(tb testing.TB, address string) *persistence.Database {
	tb.Helper()
	fresh := copySchema(tb, address)
	db, err := persistence.Open(context.Background(), address)
	if err != nil {
		tb.Fatal(err)
	}
	Cleanup(tb, func() {
		if err := db.Close(); err != nil {
			tb.Errorf("close the store: %v", err)
		}
	})
	if fresh {
		return db
	}
	if _, err := db.Migrate(context.Background()); err != nil {
		tb.Fatal(err)
	}
	return db
}

// OpenJournal opens a journal on the store. It is closed after the test, before the store.
func OpenJournal(tb testing.TB, db *persistence.Database) *persistence.Journal {
	tb.Helper()
	journal := persistence.NewJournal(db)
	Cleanup(tb, func() {
		if err := journal.Close(); err != nil {
			tb.Errorf("close the journal: %v", err)
		}
	})
	return journal
}

func service(tb testing.TB, variable, name string) string {
	tb.Helper()
	address := os.Getenv(variable)
	if address == "" {
		tb.Fatalf("%s is not set: this test needs a real %s, which 'make test' starts", variable, name)
	}
	return address
}

// administer runs a statement outside the schema of the test. It has its own context, because that of the test has ended
// during the cleanup.
func administer(tb testing.TB, address, statement string) {
	tb.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		tb.Error(err)
	}
	if err := db.Close(); err != nil {
		tb.Error(err)
	}
}

func randomName() string {
	var name [8]byte
	_, _ = rand.Read(name[:]) // never fails
	return hex.EncodeToString(name[:])
}
