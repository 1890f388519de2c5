package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"equity/organization"
)

// snapshotStride is about how many events lie between the older snapshots that are kept, which bounds the events to
// replay for a view of the past.
const snapshotStride = 50_000

// SaveSnapshot keeps the state of an organization after the sequence, as opaque bytes. Of
// the older ones it keeps the newest, in case this one proves unreadable, and one for about every 50,000 events.
func (j *Journal) SaveSnapshot(
	ctx context.Context, id organization.ID, sequence uint64, state []byte,
) error {
	return j.db.Transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO snapshot (organization, sequence, state) VALUES ($1, $2, $3)
			ON CONFLICT (organization, sequence) DO UPDATE SET state = excluded.state`,
			id[:], int64(sequence), state) //nolint:gosec // far below 2^63
		if err != nil {
			return fmt.Errorf("save snapshot of %s at %d: %w", id, sequence, err)
		}
		// Kept are the newest two, and the first of each stride; the first stride needs none: it is replayed from nothing.
		_, err = tx.ExecContext(ctx, `DELETE FROM snapshot WHERE organization = $1
			AND sequence < (SELECT MIN(sequence) FROM
				(SELECT sequence FROM snapshot WHERE organization = $1 ORDER BY sequence DESC LIMIT 2) AS newest)
			AND (sequence < $2 OR EXISTS (SELECT 1 FROM snapshot AS older WHERE older.organization = $1
				AND older.sequence < snapshot.sequence AND older.sequence / $2 = snapshot.sequence / $2))`,
			id[:], int64(snapshotStride))
		if err != nil {
			return fmt.Errorf("drop old snapshots of %s: %w", id, err)
		}
		return nil
	})
}

// LoadSnapshot returns the newest state kept whose sequence is at most atMost, or the newest of all when that is 0.
// Sequence 0 and nil when there is none: the journal is replayed from its beginning.
func (j *Journal) LoadSnapshot(
	ctx context.Context, id organization.ID, atMost uint64,
) (sequence uint64, state []byte, err error) {
	if atMost == 0 || atMost > math.MaxInt64 {
		atMost = math.MaxInt64
	}
	err = j.db.reader.QueryRowContext(ctx, `SELECT sequence, state FROM snapshot
		WHERE organization = $1 AND sequence <= $2 ORDER BY sequence DESC LIMIT 1`,
		id[:], int64(atMost)).Scan(&sequence, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, fmt.Errorf("load snapshot of %s: %w", id, err)
	}
	return sequence, state, nil
}
