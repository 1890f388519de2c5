package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"equity/messages"
)

// insertion is the rows that a group adds to one table.
type insertion struct {
	into      string // table and columns
	columns   int
	conflict  string // the clause behind the values
	number    int    // of rows
	arguments func(i int) []any
}

// statement returns the statement for so many rows.
func (n insertion) statement(rows int) string {
	row := ", (" + strings.Repeat(", ?", n.columns)[2:] + ")"
	return "INSERT INTO " + n.into + " VALUES " + strings.Repeat(row, rows)[2:] + " " + n.conflict
}

// insertions are the rows for the index tables whose rows the bulk of an import adds, apart from resources.
func (x *indexes) insertions() []insertion {
	const ignore = "ON CONFLICT DO NOTHING"
	joined, held, written := x.memberships.added, x.stakes.added, x.written
	return []insertion{
		{"membership (user_id, organization)", 2, ignore, len(joined), func(i int) []any {
			return []any{joined[i].user[:], joined[i].organization[:]}
		}},
		{"person (entity, user_id)", 2, ignore, len(x.persons), func(i int) []any {
			return []any{x.persons[i].entity[:], x.persons[i].user[:]}
		}},
		{"stake (entity, organization)", 2, ignore, len(held), func(i int) []any {
			return []any{held[i].entity[:], held[i].organization[:]}
		}},
		{
			"particulars (organization, entity, field, value)", 4,
			"ON CONFLICT (organization, entity, field) DO UPDATE SET value = excluded.value", len(written), func(i int) []any {
				return []any{written[i].organization[:], written[i].entity[:], written[i].field, written[i].value}
			},
		},
	}
}

// deleteRows removes rows from the index tables.
func (x *indexes) deleteRows(ctx context.Context, tx *sql.Tx) error {
	for _, m := range x.memberships.removed {
		const leave = `DELETE FROM membership WHERE user_id = $1 AND organization = $2`
		if _, err := tx.ExecContext(ctx, leave, m.user[:], m.organization[:]); err != nil {
			return err
		}
	}
	for _, k := range x.stakes.removed {
		const release = `DELETE FROM stake WHERE entity = $1 AND organization = $2`
		if _, err := tx.ExecContext(ctx, release, k.entity[:], k.organization[:]); err != nil {
			return err
		}
	}
	for _, p := range x.erased {
		const erase = `DELETE FROM particulars WHERE organization = $1 AND entity = $2 AND field = $3`
		if _, err := tx.ExecContext(ctx, erase, p.organization[:], p.entity[:], p.field); err != nil {
			return err
		}
	}
	return nil
}

// insertBeside inserts the sealed values and the alarms.
func (x *indexes) insertBeside(ctx context.Context, tx *sql.Tx) error {
	for i := range x.sealed {
		if _, err := tx.ExecContext(ctx, putSealed, x.sealed[i].arguments()...); err != nil {
			return err
		}
	}
	for i := range x.alarms {
		if _, err := tx.ExecContext(ctx, putAlarm, x.alarms[i].arguments()...); err != nil {
			return err
		}
	}
	return nil
}

func (h *headRow) arguments() []any {
	return []any{h.organization[:], int64(h.sequence), h.hash[:], h.recorded} //nolint:gosec // counts from 1
}

func rowArguments(r *messages.Row) []any {
	sequence := int64(r.Sequence) //nolint:gosec // counts from 1
	return []any{
		r.Organization[:], sequence, Micros(r.RecordedAt), r.By, r.Type, payloadOf(r), r.IdempotencyKey, r.Fingerprint,
		r.PreviousHash[:], r.Hash[:],
	}
}

// rowsPerStatement is the number of rows that one statement of a bulk inserts. One call of the driver for many rows costs
// about a third of one call for each row.
const rowsPerStatement = 16

