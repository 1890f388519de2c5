package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// ErrJournalChanged reports that rows were appended after the journal was read. Nothing was rebuilt.
var ErrJournalChanged = errors.New("the journal has grown since it was read")

// Rebuild replaces the derived tables of the organization and removes the listed snapshots, in one transaction. It never
// changes the journal. Content must belong to the head that it contains. Appends are blocked meanwhile.
func (j *Journal) Rebuild(ctx context.Context, content Derived, snapshots []uint64) error {
	id := content.Head.Organization
	return j.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := j.db.blockAppends(ctx, tx); err != nil {
			return err
		}
		var last int64
		err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(sequence), 0) FROM journal WHERE organization = $1`, id[:]).Scan(&last)
		if err != nil {
			return fmt.Errorf("rebuild %s: %w", id, err)
		}
		if uint64(last) != content.Head.Sequence { //nolint:gosec // never negative
			return ErrJournalChanged
		}
		if err := fill(ctx, tx, id, content); err != nil {
			return fmt.Errorf("rebuild %s: %w", id, err)
		}
		for _, sequence := range snapshots {
			err := Execute(ctx, tx, "remove snapshot", `DELETE FROM snapshot WHERE organization = $1 AND sequence = $2`,
				id[:], int64(sequence)) //nolint:gosec // read from the table
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// blockAppends blocks appends until the transaction ends. SQLite has one writer in any case.
func (d *Database) blockAppends(ctx context.Context, tx *sql.Tx) error {
	if d.engine != PostgreSQL {
		return nil
	}
	return Execute(ctx, tx, "hold appends", `LOCK TABLE journal_head IN SHARE ROW EXCLUSIVE MODE`)
}

// fill replaces the organization's rows of the derived tables.
func fill(ctx context.Context, tx *sql.Tx, id organization.ID, content Derived) error {
	var failed error
	run := func(statement string, arguments ...any) {
		if failed == nil {
			_, failed = tx.ExecContext(ctx, statement, arguments...)
		}
	}
	run(`DELETE FROM resource WHERE organization = $1`, id[:])
	run(`DELETE FROM membership WHERE organization = $1`, id[:])
	run(`DELETE FROM stake WHERE organization = $1`, id[:])
	run(`DELETE FROM journal_head WHERE organization = $1`, id[:])
	var resources, members, holders [][]any
	for key, kind := range content.Resources {
		resources = append(resources, []any{key[:], id[:], kind})
	}
	for user := range content.Members {
		members = append(members, []any{user[:], id[:]})
	}
	for entity := range content.Holders {
		holders = append(holders, []any{entity[:], id[:]})
	}
	const replace = ` ON CONFLICT (id) DO UPDATE SET organization = excluded.organization, kind = excluded.kind`
	insertRows(run, `resource (id, organization, kind)`, replace, resources)
	insertRows(run, `membership (user_id, organization)`, ``, members)
	insertRows(run, `stake (entity, organization)`, ``, holders)
	if head := content.Head; head.Sequence > 0 {
		run(putHead, id[:], int64(head.Sequence), head.Hash[:], Micros(head.RecordedAt)) //nolint:gosec // counts from 1
	}
	return failed
}

// rowsOfRebuild is the number of rows that one statement of a rebuild inserts. Appends wait for a rebuild, and one
// statement for each row would hold them up for longer.
const rowsOfRebuild = 500

// insertRows inserts the rows into the table. The clause follows the values.
func insertRows(run func(statement string, arguments ...any), table, clause string, rows [][]any) {
	for chunk := range slices.Chunk(rows, rowsOfRebuild) {
		var values strings.Builder
		var arguments []any
		for _, row := range chunk {
			for i, value := range row {
				arguments = append(arguments, value)
				separator := `, `
				switch {
				case i == 0 && len(arguments) == 1:
					separator = `(`
				case i == 0:
					separator = `), (`
				}
				values.WriteString(separator + `$` + strconv.Itoa(len(arguments)))
			}
		}
		run(`INSERT INTO `+table+` VALUES `+values.String()+`)`+clause, arguments...)
	}
}

// SetPerson assigns an entity to an account. The zero user removes the row, and rows with invalid keys.
func (j *Journal) SetPerson(ctx context.Context, entity captable.EntityID, user organization.UserID) error {
	if user.IsZero() {
		return Execute(ctx, j.db.writer, "remove person", `DELETE FROM person WHERE entity = $1 OR length(entity) <> 16`, entity[:])
	}
	return Execute(ctx, j.db.writer, "state person", `INSERT INTO person (entity, user_id) VALUES ($1, $2)
		ON CONFLICT (entity) DO UPDATE SET user_id = excluded.user_id`, entity[:], user[:])
}

// RebuildIndexes rebuilds the indexes of an SQLite file. On PostgreSQL this is the operator's task.
func (d *Database) RebuildIndexes(ctx context.Context) error {
	if d.engine != SQLite {
		return nil
	}
	return Execute(ctx, d.writer, "rebuild indexes", `REINDEX`)
}

// SnapshotAt returns the snapshot with exactly that sequence.
func (j *Journal) SnapshotAt(ctx context.Context, id organization.ID, sequence uint64) (messages.Snapshot, error) {
	found, err := j.LoadSnapshot(ctx, id, max(sequence, 1))
	if err == nil && found.Sequence != sequence {
		err = fmt.Errorf("snapshot of %s at %d: %w", id, sequence, sql.ErrNoRows)
	}
	return found, err
}
