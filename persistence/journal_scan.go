package persistence

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"equity/messages"
	"equity/organization"
)

// A batch of a scan ends at either limit. This bounds its memory. No
// connection is in use while each runs.
const (
	scanRowsAtOnce  = 1000
	scanBytesAtOnce = 1 << 20
)

// errBatchFull ends a batch at its limit of bytes.
var errBatchFull = errors.New("the batch is full")

// Scan calls each for the organization's rows with sequences greater than after and at most upTo, in ascending order. If
// upTo is 0, it reads to the end. Rows are read in batches: memory is bounded, and no connection is in use while each
// runs. Rows stay valid after each returns. An error of each ends the scan and is returned unchanged.
func (j *Journal) Scan(
	ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error,
) error {
	if upTo == 0 || upTo > math.MaxInt64 {
		upTo = math.MaxInt64
	}
	for after < upTo {
		var batch []messages.Row
		var more bool
		err := j.complete(ctx, id, func() (found bool, err error) {
			batch, more, err = j.scanBatch(ctx, id, after, upTo)
			return len(batch) > 0, err
		})
		if err != nil {
			return err
		}
		for i := range batch {
			if err := each(batch[i]); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
		after = batch[len(batch)-1].Sequence
	}
	return nil
}

// scanBatch reads the rows following after. It returns more if further rows may exist.
func (j *Journal) scanBatch(ctx context.Context, id organization.ID, after, upTo uint64) (batch []messages.Row, more bool, err error) {
	const query = `SELECT ` + rowColumns + ` FROM journal
		WHERE organization = $1 AND sequence > $2 AND sequence <= $3` + notPacked + ` ORDER BY sequence LIMIT $4`
	arguments := []any{id[:], int64(after), int64(upTo), scanRowsAtOnce} //nolint:gosec // bounded by Scan
	size := 0
	add := func(row messages.Row) error {
		batch = append(batch, row)
		if size += len(row.Payload); size >= scanBytesAtOnce {
			return errBatchFull
		}
		return nil
	}
	if j.db.pool != nil {
		err = j.scanPostgres(ctx, id, query, arguments, add)
	} else {
		var rows *sql.Rows
		if rows, err = j.db.reader.QueryContext(ctx, query, arguments...); err != nil {
			return nil, false, fmt.Errorf("scan %s: %w", id, unreadable(err))
		}
		err = scanRows(rows, id, add)
	}
	if errors.Is(err, errBatchFull) {
		return batch, true, nil
	}
	return batch, len(batch) == scanRowsAtOnce, err
}

// scanRows calls each for the rows of a query of rowColumns, and closes the query.
func scanRows(rows *sql.Rows, id organization.ID, each func(messages.Row) error) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	var copies keeper
	var by, kind, key, fingerprint, payload, previous, hash sql.RawBytes
	for rows.Next() {
		var sequence, recorded int64
		err := rows.Scan(&sequence, &recorded, &by, &kind, &payload, &key, &fingerprint, &previous, &hash)
		if err != nil {
			return fmt.Errorf("scan %s: %w", id, unreadable(err))
		}
		row := messages.Row{
			Organization: id, Sequence: uint64(sequence), //nolint:gosec // checked to be positive by the schema
			RecordedAt: moment(recorded), By: copies.name(by), Type: copies.name(kind), Payload: copies.bytes(payload),
			IdempotencyKey: string(key), Fingerprint: string(fingerprint),
		}
		copy(row.PreviousHash[:], previous)
		copy(row.Hash[:], hash)
		if err := each(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("scan %s: %w", id, unreadable(err))
	}
	return nil
}

// scanPostgres reads PostgreSQL's binary rows directly from the connection's buffer, without boxing or double conversion.
func (j *Journal) scanPostgres(
	ctx context.Context, id organization.ID, query string, arguments []any, each func(messages.Row) error,
) error {
	binaryRows := pgx.QueryResultFormats{pgx.BinaryFormatCode}
	limited, answered := j.db.reader.limited(ctx)
	rows, err := j.db.pool.Query(limited, query, append([]any{binaryRows}, arguments...)...)
	answered()
	if err != nil {
		return fmt.Errorf("scan %s: %w", id, unreadable(err))
	}
	defer rows.Close()
	var copies keeper
	for rows.Next() {
		value := rows.RawValues()
		row := messages.Row{
			Organization: id, Sequence: binary.BigEndian.Uint64(value[0]),
			RecordedAt: moment(int64(binary.BigEndian.Uint64(value[1]))), //nolint:gosec // the same 64 bits
			By:         copies.name(value[2]), Type: copies.name(value[3]), Payload: copies.bytes(value[4]),
			IdempotencyKey: string(value[5]), Fingerprint: string(value[6]),
		}
		copy(row.PreviousHash[:], value[7])
		copy(row.Hash[:], value[8])
		if err := each(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("scan %s: %w", id, unreadable(err))
	}
	return nil
}

// The block size of a keeper and the limit of its names.
const (
	keeperBlock = 32 << 10
	keeperNames = 1024
)

// keeper copies data out of the driver's buffers: payloads into shared blocks, so that rows need no allocation of their own,
// and each repeated name (types and authors) once.
type keeper struct {
	block []byte
	names map[string]string
}

func (k *keeper) bytes(value []byte) []byte {
	if len(value) > keeperBlock/4 {
		return append([]byte(nil), value...)
	}
	if len(value) > cap(k.block)-len(k.block) {
		k.block = make([]byte, 0, keeperBlock)
	}
	start := len(k.block)
	k.block = append(k.block, value...)
	return k.block[start:len(k.block):len(k.block)]
}

func (k *keeper) name(value []byte) string {
	if name, known := k.names[string(value)]; known {
		return name
	}
	if k.names == nil || len(k.names) >= keeperNames {
		k.names = map[string]string{}
	}
	name := string(value)
	k.names[name] = name
	return name
}
