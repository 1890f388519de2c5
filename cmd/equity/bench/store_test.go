package bench_test

import (
	"context"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"equity/cmd/equity/bench"
)

func TestScratch(t *testing.T) {
	t.Parallel()
	t.Run("a store without a database URL is a file in the folder", func(t *testing.T) {
		t.Parallel()
		directory := t.TempDir()
		address, remove, err := bench.NewStore(t.Context(), "", directory)
		if err != nil || !strings.HasPrefix(address, "sqlite://"+directory) {
			t.Errorf("%s, %v", address, err)
		}
		if err := remove(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("a store in a database is a schema that is removed afterwards", func(t *testing.T) {
		t.Parallel()
		given := os.Getenv("TEST_DATABASE_URL")
		if given == "" {
			t.Fatal("TEST_DATABASE_URL is not set: this test needs a real PostgreSQL, which 'make test' starts")
		}
		address, remove, err := bench.NewStore(t.Context(), given, "")
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		schema := parsed.Query().Get("search_path")
		if n := schemas(t, given, schema); n != 1 || !strings.HasPrefix(schema, "bench_") {
			t.Errorf("schema %q is there %d times", schema, n)
		}
		if err := remove(t.Context()); err != nil || schemas(t, given, schema) != 0 {
			t.Errorf("schema %q is left: %v", schema, err)
		}
	})
	t.Run("a store with an address that is not PostgreSQL is refused", func(t *testing.T) {
		t.Parallel()
		for _, address := range []string{"sqlite:///tmp/x.db", "host=127.0.0.1", "postgres://a b@h/%zz"} {
			if _, _, err := bench.NewStore(t.Context(), address, t.TempDir()); err == nil || !strings.Contains(err.Error(), "--database-url") {
				t.Errorf("%s: %v", address, err)
			}
		}
	})
}

func schemas(t *testing.T, address, name string) (count int) {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(t.Context())) }()
	err = connection.QueryRow(t.Context(), `SELECT count(*) FROM information_schema.schemata WHERE schema_name = $1`, name).Scan(&count)
	if err != nil {
		t.Fatal(err)
	}
	return count
}
