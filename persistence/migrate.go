package persistence

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql migrations/postgresql/*.sql
var migrations embed.FS

// engineSteps returns the migrations of an engine. A file of migrations/postgresql replaces the shared step with its name.
func engineSteps(engine Engine) (fs.FS, error) {
	shared, err := fs.Sub(migrations, "migrations")
	if err != nil || engine != PostgreSQL {
		return shared, err
	}
	own, err := fs.Sub(shared, "postgresql")
	return replacing{shared, own}, err
}

// replacing is a file system in which files of own replace those of FS.
type replacing struct {
	fs.FS

	own fs.FS
}

// Open opens a file of own, or of FS if own has none. Folders are those of FS.
func (r replacing) Open(name string) (fs.File, error) {
	if name != "." {
		if file, err := r.own.Open(name); err == nil {
			return file, nil
		}
	}
	return r.FS.Open(name)
}

// Migrate updates the schema to the newest version and returns the number of applied steps. The steps are ordered,
// embedded and have the same numbers on both engines. Released steps never change. Servers that start
// together on one PostgreSQL migrate one after the other.
func (d *Database) Migrate(ctx context.Context) (applied int, err error) {
	if err := d.answers(ctx); err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	slow, closeSlow := slowPool(d)
	defer func() { err = errors.Join(err, closeSlow()) }()
	release, err := d.lockSchema(ctx, slow)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	if err := d.CheckSchema(ctx); err != nil { // again, with the lock
		return 0, fmt.Errorf("migrate: %w", err)
	}
	steps, err := engineSteps(d.engine)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	dialect := goose.DialectSQLite3
	if d.engine == PostgreSQL {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, slow, steps, goose.WithDisableGlobalRegistry(true),
		goose.WithAllowOutofOrder(true)) // a branch may be merged after a branch with a later step
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	if err := d.storeSnapshotsPlain(ctx); err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	return len(results), nil
}

// migrationTimeout limits one statement of a migration, which may rewrite a large table, and the wait for the migration of
// another server.
const migrationTimeout = 15 * time.Minute

// answers returns an error if the store does not answer within the limit of opening.
func (d *Database) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.answering)
	defer cancel()
	return d.Ready(ctx)
}

// slowPool returns a pool without the store timeout and its close function.
func slowPool(d *Database) (*sql.DB, func() error) {
	if d.engine != PostgreSQL {
		return d.writer.DB, func() error { return nil }
	}
	db := stdlib.OpenDB(*connectionTo(d.plain, max(d.limit, migrationTimeout)))
	return db, db.Close
}

// lockSchema locks the schema of this database and returns the function that releases the lock. On
// SQLite it takes the ownership of the file.
func (d *Database) lockSchema(ctx context.Context, slow *sql.DB) (release func() error, err error) {
	if d.engine != PostgreSQL {
		return d.ownToMigrate(ctx)
	}
	conn, err := slow.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock schema: %w", err)
	}
	const key = `hashtextextended('equity migrate ' || current_schema(), 0)`
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(`+key+`)`); err != nil {
		return nil, errors.Join(fmt.Errorf("lock schema: %w", err), conn.Close())
	}
	return func() error {
		// The lock is released even after ctx has ended. If the server does not answer, closing the connection releases it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.answering)
		defer cancel()
		_, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock(`+key+`)`)
		return errors.Join(err, conn.Close())
	}, nil
}

// storeSnapshotsPlain disables the compression of snapshots in PostgreSQL: they consist mostly of ids, which do not compress,
// and trying takes a second of CPU for a large organization. SQLite never compresses.
func (d *Database) storeSnapshotsPlain(ctx context.Context) error {
	if d.engine != PostgreSQL {
		return nil
	}
	var storage string
	err := d.reader.QueryRowContext(ctx, `SELECT attstorage::text FROM pg_attribute
		WHERE attrelid = 'snapshot'::regclass AND attname = 'state'`).Scan(&storage)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && storage == "e") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read storage of snapshots: %w", err)
	}
	return Execute(ctx, d.writer, "set storage of snapshots", `ALTER TABLE snapshot ALTER COLUMN state SET STORAGE EXTERNAL`)
}
