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

// idleBeforePing is the idle time after which a connection is checked before use: a commit sent on a dead
// connection has an unknown outcome although nothing was stored.
const idleBeforePing = time.Second

// postgresStore commits groups over its own connection, without the conversions of pgx: each column of a group is one
// array parameter, encoded into a reused buffer, and all statements are sent in one pipeline that PostgreSQL runs as one
// transaction. This takes one round trip and one plan execution per table, regardless of the number of rows.
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

// connect ensures a live connection with prepared statements.
func (s *postgresStore) connect(ctx context.Context) error {
	if s.conn != nil && !s.conn.IsClosed() {
		if time.Since(s.lastUsed) < idleBeforePing || s.conn.Ping(ctx) == nil {
			return nil
		}
		_ = s.conn.Close(ctx) // it has already failed
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
		// A pipeline ends outside a transaction. Otherwise the state of the connection is unknown.
		_ = s.conn.Close(ctx)
	}
	return outcome(err)
}

// outcome classifies an error of the pipeline. The commit is the server's last action before it reports that it is ready,
// so an ERROR proves that the transaction was rolled back. A lost connection, or a FATAL error that ends it, proves
// nothing.
func outcome(err error) error {
	fault, answered := errors.AsType[*pgconn.PgError](err)
	switch {
	case answered && isFence(fault):
		return fmt.Errorf("%w: %w", messages.ErrFenced, err)
	case answered && fault.SeverityUnlocalized == "ERROR":
		return fmt.Errorf("%w: %w", messages.ErrNotStored, err)
	case !answered && pgconn.SafeToRetry(err):
		return fmt.Errorf("%w: %w: %w", messages.ErrNotStored, errUnreachable, err)
	default:
		return fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, err)
	}
}
