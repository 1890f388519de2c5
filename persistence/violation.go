package persistence

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
)

// The engines' codes for a value that is there already.
const (
	sqliteUniqueViolation  = 2067    // SQLITE_CONSTRAINT_UNIQUE
	sqlitePrimaryViolation = 1555    // SQLITE_CONSTRAINT_PRIMARYKEY
	postgresUnique         = "23505" // unique_violation
)

// IsDuplicate reports whether err is an engine's refusal of a value that a unique or primary key holds already.
func IsDuplicate(err error) bool {
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fault.Code == postgresUnique
	}
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		return fault.Code() == sqliteUniqueViolation || fault.Code() == sqlitePrimaryViolation
	}
	return false
}
