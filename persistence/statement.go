package persistence

import (
	"context"
	"database/sql"
	"fmt"
)

// scanner is a row of a query.
type scanner interface{ Scan(into ...any) error }

// executor runs statements: a transaction, or a pool for a single statement.
type executor interface {
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// affect runs a statement and reports whether it changed a row. Operation is the prefix of its error.
func affect(ctx context.Context, on executor, operation, statement string, arguments ...any) (bool, error) {
	result, err := on.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", operation, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, during(operation, err)
}

// during wraps a non-nil error with the name of the operation.
func during(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
