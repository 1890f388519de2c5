package persistence

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"equity/messages"
)

// SQLite's result codes that prove that a transaction was undone; the low byte of an extended code is the result. After
// others, such as SQLITE_IOERR, the frames of the log may have been written although the call failed.
const (
	sqliteError      = 1
	sqliteBusy       = 5
	sqliteLocked     = 6
	sqliteReadOnly   = 8
	sqliteInterrupt  = 9
	sqliteFull       = 13
	sqliteConstraint = 19
)

// writeFailure returns the error of a statement or a commit that was sent. It wraps messages.ErrUnknownOutcome unless the
// error proves that nothing was stored. Proofs are an ERROR from PostgreSQL, which undoes the transaction, a refusal by
// SQLite, and an error that the driver reports before it sends anything.
func writeFailure(err error) error {
	if err == nil || provesNothingStored(err) {
		return err
	}
	return fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, err)
}

func provesNothingStored(err error) bool {
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fault.SeverityUnlocalized == "ERROR" // FATAL ends the connection, perhaps after a commit
	}
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		switch fault.Code() & 0xff {
		case sqliteError, sqliteBusy, sqliteLocked, sqliteReadOnly, sqliteInterrupt, sqliteFull, sqliteConstraint:
			return true
		}
		return false
	}
	return pgconn.SafeToRetry(err) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgx.ErrTxCommitRollback) ||
		errors.Is(err, sql.ErrTxDone)
}
