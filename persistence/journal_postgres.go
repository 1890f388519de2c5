package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"equity/messages"
)

// idleBeforePing is after how long without use a connection is asked whether it lives before anything depends on it:
// what is sent on a connection that died meanwhile has an unknown outcome, although nothing was stored.
const idleBeforePing = time.Second

// postgresStore commits groups over a connection of its own, below pgx's conversions: every column of a group is one
// array parameter, encoded here into a buffer that is used again, and all statements leave in one pipeline that
// PostgreSQL runs as one transaction. That is one round trip and one plan execution a table, whatever the number of
// rows.
type postgresStore struct {
	config   *pgx.ConnConfig
	conn     *pgconn.PgConn
	lastUsed time.Time
	encoder  groupEncoder
}

func newPostgresStore(config *pgx.ConnConfig) *postgresStore {
	return &postgresStore{config: config, encoder: groupEncoder{statements: groupStatements()}}
}

func (s *postgresStore) close(ctx context.Context) error {
	if s.conn == nil {
		return nil
	}
	return s.conn.Close(ctx)
}

// connect makes sure of a living connection whose statements are prepared.
func (s *postgresStore) connect(ctx context.Context) error {
	if s.conn != nil && !s.conn.IsClosed() {
		if time.Since(s.lastUsed) < idleBeforePing || s.conn.Ping(ctx) == nil {
			return nil
		}
		_ = s.conn.Close(ctx) // it failed already; what it says about closing is of no use
	}
	s.conn = nil
	conn, err := pgconn.ConnectConfig(ctx, &s.config.Config)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	for _, statement := range s.encoder.statements {
		if _, err := conn.Prepare(ctx, statement.name, statement.text, nil); err != nil {
			return errors.Join(fmt.Errorf("prepare %s: %w", statement.name, err), conn.Close(ctx))
		}
	}
	s.conn = conn
	return nil
}

// commit stores the group in one round trip.
func (s *postgresStore) commit(ctx context.Context, group []messages.Append) error {
	if err := s.connect(ctx); err != nil {
		return fmt.Errorf("%w: %w: %w", messages.ErrNotStored, errUnreachable, err)
	}
	if len(group) == 1 && isBulk(&group[0]) {
		return s.commitBulk(ctx, group[0])
	}
	batch := s.encoder.encode(group)
	err := s.conn.ExecBatch(ctx, batch).Close()
	s.lastUsed = time.Now()
	if err == nil {
		return nil
	}
	if !s.conn.IsClosed() && s.conn.TxStatus() != 'I' {
		// A pipeline ends outside of any transaction. If this one did not, the connection is not to be trusted.
		_ = s.conn.Close(ctx)
	}
	return outcome(err)
}

// outcome says what an error of the pipeline proves. The commit is the last thing that the server does before it
// reports that it is ready, so an ERROR proves that the transaction was undone; a connection lost, or a FATAL that ends
// it, proves nothing.
func outcome(err error) error {
	fault, answered := errors.AsType[*pgconn.PgError](err)
	switch {
	case answered && fault.Code == postgresUnique && fault.TableName == "journal":
		return fmt.Errorf("%w: %w", messages.ErrFenced, err)
	case answered && fault.SeverityUnlocalized == "ERROR":
		return fmt.Errorf("%w: %w", messages.ErrNotStored, err)
	case !answered && pgconn.SafeToRetry(err):
		return fmt.Errorf("%w: %w: %w", messages.ErrNotStored, errUnreachable, err)
	default:
		return fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, err)
	}
}
