package persistence

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/jackc/pgx/v5"

	"equity/messages"
	"equity/organization"
)

// snapshotStride is the approximate number of events between the older snapshots, which bounds the events replayed
// for a past state.
const snapshotStride = 50_000

// SaveSnapshot stores a snapshot of an organization. It keeps the newest earlier snapshot, in case this one is
// unreadable, and about one per 50,000 events.
func (j *Journal) SaveSnapshot(ctx context.Context, id organization.ID, snapshot messages.Snapshot) error {
	sequence := snapshot.Sequence
	return j.db.Transact(ctx, func(tx *sql.Tx) error {
		err := Execute(ctx, tx, fmt.Sprintf("save snapshot of %s at %d", id, sequence), `INSERT INTO snapshot
			(organization, sequence, state, hash) VALUES ($1, $2, $3, $4)
			ON CONFLICT (organization, sequence) DO UPDATE SET state = excluded.state, hash = excluded.hash`,
			id[:], int64(sequence), []byte(snapshot.State), snapshot.Hash[:]) //nolint:gosec // far below 2^63
		if err != nil {
			return err
		}
		// The newest two and the first of each stride are kept. The first stride needs no snapshot: it is replayed from the start.
		return Execute(ctx, tx, fmt.Sprintf("drop old snapshots of %s", id), `DELETE FROM snapshot WHERE organization = $1
			AND sequence < (SELECT MIN(sequence) FROM
				(SELECT sequence FROM snapshot WHERE organization = $1 ORDER BY sequence DESC LIMIT 2) AS newest)
			AND (sequence < $2 OR EXISTS (SELECT 1 FROM snapshot AS older WHERE older.organization = $1
				AND older.sequence < snapshot.sequence AND older.sequence / $2 = snapshot.sequence / $2))`,
			id[:], int64(snapshotStride))
	})
}

// LoadSnapshot returns the newest snapshot with a sequence of at most atMost, or the newest of all if that is 0. Without a
// snapshot its sequence is 0 and the journal is replayed from the start.
func (j *Journal) LoadSnapshot(ctx context.Context, id organization.ID, atMost uint64) (messages.Snapshot, error) {
	if atMost == 0 || atMost > math.MaxInt64 {
		atMost = math.MaxInt64
	}
	if j.db.pool != nil {
		found, err := j.loadSnapshotPieces(ctx, id, int64(atMost))
		if err != nil {
			return messages.Snapshot{}, fmt.Errorf("load snapshot of %s: %w", id, unreadable(err))
		}
		return found, nil
	}
	var found messages.Snapshot
	var hash []byte
	err := j.db.reader.QueryRowContext(ctx, `SELECT sequence, state, hash FROM snapshot
		WHERE organization = $1 AND sequence <= $2 ORDER BY sequence DESC LIMIT 1`,
		id[:], int64(atMost)).Scan(&found.Sequence, &found.State, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return messages.Snapshot{}, nil
	}
	if err != nil {
		return messages.Snapshot{}, fmt.Errorf("load snapshot of %s: %w", id, unreadable(err))
	}
	copy(found.Hash[:], hash)
	return found, nil
}

// snapshotPiece is the size of the pieces in which a snapshot is read from PostgreSQL, in bytes.
const snapshotPiece = 1 << 20

// loadSnapshotPieces reads the snapshot as rows of one query. PostgreSQL reads the next piece while one is received, and each is
// copied once, from the buffer of the connection. As one value, a large snapshot is copied four times.
func (j *Journal) loadSnapshotPieces(ctx context.Context, id organization.ID, atMost int64) (found messages.Snapshot, err error) {
	limited, answered := j.db.reader.limited(ctx)
	rows, err := j.db.pool.Query(limited, `SELECT newest.sequence, newest.hash, octet_length(newest.state),
			substring(newest.state FROM piece * $3::int + 1 FOR $3::int)
		FROM (SELECT sequence, hash, state FROM snapshot WHERE organization = $1 AND sequence <= $2 ORDER BY sequence DESC LIMIT 1) AS newest,
			generate_series(0, (octet_length(newest.state) - 1) / $3::int) AS piece ORDER BY piece`,
		pgx.QueryResultFormats{pgx.BinaryFormatCode}, id[:], atMost, snapshotPiece)
	answered()
	if err != nil {
		return found, err
	}
	defer rows.Close()
	var state strings.Builder
	for rows.Next() {
		value := rows.RawValues()
		if found.Sequence == 0 {
			found.Sequence = binary.BigEndian.Uint64(value[0])
			copy(found.Hash[:], value[1])
			state.Grow(int(binary.BigEndian.Uint32(value[2])))
		}
		state.Write(value[3])
	}
	found.State = state.String()
	return found, rows.Err()
}
