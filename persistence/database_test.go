package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	t.Run("an unusable address is refused with a reason", func(t *testing.T) {
		t.Parallel()
		underAFile := filepath.Join(os.DevNull, "folder", "x.db")
		for address, why := range map[string]string{
			"mysql://localhost/equity":      "neither postgres nor sqlite",
			"sqlite://":                     "a path",
			":memory:":                      "a path",
			"postgres://127.0.0.1:1/equity": "connect",
			"postgres://127.0.0.1/equity?sslmode=strange": "sslmode",
			underAFile: "create folder",
		} {
			if _, err := persistence.Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", address, err)
			}
		}
	})
	t.Run("a file with any name is created in its folder, accessible to its owner only", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "a folder", "100% #1?.db")
		db := storetest.Open(t, path)
		if db.Engine() != persistence.SQLite {
			t.Fatal(db.Engine())
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
			t.Fatalf("%v %v", info, err)
		}
	})
	t.Run("SQLite has read-only readers and full synchronization", func(t *testing.T) {
		t.Parallel()
		db := storetest.Open(t, storetest.SQLite(t))
		if _, err := db.Reader().ExecContext(t.Context(), `DELETE FROM users`); err == nil {
			t.Error("a reader wrote")
		}
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
			var got string
			if err := db.Writer().QueryRowContext(t.Context(), `PRAGMA `+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s is %s: %v", pragma, got, err)
			}
		}
	})
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name+" migrates once, also when several servers start together", func(t *testing.T) {
			t.Parallel()
			address := factory(t)
			var applied [4]int
			var wait sync.WaitGroup
			if name == "sqlite" { // a file has one owner, so its servers start one after the other
				db := storetest.Open(t, address)
				number, err := db.Migrate(t.Context())
				if err != nil || number != 0 {
					t.Fatalf("%d more steps: %v", number, err)
				}
				return
			}
			for i := range applied {
				wait.Go(func() {
					db, err := persistence.Open(context.Background(), address)
					if err != nil {
						t.Error(err)
						return
					}
					defer func() { _ = db.Close() }()
					if applied[i], err = db.Migrate(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			busy := 0
			for _, number := range applied {
				if number > 0 {
					busy++
				}
			}
			if busy != 1 {
				t.Errorf("%v", applied)
			}
		})
	}
}

func TestDatabase(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		if err := db.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		const insert = `INSERT INTO blocked_domain (domain, created_at) VALUES ($1, 1)`
		failed := errors.New("on purpose")
		err := db.Transact(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(t.Context(), insert, "undone.example"); err != nil {
				t.Error(err)
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Fatalf("the reason is lost: %v", err)
		}
		if _, err := db.Writer().ExecContext(t.Context(), insert, "undone.example"); err != nil {
			t.Fatalf("it was not undone: %v", err)
		}
		if _, err := db.Writer().ExecContext(t.Context(), insert, "undone.example"); !persistence.IsDuplicate(err) {
			t.Fatalf("a duplicate is not recognized: %v", err)
		}
		if persistence.IsDuplicate(nil) || persistence.IsDuplicate(failed) {
			t.Fatal("everything is a duplicate")
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err := db.Ready(t.Context()); err == nil {
			t.Fatal("ready after closing")
		}
	})
}
