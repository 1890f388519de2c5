package persistence

import (
	"context"
	"time"
)

// Jobs stores the starts of periodic jobs that one server of a store does for all.
type Jobs struct{ db *Database }

// NewJobs returns the Jobs of db.
func NewJobs(db *Database) *Jobs { return &Jobs{db} }

// Claim reports whether the caller has to do the job: no server has started it for the period. Then it notes the start. A start that is far ahead
// was noted by a clock that was ahead, and does not count.
func (s *Jobs) Claim(ctx context.Context, name string, now time.Time, period time.Duration) (bool, error) {
	return Affect(ctx, s.db.writer, "claim job", `INSERT INTO job (name, started_at) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at WHERE job.started_at <= $3 OR job.started_at > $4`,
		name, Micros(now), Micros(now.Add(-period)), Micros(now.Add(period)))
}
