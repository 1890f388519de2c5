package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// rowColumns are the columns of a row in scan order, without the organization.
const rowColumns = `sequence, recorded_at, actor, type, payload, idempotency_key, fingerprint, previous_hash, hash`

// Head returns the sequence and hash of the organization's last row, or zero values without rows.
func (j *Journal) Head(ctx context.Context, id organization.ID) (uint64, messages.Hash, error) {
	var sequence int64
	var stored []byte
	var hash messages.Hash
	err := j.db.reader.QueryRowContext(ctx,
		`SELECT sequence, hash FROM journal WHERE organization = $1 ORDER BY sequence DESC LIMIT 1`, id[:],
	).Scan(&sequence, &stored)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, hash, fmt.Errorf("head of %s: %w", id, unreadable(err))
	}
	copy(hash[:], stored)
	return uint64(sequence), hash, nil //nolint:gosec // checked to be positive by the schema
}

// keysOfRows is the number of latest rows whose idempotency keys are read regardless of their age.
const keysOfRows = 1000

// Keys calls each for the rows with an idempotency key that were recorded at or after since or are among the last
// thousand, in ascending order.
func (j *Journal) Keys(
	ctx context.Context, id organization.ID, since time.Time,
	each func(key, fingerprint string, sequence uint64) error,
) error {
	return j.complete(ctx, id, func() (found bool, err error) {
		err = j.keys(ctx, id, since, func(key, fingerprint string, sequence uint64) error {
			found = true
			return each(key, fingerprint, sequence)
		})
		return found, err
	})
}

func (j *Journal) keys(
	ctx context.Context, id organization.ID, since time.Time,
	each func(key, fingerprint string, sequence uint64) error,
) (err error) {
	rows, err := j.db.reader.QueryContext(ctx, `SELECT idempotency_key, fingerprint, sequence FROM journal
		WHERE organization = $1 AND recorded_at >= $2 AND idempotency_key <> ''`+notPacked+`
		UNION SELECT idempotency_key, fingerprint, sequence FROM journal
		WHERE organization = $1 AND idempotency_key <> ''
			AND sequence > (SELECT COALESCE(MAX(sequence), 0) FROM journal WHERE organization = $1) - $3`+notPacked+`
		ORDER BY sequence`, id[:], Micros(since), keysOfRows)
	if err != nil {
		return fmt.Errorf("keys of %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var key, fingerprint string
		var sequence uint64
		if err := rows.Scan(&key, &fingerprint, &sequence); err != nil {
			return fmt.Errorf("keys of %s: %w", id, unreadable(err))
		}
		if err := each(key, fingerprint, sequence); err != nil {
			return err
		}
	}
	return unreadable(rows.Err())
}

// Page returns at most query.Limit rows that match the query in descending order, starting before query.Before or, if that
// is 0, with the newest row. An empty Type, By or Origin matches all rows.
func (j *Journal) Page(
	ctx context.Context, id organization.ID, query messages.JournalQuery,
) (page []messages.Row, err error) {
	before := query.Before
	if before == 0 || before > math.MaxInt64 {
		before = math.MaxInt64
	}
	var where strings.Builder
	arguments := []any{id[:], int64(before), query.Limit}
	narrow := func(column, value string) {
		if value != "" {
			arguments = append(arguments, value)
			where.WriteString(` AND ` + column + ` = $` + strconv.Itoa(len(arguments)))
		}
	}
	narrow("type", query.Type)
	narrow("actor", query.By)
	if query.Origin != "" {
		prefix := messages.OriginPrefix(query.Origin)
		arguments = append(arguments, prefix)
		where.WriteString(` AND substr(payload, 1, ` + strconv.Itoa(len(prefix)) + `) = $` + strconv.Itoa(len(arguments)))
	}
	text := `SELECT ` + rowColumns + ` FROM journal
		WHERE organization = $1 AND sequence < $2` + where.String() + notPacked + ` ORDER BY sequence DESC LIMIT $3`
	err = j.complete(ctx, id, func() (found bool, err error) {
		rows, err := j.db.reader.QueryContext(ctx, text, arguments...)
		if err != nil {
			return false, err
		}
		err = scanRows(rows, id, func(row messages.Row) error {
			page = append(page, row)
			return nil
		})
		return len(page) > 0, err
	})
	if err != nil {
		return nil, fmt.Errorf("page of %s: %w", id, err)
	}
	return page, nil
}

// SequenceAt returns the sequence of the last row recorded at or before t, or 0. The times of a journal never
// decrease, so a binary search in one round trip reads log2(n) rows and needs no index.
func (j *Journal) SequenceAt(ctx context.Context, id organization.ID, t time.Time) (uint64, error) {
	var sequence uint64
	err := j.complete(ctx, id, func() (found bool, err error) {
		err = j.db.reader.QueryRowContext(ctx, `WITH RECURSIVE search (low, high) AS (
			SELECT CAST(0 AS BIGINT), CAST(COALESCE(MAX(sequence), 0) AS BIGINT) FROM journal WHERE organization = $1`+notPacked+`
			UNION ALL
			SELECT CASE WHEN journal.recorded_at <= $2 THEN journal.sequence ELSE search.low END,
			       CASE WHEN journal.recorded_at <= $2 THEN search.high ELSE journal.sequence - 1 END
			FROM search JOIN journal
			  ON journal.organization = $1 AND journal.sequence = (search.low + search.high + 1) / 2
			WHERE search.low < search.high)
		SELECT MAX(low) FROM search`, id[:], Micros(t)).Scan(&sequence)
		return sequence > 0, err
	})
	if err != nil {
		return 0, fmt.Errorf("sequence of %s at %s: %w", id, t.Format(time.RFC3339), unreadable(err))
	}
	return sequence, nil
}

// Organizations calls each for every organization with a journal, in ascending order of ids. It reads one row
// per organization, regardless of the length of the journals.
func (j *Journal) Organizations(ctx context.Context, each func(organization.ID) error) error {
	var last organization.ID
	for first := true; ; first = false {
		comparison := `>`
		if first {
			comparison = `>=`
		}
		var found []byte
		err := j.db.reader.QueryRowContext(ctx, `SELECT organization FROM journal
			WHERE organization `+comparison+` $1 ORDER BY organization LIMIT 1`, last[:]).Scan(&found)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list organizations: %w", err)
		}
		copy(last[:], found)
		if err := each(last); err != nil {
			return err
		}
	}
}
