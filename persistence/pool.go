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

// Pool is a database/sql pool whose calls end within the store timeout, the wait for a free connection included. Rows that
// follow the first are not limited in total: on PostgreSQL each read of the connection has the same limit, and SQLite does
// not wait. The embedded DB has no limit; it serves work that takes long by nature, such as migrations.
type Pool struct {
	*sql.DB
	limit time.Duration
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

// maxFreshConnections bounds the attempts to find a connection that is not closed; database/sql makes as many.
const maxFreshConnections = 3

// ExecContext runs a statement in a transaction of its own. The error wraps messages.ErrUnknownOutcome when the statement
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
	result, err := conn.ExecContext(ctx, statement, arguments...)
	_ = conn.Close() // returns the connection; the statement has its outcome
	return result, statementFailure(err)
}

// noteChange notes in the caller's context that a change was stored, or may have been.
func noteChange(ctx context.Context, err error) {
	if err == nil || errors.Is(err, messages.ErrUnknownOutcome) {
		messages.NoteChange(ctx)
	}
}

// limited returns a context that ends when the store has not begun to answer within the limit. After stop it ends with ctx
// only, so that the rows of the answer can be read.
func (p *Pool) limited(ctx context.Context) (_ context.Context, stop func()) {
	inner, cancel := context.WithCancel(ctx)
	waiting := &answerWait{Context: inner}
	timer := time.AfterFunc(p.limit, func() {
		waiting.late.Store(true)
		cancel()
	})
	return waiting, func() { timer.Stop() }
}

// answerWait is a context with a deadline that can be lifted. It reports context.DeadlineExceeded rather than
// context.Canceled after the limit: Canceled means that the caller left.
type answerWait struct {
	context.Context //nolint:containedctx // it is a context
	late            atomic.Bool
}

// Err returns the reason for the end.
func (w *answerWait) Err() error {
	err := w.Context.Err()
	if err != nil && w.late.Load() {
		return context.DeadlineExceeded
	}
	return err
}
