package persistence

import (
	"database/sql"
	"time"
)

// Micros returns the stored form of a time: microseconds since 1970 in UTC, which both engines store and order exactly.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// moment is the inverse of Micros.
func moment(stored int64) time.Time { return time.UnixMicro(stored).UTC() }

// OptionalMicros returns NULL for the zero time.
func OptionalMicros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// optionalMoment is the inverse of OptionalMicros.
func optionalMoment(stored sql.NullInt64) time.Time {
	if !stored.Valid {
		return time.Time{}
	}
	return moment(stored.Int64)
}
