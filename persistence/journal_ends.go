package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"equity/messages"
	"equity/organization"
)

// journalEnds reads the ends of journals as recorded by the transactions of their appends.
type journalEnds struct{ db *Database }

// StoredHead returns the last row that was appended to the organization's journal, as recorded by the transaction of that
// append, or zero values. A journal that ends earlier has lost rows.
func (j journalEnds) StoredHead(ctx context.Context, id organization.ID) (uint64, messages.Hash, error) {
	var sequence uint64
	var stored []byte
	var hash messages.Hash
	err := j.db.reader.QueryRowContext(ctx, `SELECT sequence, hash FROM journal_head WHERE organization = $1`, id[:]).
		Scan(&sequence, &stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, hash, fmt.Errorf("stored head of %s: %w", id, unreadable(err))
	}
	copy(hash[:], stored)
	return sequence, hash, nil
}

// Heads returns the sequences of StoredHead for several organizations. Those without rows are absent.
func (j journalEnds) Heads(ctx context.Context, ids []organization.ID) (map[organization.ID]uint64, error) {
	found := make(map[organization.ID]uint64, len(ids))
	if j.db.pool == nil { // one server, so that the comparison is for tests
		for _, id := range ids {
			last, _, err := j.StoredHead(ctx, id)
			if err != nil {
				return nil, err
			}
			if last > 0 {
				found[id] = last
			}
		}
		return found, nil
	}
	keys := make([][]byte, len(ids))
	for i := range ids {
		keys[i] = ids[i][:]
	}
	ctx, cancel := context.WithTimeout(ctx, j.db.limit)
	defer cancel()
	rows, err := j.db.pool.Query(ctx, `SELECT organization, sequence FROM journal_head WHERE organization = ANY($1)`, keys)
	if err != nil {
		return nil, during("read heads", unreadable(err))
	}
	defer rows.Close()
	for rows.Next() {
		var key []byte
		var id organization.ID
		var last int64
		if err := rows.Scan(&key, &last); err != nil {
			return nil, during("read heads", unreadable(err))
		}
		copy(id[:], key)
		found[id] = uint64(max(last, 0))
	}
	return found, during("read heads", unreadable(rows.Err()))
}

// Confirm commits an empty message to the log of PostgreSQL. Its commit waits for the same standbys as an append, after all earlier ones: a commit
// whose wait for a synchronous standby was interrupted can be read before it has reached the standby.
func (j journalEnds) Confirm(ctx context.Context) error {
	if j.db.pool == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.db.limit)
	defer cancel()
	_, err := j.db.pool.Exec(ctx, `SELECT pg_logical_emit_message(TRUE, 'equity', '')`)
	return during("confirm rows", err)
}
