package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// together runs the changes in one transaction. On PostgreSQL it sends all of them with the commit at once, so that a process that is cut off
// holds no row while the server waits for its next statement. Errors are those of [Database.Transact], or the refusal of a change that changed
// no row. Each statement sees what other transactions have committed before it, also those that it waited for.
func (d *Database) together(ctx context.Context, changes ...change) error {
	if len(changes) == 0 {
		return nil
	}
	if d.engine != PostgreSQL {
		return d.Transact(ctx, func(tx *sql.Tx) error { return apply(ctx, tx, changes...) })
	}
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	err := pipeline(ctx, d.pool, changes)
	for attempt := 1; attempt < maxFreshConnections && pgconn.SafeToRetry(err); attempt++ {
		err = pipeline(ctx, d.pool, changes)
	}
	noteChange(ctx, err)
	return err
}

// divisionByZero is the error of PostgreSQL by which a change that must change a row undoes its batch.
const divisionByZero = "22012"

// pipeline sends the changes as one batch, which PostgreSQL runs as a transaction.
func pipeline(ctx context.Context, pool *pgxpool.Pool, changes []change) error {
	batch := &pgx.Batch{}
	for _, one := range changes {
		if one.refused != nil && len(changes) > 1 {
			one.statement = `WITH changed AS (` + one.statement + ` RETURNING 1) SELECT 1 / COUNT(*) FROM changed`
		}
		batch.Queue(one.statement, one.arguments...)
	}
	results := pool.SendBatch(ctx, batch)
	for _, one := range changes {
		result, err := results.Exec()
		if err == nil && (one.refused == nil || result.RowsAffected() > 0) {
			continue
		}
		_ = results.Close() // repeats the error
		if err == nil {
			return one.refused
		}
		if fault, ok := errors.AsType[*pgconn.PgError](err); ok && fault.Code == divisionByZero && one.refused != nil {
			return one.refused
		}
		return fmt.Errorf("%s: %w", one.operation, statementFailure(err))
	}
	return during("commit", commitFailure(results.Close()))
}

// decided runs a change that is decided by records that were read before. It is decided again while another process changes them in between,
// which each time has stored something, within the store timeout.
func (d *Database) decided(ctx context.Context, decide func(ctx context.Context) ([]change, error)) error {
	ctx, cancel := context.WithTimeout(ctx, d.limit)
	defer cancel()
	for {
		changes, err := decide(ctx)
		if err == nil && len(changes) > 0 {
			err = d.together(ctx, changes...)
		}
		if !errors.Is(err, errMoved) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", err, ctx.Err())
		}
	}
}