// insertBulk inserts the append in slices, with statements of many rows, and its packs.
func insertBulk(ctx context.Context, tx *sql.Tx, batch messages.Append) error {
	batch.Pack()
	for _, slice := range sliced(batch) {
		if err := insertSlice(ctx, tx, slice); err != nil {
			return err
		}
	}
	packs := insertion{
		into:    "journal_pack (organization, first_sequence, recorded_at, previous_hash, last_hash, content)",
		columns: 6, number: len(batch.Packs), arguments: func(i int) []any {
			pack := &batch.Packs[i]
			first, last := &batch.Rows[pack.From], &batch.Rows[pack.From+pack.Rows-1]
			sequence := int64(first.Sequence) //nolint:gosec // counts from 1
			return []any{first.Organization[:], sequence, Micros(first.RecordedAt), first.PreviousHash[:], last.Hash[:], pack.Content}
		},
	}
	return refusalOf(packs.insert(ctx, tx))
}

// insertJournal inserts rows of a bulk.
func insertJournal(ctx context.Context, tx *sql.Tx, rows []messages.Row) error {
	return insertion{
		into:    `journal (organization, sequence, recorded_at, actor, type, payload, idempotency_key, fingerprint, previous_hash, hash)`,
		columns: 10, number: len(rows), arguments: func(i int) []any { return rowArguments(&rows[i]) },
	}.insert(ctx, tx)
}

// insertResources inserts located records of a bulk.
func insertResources(ctx context.Context, tx *sql.Tx, rows []resourceRow) error {
	return insertion{"resource (id, organization, kind)", 3, "ON CONFLICT DO NOTHING", len(rows), func(i int) []any {
		return []any{rows[i].id[:], rows[i].organization[:], rows[i].kind}
	}}.insert(ctx, tx)
}

// refusalOf classifies an error of an insertion into a table with sequences.
func refusalOf(err error) error {
	switch {
	case err == nil:
		return nil
	case IsDuplicate(err):
		return fmt.Errorf("%w: %w", messages.ErrFenced, err)
	default:
		return fmt.Errorf("%w: %w", messages.ErrNotStored, err)
	}
}

func insertSlice(ctx context.Context, tx *sql.Tx, slice messages.Append) error {
	if err := refusalOf(insertJournal(ctx, tx, slice.Rows)); err != nil {
		return err
	}
	x := indexesOf([]messages.Append{slice})
	if err := insertResources(ctx, tx, x.resources); err != nil {
		return fmt.Errorf("%w: indexes: %w", messages.ErrNotStored, err)
	}
	for _, table := range x.insertions() {
		if err := table.insert(ctx, tx); err != nil {
			return fmt.Errorf("%w: indexes: %w", messages.ErrNotStored, err)
		}
	}
	err := x.deleteRows(ctx, tx)
	for i := range x.heads {
		if err == nil {
			_, err = tx.ExecContext(ctx, putHead, x.heads[i].arguments()...)
		}
	}
	if err == nil {
		err = x.insertBeside(ctx, tx)
	}
	if err != nil {
		return fmt.Errorf("%w: indexes: %w", messages.ErrNotStored, err)
	}
	return nil
}

// insert inserts the rows, many with each statement.
func (n insertion) insert(ctx context.Context, tx *sql.Tx) (err error) {
	if n.number == 0 {
		return nil
	}
	many, err := tx.PrepareContext(ctx, n.statement(rowsPerStatement))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, many.Close()) }()
	arguments := make([]any, 0, rowsPerStatement*n.columns)
	for from := 0; from < n.number && err == nil; from += rowsPerStatement {
		rows := min(rowsPerStatement, n.number-from)
		arguments = arguments[:0]
		for i := range rows {
			arguments = append(arguments, n.arguments(from+i)...)
		}
		if rows == rowsPerStatement {
			_, err = many.ExecContext(ctx, arguments...)
		} else {
			_, err = tx.ExecContext(ctx, n.statement(rows), arguments...)
		}
	}
	return err
}
