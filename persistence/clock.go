package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// KnownMoment returns the last stored time of a trusted server clock. Before the first one it returns the time of the
// latest row of all journals. It returns the zero time for an empty store.
func (d *Database) KnownMoment(ctx context.Context) (time.Time, error) {
	var known sql.NullInt64
	err := d.reader.QueryRowContext(ctx, `SELECT known_at FROM clock_reading`).Scan(&known)
	if errors.Is(err, sql.ErrNoRows) {
		err = d.reader.QueryRowContext(ctx, `SELECT MAX(recorded_at) FROM journal_head`).Scan(&known)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read the last known time: %w", err)
	}
	if !known.Valid {
		return time.Time{}, nil
	}
	return moment(known.Int64), nil
}

// SetKnownMoment stores the time of a trusted server clock.
func (d *Database) SetKnownMoment(ctx context.Context, now time.Time) error {
	_, err := affect(ctx, d.writer, "store the last known time", `INSERT INTO clock_reading (id, known_at) VALUES (1, $1)
		ON CONFLICT (id) DO UPDATE SET known_at = excluded.known_at`, micros(now))
	return err
}

// Clock returns the time of the database server, or the zero time on SQLite, which has no clock.
func (d *Database) Clock(ctx context.Context) (time.Time, error) {
	var now time.Time
	if d.engine != PostgreSQL {
		return now, nil
	}
	err := d.reader.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&now)
	return now, during("read the database's clock", err)
}
