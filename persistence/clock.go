package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// KnownMoment returns the last moment that a server's clock showed and the server believed; before the first one, the
// moment of the latest row of any journal. It is zero in a store without either.
func (d *Database) KnownMoment(ctx context.Context) (time.Time, error) {
	var known sql.NullInt64
	err := d.reader.QueryRowContext(ctx, `SELECT known_at FROM clock_reading`).Scan(&known)
	if errors.Is(err, sql.ErrNoRows) {
		err = d.reader.QueryRowContext(ctx, `SELECT MAX(recorded_at) FROM journal_head`).Scan(&known)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("read the known moment: %w", err)
	}
	if !known.Valid {
		return time.Time{}, nil
	}
	return moment(known.Int64), nil
}

// SetKnownMoment stores the moment that a server's clock shows and the server believes.
func (d *Database) SetKnownMoment(ctx context.Context, now time.Time) error {
	_, err := affect(ctx, d.writer, "store the known moment", `INSERT INTO clock_reading (id, known_at) VALUES (1, $1)
		ON CONFLICT (id) DO UPDATE SET known_at = excluded.known_at`, micros(now))
	return err
}

// Clock returns the moment that the clock of the database server shows; zero on SQLite, which has none of its own.
func (d *Database) Clock(ctx context.Context) (time.Time, error) {
	var now time.Time
	if d.engine != PostgreSQL {
		return now, nil
	}
	err := d.reader.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&now)
	return now, during("read the database's clock", err)
}
