package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// Backup writes a consistent copy of an SQLite database to a new file. Writers continue meanwhile: the copy reads
// one snapshot, and the write-ahead log grows until the copy is complete. If ctx ends first, the partial copy is removed.
func (d *Database) Backup(ctx context.Context, path string) (err error) {
	if d.engine != SQLite {
		return errors.New("backup: only SQLite is supported; use pg_dump for PostgreSQL")
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	// The copy has its own connection: the readers refuse the statement, and the writer must stay available.
	copier, err := sql.Open("sqlite", sqliteSource(d.file.path, d.limit, "_txlock", "deferred"))
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer func() { err = errors.Join(err, copier.Close()) }()
	if _, err := copier.ExecContext(ctx, `VACUUM INTO $1`, path); err != nil { // SQLite accepts an empty file
		return errors.Join(fmt.Errorf("backup: %w", err), os.Remove(path))
	}
	return nil
}

// Path returns the file of an SQLite database, or "" for PostgreSQL.
func (d *Database) Path() string {
	if d.file == nil {
		return ""
	}
	return d.file.path
}
