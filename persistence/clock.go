package persistence

import (
	"context"
	"time"
)

// KnownMoment returns the last stored time of a trusted server clock. Before the first one it returns the time of the
// latest row of all journals. It returns the zero time for an empty store.
func (d *Database) KnownMoment(ctx context.Context) (time.Time, error) {
	const operation = "read the last known time"
	var known time.Time
	found, err := scanRow(d.reader.QueryRowContext(ctx, `SELECT known_at FROM clock_reading`), operation, IntoTime(&known))
	if err == nil && !found {
		_, err = scanRow(d.reader.QueryRowContext(ctx, `SELECT MAX(recorded_at) FROM journal_head`), operation, IntoTime(&known))
	}
	return known, err
}

// SetKnownMoment stores the time of a trusted server clock.
func (d *Database) SetKnownMoment(ctx context.Context, now time.Time) error {
	return Execute(ctx, d.writer, "store the last known time", `INSERT INTO clock_reading (id, known_at) VALUES (1, $1)
		ON CONFLICT (id) DO UPDATE SET known_at = excluded.known_at`, Micros(now))
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
