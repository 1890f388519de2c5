package persistence

import (
	"database/sql"
	"time"
)

// micros is how a moment is stored: microseconds since 1970 in UTC, which both engines keep and order exactly.
func micros(t time.Time) int64 { return t.UnixMicro() }

// moment reads what micros wrote.
func moment(stored int64) time.Time { return time.UnixMicro(stored).UTC() }

// optionalMicros stores the zero moment as NULL.
func optionalMicros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

// optionalMoment reads what optionalMicros wrote.
func optionalMoment(stored sql.NullInt64) time.Time {
	if !stored.Valid {
		return time.Time{}
	}
	return moment(stored.Int64)
}
