package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// executor runs statements: a transaction, or a pool for a single statement.
type executor interface {
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// change is a statement of a transaction. It needs no result of the statements before it.
type change struct {
	operation, statement string // operation is the prefix of the error
	arguments            []any
	refused              error // undoes the transaction if the statement changes no row; nil if it may change none
}

// Statement is a change that another package adds to a transaction of a store. It may change no row.
type Statement struct {
	Operation, Text string // Operation is the prefix of the error
	Arguments       []any
}

// errMoved reports that a record has changed since a change of it was decided. Nothing was stored.
var errMoved = errors.New("the record was changed meanwhile")

// apply runs the changes in a transaction.
func apply(ctx context.Context, tx *sql.Tx, changes ...change) error {
	for _, one := range changes {
		changed, err := Affect(ctx, tx, one.operation, one.statement, one.arguments...)
		if err != nil {
			return err
		}
		if !changed && one.refused != nil {
			return one.refused
		}
	}
	return nil
}

// Affect runs a statement and reports whether it changed a row. Operation is the prefix of its error.
func Affect(ctx context.Context, on executor, operation, statement string, arguments ...any) (bool, error) {
	result, err := on.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return false, fmt.Errorf("%s: %w", operation, err)
	}
	rows, err := result.RowsAffected()
	return rows > 0, during(operation, err)
}

// Execute runs a statement whose number of changed rows does not matter. Operation is the prefix of its error.
func Execute(ctx context.Context, on executor, operation, statement string, arguments ...any) error {
	_, err := on.ExecContext(ctx, statement, arguments...)
	return during(operation, err)
}

// during wraps a non-nil error with the name of the operation.
func during(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}
