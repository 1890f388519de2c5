package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// SchemaError means that another build has brought the store to a schema that this build does not know. Nothing may be
// written to it, and nothing read: columns may have another meaning.
type SchemaError struct {
	// Store is the newest step that the store has, Known the newest that this build has.
	Store, Known int64
	// Unknown are the store's steps that this build does not have, ascending.
	Unknown []int64
}

// Error names both versions.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("the store has schema version %d (unknown here: %v), and this build of equity knows versions up to %d: start the build that migrated the store, or a newer one",
		e.Store, e.Unknown, e.Known)
}

// BehindError means that the store lacks steps that this build needs.
type BehindError struct{ Missing []int64 }

// Error names the missing steps and the command that takes them.
func (e *BehindError) Error() string {
	return fmt.Sprintf("the store lacks the schema versions %v that this build needs: run 'equity migrate', or start the server", e.Missing)
}

// steps returns the versions of the embedded migrations, ascending.
func steps() ([]int64, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	var all []int64
	for _, file := range files {
		number, _, _ := strings.Cut(strings.TrimPrefix(file, "migrations/"), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", file, err)
		}
		all = append(all, version)
	}
	slices.Sort(all)
	return all, nil
}

// applied returns the versions that the store has, ascending; none in an empty store.
func (d *Database) applied(ctx context.Context) (found []int64, err error) {
	query := `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`
	if d.engine == PostgreSQL {
		query = `SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('goose_db_version')`
	}
	var tables int
	if err := d.reader.QueryRowContext(ctx, query).Scan(&tables); err != nil || tables == 0 {
		return nil, during("read schema version", err)
	}
	rows, err := d.reader.QueryContext(ctx, `SELECT version_id, is_applied FROM goose_db_version ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("read schema version: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	present := map[int64]bool{}
	for rows.Next() {
		var version int64
		var there sql.NullBool
		if err := rows.Scan(&version, &there); err != nil {
			return nil, fmt.Errorf("read schema version: %w", err)
		}
		present[version] = there.Bool
	}
	for version, there := range present {
		if there && version > 0 { // goose begins with a version 0 of its own
			found = append(found, version)
		}
	}
	slices.Sort(found)
	return found, during("read schema version", rows.Err())
}

// CheckSchema returns a SchemaError when the store has steps that this build does not have. Open calls it; a server
// calls it again while it runs, since a newer build may migrate the store meanwhile.
func (d *Database) CheckSchema(ctx context.Context) error {
	known, unknown, _, err := d.compareSchema(ctx)
	if err != nil || len(unknown) == 0 {
		return err
	}
	return &SchemaError{Store: max(unknown[len(unknown)-1], known), Known: known, Unknown: unknown}
}

// RequireSchema returns a BehindError when the store lacks steps of this build. It is for commands that only read, and
// so do not migrate.
func (d *Database) RequireSchema(ctx context.Context) error {
	_, _, missing, err := d.compareSchema(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	return &BehindError{Missing: missing}
}

// compareSchema returns the newest step of this build, the store's steps that this build lacks, and the other way round.
func (d *Database) compareSchema(ctx context.Context) (known int64, unknown, missing []int64, err error) {
	own, err := steps()
	if err != nil {
		return 0, nil, nil, err
	}
	found, err := d.applied(ctx)
	if err != nil {
		return 0, nil, nil, err
	}
	unknown = slices.DeleteFunc(slices.Clone(found), func(v int64) bool { return slices.Contains(own, v) })
	missing = slices.DeleteFunc(slices.Clone(own), func(v int64) bool { return slices.Contains(found, v) })
	return own[len(own)-1], unknown, missing, nil
}
