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

	"equity/persistence"
)

// Factory gives the address of a fresh, empty store that is gone when the test is over.
type Factory func(t *testing.T) string

// Engines are the factories by name.
func Engines() map[string]Factory {
	return map[string]Factory{"sqlite": SQLite, "postgresql": PostgreSQL}
}

// Each runs a test on every engine, in parallel, each with a migrated store of its own.
func Each(t *testing.T, run func(t *testing.T, db *persistence.Database)) {
	t.Helper()
	for name, factory := range Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, Open(t, factory(t)))
		})
	}
}

// SQLite gives the address of a file in the test's own folder.
func SQLite(t *testing.T) string {
	t.Helper()
	return "sqlite://" + filepath.Join(t.TempDir(), "equity.db")
}

// PostgreSQL gives the address of a schema of the test's own in the database of TEST_DATABASE_URL.
func PostgreSQL(t *testing.T) string {
	t.Helper()
	address, err := url.Parse(service(t, "TEST_DATABASE_URL", "PostgreSQL"))
	if err != nil {
		t.Fatalf("TEST_DATABASE_URL: %v", err)
	}
	schema := "test_" + randomName()
	administer(t, address.String(), `CREATE SCHEMA `+schema)
	t.Cleanup(func() { administer(t, address.String(), `DROP SCHEMA `+schema+` CASCADE`) })
	query := address.Query()
	query.Set("search_path", schema)
	address.RawQuery = query.Encode()
	return address.String()
}

// Redis gives the address of the Redis of TEST_REDIS_URL and a key prefix of the test's own.
func Redis(t *testing.T) (address, prefix string) {
	t.Helper()
	return service(t, "TEST_REDIS_URL", "Redis"), "test:" + randomName() + ":"
}

// Open opens a store and migrates it. It is closed when the test is over.
func Open(t *testing.T, address string) *persistence.Database {
	t.Helper()
	db, err := persistence.Open(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	if _, err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db
}

// OpenJournal makes a journal on the store. It is closed when the test is over, before the store.
func OpenJournal(t *testing.T, db *persistence.Database) *persistence.Journal {
	t.Helper()
	journal := persistence.NewJournal(db)
	t.Cleanup(func() {
		if err := journal.Close(); err != nil {
			t.Errorf("close the journal: %v", err)
		}
	})
	return journal
}

func service(t *testing.T, variable, name string) string {
	t.Helper()
	address := os.Getenv(variable)
	if address == "" {
		t.Fatalf("%s is not set: this test needs a real %s, which 'make test' starts", variable, name)
	}
	return address
}

// administer runs a statement outside of the test's schema. Its context is not the test's, which has ended by the time
// of the cleanup.
func administer(t *testing.T, address, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(context.Background(), statement); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

func randomName() string {
	var name [8]byte
	_, _ = rand.Read(name[:]) // never fails
	return hex.EncodeToString(name[:])
}
