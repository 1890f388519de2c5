package main

import (
	"context"
	"errors"
	"fmt"

	"equity/config"
	"equity/persistence"
)

// migrateCommand is `equity migrate`.
type migrateCommand struct {
	DatabaseURL string `name:"database-url" help:"Database to migrate instead of DATABASE_URL." placeholder:"URL"`
	NewStore    bool   `help:"Create a new SQLite store although DATA_DIRECTORY contains files or a secret key of an earlier one."`
}

// Help is shown by `equity migrate --help`.
func (migrateCommand) Help() string {
	return `'equity serve' does the same at its start. Run it separately if the database user
of the server may not change tables, or to test a migration before a deployment.
Repeated and concurrent runs are safe.`
}

// Run migrates and prints the number of applied steps.
func (m migrateCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(map[string]string{"DATABASE_URL": m.DatabaseURL})
	if err != nil {
		return err
	}
	p.newStore = m.NewStore
	if err := p.refuseSecondStore(ctx, c, nil); err != nil {
		return err
	}
	return withDatabase(ctx, c, func(db *persistence.Database) error {
		if err := p.refuseSecondStore(ctx, c, db); err != nil {
			return err
		}
		steps, err := db.Migrate(ctx)
		if err != nil {
			return err
		}
		p.say("The database is up to date; applied steps: %d.", steps)
		return nil
	})
}

// maintenance returns the settings of a command that serves no requests. Its store calls may take longer.
func maintenance(c config.Config) config.Config {
	c.StoreTimeout = c.MaintenanceTimeout
	return c
}

// withDatabase runs the maintenance function use with the configured database and closes it.
func withDatabase(ctx context.Context, c config.Config, use func(*persistence.Database) error) (err error) {
	db, err := openDatabase(ctx, maintenance(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return use(db)
}

// withJournal runs use with the journal of an existing store, for read-only commands.
func withJournal(ctx context.Context, c config.Config, use func(*persistence.Database, *persistence.Journal) error) error {
	return withDatabase(ctx, c, func(db *persistence.Database) (err error) {
		if err := db.RequireSchema(ctx); err != nil {
			return err
		}
		journal := persistence.NewJournal(db)
		defer func() { err = errors.Join(err, journal.Close()) }()
		return use(db, journal)
	})
}

func openDatabase(ctx context.Context, c config.Config, options ...persistence.Option) (*persistence.Database, error) {
	options = append(options, persistence.WithConnections(c.DatabaseConnections), persistence.WithTimeout(c.StoreTimeout))
	db, err := persistence.Open(ctx, c.DatabaseURL.Reveal(), options...)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	return db, nil
}
