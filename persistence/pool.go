package persistence

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"

	"equity/messages"
)

// Pool is a database/sql pool whose calls end within the store timeout, including the wait for a free connection. The rows
// after the first are not limited in total: on PostgreSQL each read of the connection has the same limit, and SQLite does
// not wait. The embedded DB has no limit. It serves long operations such as migrations.
type Pool struct {
	*sql.DB
	limit time.Duration
	file  *storeFile // that writes need; nil for readers and PostgreSQL
}

// QueryContext runs a query.
func (p *Pool) QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error) {
	limited, stop := p.limited(ctx)
	defer stop()
	return p.DB.QueryContext(limited, query, arguments...) //nolint:sqlclosecheck // the caller closes the rows
}

// QueryRowContext runs a query of one row.
func (p *Pool) QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row {
	limited, stop := p.limited(ctx)
	defer stop()
	return p.DB.QueryRowContext(limited, query, arguments...)
}

// maxFreshConnections bounds the attempts to find an open connection. It equals the limit of database/sql.
const maxFreshConnections = 3

// ExecContext runs a statement in a transaction of its own. The error wraps messages.ErrUnknownOutcome if the statement
// was sent and its outcome is unknown; any other error proves that nothing was stored.
func (p *Pool) ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error) {
	limited, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	for attempt := 1; ; attempt++ {
		result, err := p.execute(limited, statement, arguments)
		if attempt < maxFreshConnections && errors.Is(err, driver.ErrBadConn) { // the statement was not sent
			continue
		}
		noteChange(ctx, err)
		return result, err
	}
}

func (p *Pool) execute(ctx context.Context, statement string, arguments []any) (sql.Result, error) {
	conn, err := p.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.file.check(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	result, err := conn.ExecContext(ctx, statement, arguments...)
	_ = conn.Close() // returns the connection to the pool; the outcome is already known
	return result, statementFailure(err)
}

// noteChange records in the caller's context that a change was stored, or may have been.
func noteChange(ctx context.Context, err error) {
	if err == nil || errors.Is(err, messages.ErrUnknownOutcome) {
		messages.NoteChange(ctx)
	}
}

// limited returns a context that ends if the store has not started to answer within the limit. After stop it ends only with
// ctx, so that the rows of the answer can be read.
func (p *Pool) limited(ctx context.Context) (_ context.Context, stop func()) {
	inner, cancel := context.WithCancel(ctx)
	waiting := &answerWait{Context: inner, refused: p.file.check()}
	if waiting.refused != nil {
		cancel()
	}
	timer := time.AfterFunc(p.limit, func() {
		waiting.late.Store(true)
		cancel()
	})
	return waiting, func() { timer.Stop() }
}

// answerWait is a context with a deadline that can be removed. After the limit it reports context.DeadlineExceeded instead of
// context.Canceled, which means that the caller left.
type answerWait struct {
	context.Context //nolint:containedctx // it is a context
	late            atomic.Bool
	refused         error // of a call that must not be made
}

// Err returns the reason for the end of the context.
func (w *answerWait) Err() error {
	if w.refused != nil {
		return w.refused
	}
	err := w.Context.Err()
	if err != nil && w.late.Load() {
		return context.DeadlineExceeded
	}
	return err
}
