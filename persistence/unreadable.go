package persistence

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"equity/messages"
)

// SQLite's result codes for a damaged file.
const (
	sqliteCorrupt     = 11
	sqliteNotDatabase = 26
)

// unreadable returns the error of a read. It wraps messages.ErrUnreadable if reading again would fail in the same way: a
// value of a wrong type, or pages that the database reports as damaged.
func unreadable(err error) error {
	if err == nil || !provesDamage(err) {
		return err
	}
	return fmt.Errorf("%w: %w", messages.ErrUnreadable, err)
}

// provesDamage recognizes PostgreSQL's class XX with damaged data (https://www.postgresql.org/docs/current/errcodes-appendix.html),
// SQLite's results for a damaged file, and a value that database/sql cannot convert. That error has no type of its own.
func provesDamage(err error) bool {
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fault.Code == "XX001" || fault.Code == "XX002"
	}
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		code := fault.Code() & 0xff
		return code == sqliteCorrupt || code == sqliteNotDatabase
	}
	return strings.Contains(err.Error(), "sql: Scan error on column")
}
