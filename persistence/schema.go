package persistence

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// SchemaError reports that another build has migrated the store to a schema that is unknown to this build. The store must be
// neither read nor written: columns may have another meaning.
type SchemaError struct {
	// Store is the newest step of the store, Known the newest of this build.
	Store, Known int64
	// Unknown are the steps of the store that are missing in this build, ascending.
	Unknown []int64
}

// Error returns both versions.
func (e *SchemaError) Error() string {
	return fmt.Sprintf("the store has schema version %d (unknown here: %v), and this build of equity knows versions up to %d: start the build that migrated the store, or a newer one",
		e.Store, e.Unknown, e.Known)
}

// BehindError reports that the store lacks migrations required by this build.
type BehindError struct{ Missing []int64 }

// Error returns the missing steps and the command that applies them.
func (e *BehindError) Error() string {
	return fmt.Sprintf("the store lacks the schema versions %v that this build needs: run 'equity migrate', or start the server", e.Missing)
}

// steps returns the versions of the embedded migrations in ascending order.
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

// applied returns the versions applied to the store in ascending order.
func (d *Database) applied(ctx context.Context) (found []int64, err error) {
	query := `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`
	if d.engine == PostgreSQL {
		query = `SELECT COUNT(*) FROM pg_class WHERE oid = to_regclass('goose_db_version')`
	}
	var tables int
	if err := d.reader.QueryRowContext(ctx, query).Scan(&tables); err != nil || tables == 0 {
		return nil, during("read schema version", err)
	}
	present := map[int64]bool{}
	err = each(ctx, d.reader, "read schema version", func(row Row) error {
		var version int64
		var applied sql.NullBool
		err := row.Scan(&version, &applied)
		present[version] = applied.Bool
		return err
	}, `SELECT version_id, is_applied FROM goose_db_version ORDER BY id`)
	for version, applied := range present {
		if applied && version > 0 { // goose inserts a version 0
			found = append(found, version)
		}
	}
	slices.Sort(found)
	return found, err
}

// CheckSchema returns a SchemaError if the store has steps that are missing in this build. Open calls it; a running server
// calls it again, because a newer build may migrate the store meanwhile.
func (d *Database) CheckSchema(ctx context.Context) error {
	known, unknown, _, err := d.compareSchema(ctx)
	if err != nil || len(unknown) == 0 {
		return err
	}
	return &SchemaError{Store: max(unknown[len(unknown)-1], known), Known: known, Unknown: unknown}
}

// RequireSchema returns a BehindError if the store lacks steps of this build. It is for read-only commands,
// which do not migrate.
func (d *Database) RequireSchema(ctx context.Context) error {
	_, _, missing, err := d.compareSchema(ctx)
	if err != nil || len(missing) == 0 {
		return err
	}
	return &BehindError{Missing: missing}
}

// compareSchema returns the newest step of this build, the steps missing in this build, and the steps missing in the store.
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
