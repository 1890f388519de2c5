package persistence

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

// The engines' error codes for a duplicate value.
const (
	sqliteUniqueViolation  = 2067    // SQLITE_CONSTRAINT_UNIQUE
	sqlitePrimaryViolation = 1555    // SQLITE_CONSTRAINT_PRIMARYKEY
	postgresUnique         = "23505" // unique_violation
)

// IsDuplicate reports whether err is a violation of a unique or primary key.
func IsDuplicate(err error) bool {
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fault.Code == postgresUnique
	}
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		return fault.Code() == sqliteUniqueViolation || fault.Code() == sqlitePrimaryViolation
	}
	return false
}
