package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// Backup writes a copy of an SQLite database into a new file, as of one moment. Writers go on meanwhile: the copy reads
// one snapshot, and the write-ahead log grows until it is done. A copy that is given up with ctx is removed.
func (d *Database) Backup(ctx context.Context, path string) (err error) {
	if d.engine != SQLite {
		return errors.New("backup: this is for SQLite; use pg_dump for PostgreSQL")
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	// A connection of its own: the readers refuse the statement, and the writer is needed by writers.
	copier, err := sql.Open("sqlite", sqliteSource(d.path, d.limit, "_txlock", "deferred"))
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, copier.Close()) }()
	if _, err := copier.ExecContext(ctx, `VACUUM INTO $1`, path); err != nil { // an empty file is taken
		return errors.Join(fmt.Errorf("backup: %w", err), os.Remove(path))
	}
	return nil
}

// Path returns the file of an SQLite database; empty for PostgreSQL.
func (d *Database) Path() string { return d.path }
