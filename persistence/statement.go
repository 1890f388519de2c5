package persistence

import (
	"context"
	"database/sql"
	"fmt"
)

// scanner is a row, alone or among many.
type scanner interface{ Scan(into ...any) error }

// executor runs statements: a transaction, or a pool for a statement that stands alone.
type executor interface {
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// affect runs a statement and tells whether it touched any row. What names it in an error.
func affect(ctx context.Context, on executor, what, statement string, arguments ...any) (bool, error) {
	result, err := on.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, during(what, err)
}

// during names what was done when an error came; nil stays nil.
func during(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
