package persistence_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

func TestNewerSchemaIsRefusedWithBothVersions(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := factory(t)
			db := storetest.Open(t, address)
			_, err := db.Writer().ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99123, TRUE)`)
			must(t, err)
			_, err = persistence.Open(t.Context(), address)
			newer, ok := errors.AsType[*persistence.SchemaError](err)
			if !ok || newer.Store != 99123 || newer.Known == 0 || newer.Known >= newer.Store {
				t.Errorf("opening: %v", err)
			}
			if err := db.CheckSchema(t.Context()); !errors.As(err, &newer) {
				t.Errorf("a store that is open: %v", err)
			}
			if _, err := db.Migrate(t.Context()); !errors.As(err, &newer) {
				t.Errorf("migrating: %v", err)
			}
		})
	}
}

func TestStoreWithMissingStepsIsRefused(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := persistence.Open(t.Context(), factory(t))
			must(t, err)
			storetest.Cleanup(t, func() { must(t, db.Close()) })
			stepsOf(t, db, []string{"00001_journal.sql"})
			if behind, ok := errors.AsType[*persistence.BehindError](db.RequireSchema(t.Context())); !ok || len(behind.Missing) == 0 {
				t.Errorf("a store with one step is accepted: %v", behind)
			}
			_, err = db.Migrate(t.Context())
			must(t, err)
			must(t, db.RequireSchema(t.Context()))
		})
	}
}

func TestSQLiteFileHasOneOwner(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "equity.db")
	first := storetest.Open(t, path)
	must(t, first.Lock())
	must(t, first.Lock()) // again
	second, err := persistence.Open(t.Context(), "sqlite://"+path)
	must(t, err)
	if err := second.Lock(); !errors.Is(err, persistence.ErrLocked) {
		t.Errorf("a second owner: %v", err)
	}
	if _, err := second.Migrate(t.Context()); err != nil {
		t.Errorf("a migration without steps needs no ownership: %v", err)
	}
	must(t, first.Close())
	must(t, second.Lock())
	must(t, second.Close())
}

func TestMigrationIsRefusedWhileAnotherProcessOwnsTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "equity.db")
	owner, err := persistence.Open(t.Context(), path)
	must(t, err)
	must(t, owner.Lock())
	other, err := persistence.Open(t.Context(), path)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // does not wait for the owner
	if _, err := other.Migrate(ctx); err == nil {
		t.Error("the schema was changed while another process owned the file")
	}
	must(t, other.Close())
	must(t, owner.Close())
}
