package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// querier runs queries: a pool, or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
}

// Row is a row of a query.
type Row interface{ Scan(into ...any) error }

// each calls use for each row of a query, in order, until it returns an error. Operation is the prefix of errors.
func each(ctx context.Context, in querier, operation string, use func(Row) error, query string, arguments ...any) (err error) {
	rows, err := in.QueryContext(ctx, query, arguments...)
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := use(rows); err != nil {
			return fmt.Errorf("%s: %w", operation, err)
		}
	}
	return during(operation, rows.Err())
}

// Collect returns the results of scan for all rows of a query, in order; nil without rows.
func Collect[T any](
	ctx context.Context, in querier, operation string, scan func(Row) (T, error), query string, arguments ...any,
) (found []T, err error) {
	err = each(ctx, in, operation, func(row Row) error {
		next, err := scan(row)
		found = append(found, next)
		return err
	}, query, arguments...)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// First returns the result of scan for the first row of a query, or false without a row.
func First[T any](
	ctx context.Context, in querier, operation string, scan func(Row) (T, error), query string, arguments ...any,
) (found T, ok bool, err error) {
	found, err = one(ctx, in, sql.ErrNoRows, operation, scan, query, arguments...)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	return found, err == nil, err
}

// one returns the result of scan for the first row of a query. Without a row it returns the zero value and the error missing.
func one[T any](
	ctx context.Context, in querier, missing error, operation string, scan func(Row) (T, error), query string, arguments ...any,
) (found T, err error) {
	found, err = scan(in.QueryRowContext(ctx, query, arguments...))
	if err == nil {
		return found, nil
	}
	var none T
	if errors.Is(err, sql.ErrNoRows) {
		return none, missing
	}
	return none, fmt.Errorf("%s: %w", operation, err)
}

// exists reports whether the query returns a row.
func exists(ctx context.Context, in querier, query string, arguments ...any) (bool, error) {
	_, found, err := First(ctx, in, "look up", Value[int], query, arguments...)
	return found, err
}

// Value scans a row of one column.
func Value[T any](row Row) (found T, err error) {
	err = row.Scan(&found)
	return found, err
}

// Identifier scans a row of one column, which is an id.
func Identifier[T ~[16]byte](row Row) (found T, err error) {
	err = row.Scan(IntoBytes(found[:]))
	return found, err
}

// scanRow scans a row of a query. It returns false, and leaves the targets unchanged, if there is no row.
func scanRow(row Row, operation string, into ...any) (bool, error) {
	err := row.Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, during(operation, err)
}

var errColumn = errors.New("the column has another type or length")

// IntoBytes is the target of a column of as many bytes, such as an id or a hash. NULL sets them to zero.
type IntoBytes []byte

// Scan stores the value of a column.
func (b IntoBytes) Scan(column any) error {
	stored, is := column.([]byte)
	if column != nil && !is || len(stored) > 0 && len(stored) != len(b) {
		return errColumn
	}
	clear(b)
	copy(b, stored)
	return nil
}

// IntoTime returns the target of a column with the microseconds of a time. NULL is the zero time.
func IntoTime(to *time.Time) sql.Scanner { return (*timeColumn)(to) }

type timeColumn time.Time

// Scan stores the value of a column.
func (t *timeColumn) Scan(column any) error {
	stored, err := integer(column)
	*t = timeColumn(optionalMoment(stored))
	return err
}

// IntoLease returns the target of a column that LeasedMicros has written, in which 0 is the zero time.
func IntoLease(to *time.Time) sql.Scanner { return (*leaseColumn)(to) }

type leaseColumn time.Time

// Scan stores the value of a column.
func (l *leaseColumn) Scan(column any) error {
	stored, err := integer(column)
	stored.Valid = stored.Int64 != 0
	*l = leaseColumn(optionalMoment(stored))
	return err
}

// IntoCount returns the target of a column with a number that is never negative. NULL is 0.
func IntoCount(to *uint64) sql.Scanner { return (*countColumn)(to) }

type countColumn uint64

// Scan stores the value of a column.
func (c *countColumn) Scan(column any) error {
	stored, err := integer(column)
	*c = countColumn(max(stored.Int64, 0))
	return err
}

// integer returns the value of a column of integers.
func integer(column any) (sql.NullInt64, error) {
	stored, is := column.(int64)
	if column != nil && !is {
		return sql.NullInt64{}, errColumn
	}
	return sql.NullInt64{Int64: stored, Valid: is}, nil
}

// intoJSON is the target of a column with the JSON form of the value at the pointer. NULL leaves it unchanged.
type intoJSON struct{ to any }

// Scan stores the value of a column.
func (j intoJSON) Scan(column any) error {
	switch text := column.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(text), j.to)
	case []byte:
		return json.Unmarshal(text, j.to)
	}
	return errColumn
}
