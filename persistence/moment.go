package persistence

import (
	"database/sql"
	"time"
)

// micros returns the stored form of a time: microseconds since 1970 in UTC, which both engines store and order exactly.
func micros(t time.Time) int64 { return t.UnixMicro() }

// moment is the inverse of micros.
func moment(stored int64) time.Time { return time.UnixMicro(stored).UTC() }

// optionalMicros returns NULL for the zero time.
func optionalMicros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// optionalMoment is the inverse of optionalMicros.
func optionalMoment(stored sql.NullInt64) time.Time {
	if !stored.Valid {
		return time.Time{}
	}
	return moment(stored.Int64)
}
