package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// executor runs statements: a transaction, or a pool for a single statement.
type executor interface {
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// Statement is a change in a transaction. It needs no result of the statements before it.
type Statement struct {
	Operation, Text string // Operation is the prefix of the error
	Arguments       []any
	Refused         error // undoes the transaction if the statement changes no row; nil if it may change none
}

// ErrMoved reports that a record has changed since a change of it was decided. Nothing was stored.
var ErrMoved = errors.New("the record was changed meanwhile")

// apply runs the changes in a transaction.
func apply(ctx context.Context, tx *sql.Tx, changes ...Statement) error {
	for _, one := range changes {
		changed, err := Affect(ctx, tx, one.Operation, one.Text, one.Arguments...)
		if err != nil {
			return err
		}
		if !changed && one.Refused != nil {
			return one.Refused
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

// Inserted returns the statement that adds rows: into ends before the rows, and conflict follows them. It returns none without rows.
func Inserted(operation, into string, rows [][]any, conflict string) []Statement {
	if len(rows) == 0 {
		return nil
	}
	statement := strings.Builder{}
	statement.WriteString(into)
	var arguments []any
	for i, row := range rows {
		if i > 0 {
			statement.WriteByte(',')
		}
		for j := range row {
			statement.WriteString(separators(j) + strconv.Itoa(len(arguments)+j+1))
		}
		statement.WriteByte(')')
		arguments = append(arguments, row...)
	}
	statement.WriteString(" " + conflict)
	return []Statement{{operation, statement.String(), arguments, nil}}
}

// separators returns the text before the placeholder of a field.
func separators(field int) string {
	if field == 0 {
		return "($"
	}
	return ", $"
}
