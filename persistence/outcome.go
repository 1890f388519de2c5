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

// SQLite's result codes that prove that a transaction was rolled back; the low byte of an extended code is the result. After
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

// statementFailure returns the error of a statement in a transaction of its own. It wraps messages.ErrUnknownOutcome unless
// the error proves that nothing was stored, for example because the driver did not send anything.
func statementFailure(err error) error {
	if pgconn.SafeToRetry(err) || errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return commitFailure(err)
}

// commitFailure returns the error of a commit. It wraps messages.ErrUnknownOutcome unless the error proves that nothing was
// stored. pgconn.SafeToRetry is not a proof here: pgx also reports it for a COMMIT that was sent and whose reply was lost,
// because it reads from the connection once more after closing it.
func commitFailure(err error) error {
	if err == nil || provesNothingStored(err) {
		return err
	}
	return fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, err)
}

// provesNothingStored reports whether err is an ERROR from PostgreSQL, which rolls the transaction back, a refusal by SQLite, or
// the error of a transaction that was already rolled back.
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
	return errors.Is(err, pgx.ErrTxCommitRollback) || errors.Is(err, sql.ErrTxDone)
}
