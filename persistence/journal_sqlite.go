package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"equity/messages"
)

// sqliteStore commits groups through the single writer of the Database. Its statements are prepared once.
type sqliteStore struct {
	db        *Database
	prepared  bool
	rows      *sql.Stmt
	resources *sql.Stmt
	heads     *sql.Stmt
}

const (
	insertRow = `INSERT INTO journal (organization, sequence, recorded_at, actor, type, payload, idempotency_key,
		fingerprint, previous_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
	insertResource = `INSERT INTO resource (id, organization, kind) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	putHead        = `INSERT INTO journal_head (organization, sequence, hash, recorded_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (organization) DO UPDATE
		SET sequence = excluded.sequence, hash = excluded.hash, recorded_at = excluded.recorded_at`
)

func (s *sqliteStore) prepare(ctx context.Context) (err error) {
	if s.prepared {
		return nil
	}
	if s.rows, err = s.db.writer.PrepareContext(ctx, insertRow); err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	if s.resources, err = s.db.writer.PrepareContext(ctx, insertResource); err != nil {
		return errors.Join(fmt.Errorf("prepare: %w", err), s.rows.Close())
	}
	if s.heads, err = s.db.writer.PrepareContext(ctx, putHead); err != nil {
		return errors.Join(fmt.Errorf("prepare: %w", err), s.rows.Close(), s.resources.Close())
	}
	s.prepared = true
	return nil
}

func (s *sqliteStore) close(context.Context) error {
	if !s.prepared {
		return nil
	}
	return errors.Join(s.rows.Close(), s.resources.Close(), s.heads.Close())
}

// commit stores the group in one transaction. Any failure before the commit is rolled back and therefore certain.
func (s *sqliteStore) commit(ctx context.Context, group []messages.Append) error {
	if err := s.prepare(ctx); err != nil {
		return fmt.Errorf("%w: %w: %w", messages.ErrNotStored, errUnreachable, err)
	}
	tx, err := s.db.writer.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%w: %w: begin: %w", messages.ErrNotStored, errUnreachable, err)
	}
	if len(group) == 1 && isBulk(&group[0]) {
		err = insertBulk(ctx, tx, group[0])
	} else {
		err = s.insert(ctx, tx, group)
	}
	if err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	if err := s.db.file.check(); err != nil {
		return errors.Join(fmt.Errorf("%w: %w: %w", messages.ErrNotStored, errUnreachable, err), ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return commitFailed(err, ignoreDone(tx.Rollback()))
	}
	return nil
}

// commitFailed distinguishes a refused commit from one with an unknown outcome. SQLITE_FULL and SQLITE_BUSY are
// refusals. If writing or syncing the log failed, the frames may still be in the file and take effect after the next
// start.
func commitFailed(err, undo error) error {
	if provesNothingStored(err) {
		return errors.Join(fmt.Errorf("%w: commit: %w", messages.ErrNotStored, err), undo)
	}
	return errors.Join(fmt.Errorf("%w: commit: %w", messages.ErrUnknownOutcome, err), undo)
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

func (s *sqliteStore) insert(ctx context.Context, tx *sql.Tx, group []messages.Append) error {
	rows := tx.StmtContext(ctx, s.rows) //nolint:sqlclosecheck // closed with the transaction
	for i := range group {
		for k := range group[i].Rows {
			r := &group[i].Rows[k]
			sequence := int64(r.Sequence) //nolint:gosec // counts from 1
			_, err := rows.ExecContext(ctx, r.Organization[:], sequence, Micros(r.RecordedAt), r.By, r.Type,
				payloadOf(r), r.IdempotencyKey, r.Fingerprint, r.PreviousHash[:], r.Hash[:])
			if IsDuplicate(err) {
				return fmt.Errorf("%w: sequence %d: %w", messages.ErrFenced, r.Sequence, err)
			}
			if err != nil {
				return fmt.Errorf("%w: sequence %d: %w", messages.ErrNotStored, r.Sequence, err)
			}
		}
	}
	if err := s.insertIndexes(ctx, tx, indexesOf(group)); err != nil {
		return fmt.Errorf("%w: indexes: %w", messages.ErrNotStored, err)
	}
	return nil
}

// payloadOf returns a non-nil payload, because nil would be stored as NULL.
func payloadOf(r *messages.Row) []byte {
	if r.Payload == nil {
		return []byte{}
	}
	return r.Payload
}

func (s *sqliteStore) insertIndexes(ctx context.Context, tx *sql.Tx, x *indexes) error {
	resources := tx.StmtContext(ctx, s.resources) //nolint:sqlclosecheck // closed with the transaction
	for _, r := range x.resources {
		if _, err := resources.ExecContext(ctx, r.id[:], r.organization[:], r.kind); err != nil {
			return err
		}
	}
	insert := func(statement string, number int, arguments func(i int) []any) error {
		for i := range number {
			if _, err := tx.ExecContext(ctx, statement, arguments(i)...); err != nil {
				return err
			}
		}
		return nil
	}
	for _, table := range x.insertions() {
		if err := insert(table.statement(1), table.number, table.arguments); err != nil {
			return err
		}
	}
	if err := x.deleteRows(ctx, tx); err != nil {
		return err
	}
	heads := tx.StmtContext(ctx, s.heads) //nolint:sqlclosecheck // closed with the transaction
	for i := range x.heads {
		if _, err := heads.ExecContext(ctx, x.heads[i].arguments()...); err != nil {
			return err
		}
	}
	return x.insertBeside(ctx, tx)
}
