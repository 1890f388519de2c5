package persistence

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"equity/messages"
)

// Throttle counts attempts, such as guesses of a password, by subject and time window. The counts are stored, so that
// servers share them and restarts do not reset them. A window starts with its first attempt.
type Throttle struct {
	db    *Database
	clock func() time.Time
}

// NewThrottle returns a Throttle on db with the given clock.
func NewThrottle(db *Database, clock func() time.Time) *Throttle {
	return &Throttle{db: db, clock: clock}
}

// futureMargin is the tolerated difference between the clocks of servers. A stored time that is further in the future than its
// rule permits, by more than the margin, was written by a wrong clock.
const futureMargin = time.Minute

// Take counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. It returns zero if the
// attempt is within the limit of the window, and otherwise the time to wait. The wait never exceeds the window: a window
// that ends later was started by a clock that was ahead, and is restarted.
// A subject includes its purpose, such as "login account a@b.example" or "login address 192.0.2.1".
func (t *Throttle) Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error) {
	now, ctx := t.clock(), messages.WithoutChanges(ctx)
	var attempts, resets int64
	err := t.db.writer.QueryRowContext(ctx, `INSERT INTO throttle (subject, attempts, resets_at) VALUES ($1, 1, $2)
		ON CONFLICT (subject) DO UPDATE SET
			attempts  = CASE WHEN throttle.resets_at <= $3 OR throttle.resets_at > $4 THEN 1 ELSE throttle.attempts + 1 END,
			resets_at = CASE WHEN throttle.resets_at <= $3 OR throttle.resets_at > $4 THEN $2 ELSE throttle.resets_at END
		RETURNING attempts, resets_at`,
		hashed(subject), Micros(now.Add(window)), Micros(now), Micros(now.Add(window).Add(futureMargin))).Scan(&attempts, &resets)
	if err != nil {
		return 0, fmt.Errorf("count attempt: %w", err)
	}
	if attempts <= int64(limit) {
		return 0, nil
	}
	return min(moment(resets).Sub(now), window), nil
}

// Forgive resets the count of the subject after a successful attempt.
func (t *Throttle) Forgive(ctx context.Context, subject string) error {
	return Execute(messages.WithoutChanges(ctx), t.db.writer, "forgive attempts", `DELETE FROM throttle WHERE subject = $1`, hashed(subject))
}

// Sweep removes the counts of ended windows to save space. It is meant to be called periodically.
func (t *Throttle) Sweep(ctx context.Context) error {
	return Execute(ctx, t.db.writer, "sweep attempts", `DELETE FROM throttle WHERE resets_at <= $1`, Micros(t.clock()))
}

// hashed returns the SHA-256 of a text as a query argument.
func hashed(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
