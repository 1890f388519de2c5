package persistence

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"equity/messages"
)

// Throttle counts attempts, such as guesses at a password, per subject and window of time. It counts in the store, so
// that several servers share a count and a restart does not forgive. A window begins with its first attempt.
type Throttle struct {
	db    *Database
	clock func() time.Time
}

// NewThrottle makes a Throttle on db that tells the time by clock.
func NewThrottle(db *Database, clock func() time.Time) *Throttle {
	return &Throttle{db: db, clock: clock}
}

// futureMargin is the time by which servers' clocks may differ. A stored moment that is further ahead than its rule
// allows, and than this, comes from a clock that was wrong.
const futureMargin = time.Minute

// Take counts one attempt on the subject, before it is made, so that attempts at the same moment cannot slip through
// together. It returns zero when the attempt is one of the limit that window allows, and otherwise how long to wait.
// No wait is longer than the window: a window that ends later was begun by a clock that was ahead, and begins anew.
// A subject names its purpose, such as "login account a@b.example" or "login address 192.0.2.1".
func (t *Throttle) Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error) {
	now, ctx := t.clock(), messages.WithoutChanges(ctx)
	var attempts, resets int64
	err := t.db.writer.QueryRowContext(ctx, `INSERT INTO throttle (subject, attempts, resets_at) VALUES ($1, 1, $2)
		ON CONFLICT (subject) DO UPDATE SET
			attempts  = CASE WHEN throttle.resets_at <= $3 OR throttle.resets_at > $4 THEN 1 ELSE throttle.attempts + 1 END,
			resets_at = CASE WHEN throttle.resets_at <= $3 OR throttle.resets_at > $4 THEN $2 ELSE throttle.resets_at END
		RETURNING attempts, resets_at`,
		hashed(subject), micros(now.Add(window)), micros(now), micros(now.Add(window).Add(futureMargin))).Scan(&attempts, &resets)
	if err != nil {
		return 0, fmt.Errorf("count attempt: %w", err)
	}
	if attempts <= int64(limit) {
		return 0, nil
	}
	return min(moment(resets).Sub(now), window), nil
}

// Forgive forgets the attempts on the subject, once one of them succeeded.
func (t *Throttle) Forgive(ctx context.Context, subject string) error {
	_, err := t.db.writer.ExecContext(messages.WithoutChanges(ctx), `DELETE FROM throttle WHERE subject = $1`, hashed(subject))
	if err != nil {
		return fmt.Errorf("forgive attempts: %w", err)
	}
	return nil
}

// Sweep removes the counts whose window has ended. It is for a timer: nothing depends on it but space.
func (t *Throttle) Sweep(ctx context.Context) error {
	_, err := t.db.writer.ExecContext(ctx, `DELETE FROM throttle WHERE resets_at <= $1`, micros(t.clock()))
	if err != nil {
		return fmt.Errorf("sweep attempts: %w", err)
	}
	return nil
}

// hashed is SHA-256 as the bytes a query takes.
func hashed(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
