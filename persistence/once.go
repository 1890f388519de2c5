package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"equity/messages"
)

// Once makes a change idempotent.
type Once = messages.Once

// once runs a change in a transaction. If the same request was answered before, it returns that answer and replayed is
// true. The key is inserted first, so that of two concurrent requests the second waits for the first. A different request with
// the same key is refused with messages.ErrKeyReused.
func once[R any](
	ctx context.Context, db *Database, o Once, change func(*sql.Tx) (R, error),
) (answer R, replayed bool, err error) {
	err = db.Transact(ctx, func(tx *sql.Tx) error {
		if o.Key != "" {
			if answer, replayed, err = earlier[R](ctx, tx, o); err != nil || replayed {
				return err
			}
		}
		if answer, err = change(tx); err != nil || o.Key == "" {
			return err
		}
		return remember(ctx, tx, o, answer)
	})
	return answer, replayed, err
}

// earlier inserts the key or returns the answer that is stored with it.
func earlier[R any](ctx context.Context, tx *sql.Tx, o Once) (answer R, found bool, err error) {
	taken, err := affect(ctx, tx, "take key", `INSERT INTO answered (key_hash, fingerprint, answer, answered_at)
		VALUES ($1, $2, '', $3) ON CONFLICT DO NOTHING`, hashed(o.Key), o.Fingerprint, micros(o.At))
	if err != nil || taken {
		return answer, false, err
	}
	var fingerprint, text string
	err = tx.QueryRowContext(ctx, `SELECT fingerprint, answer FROM answered WHERE key_hash = $1`, hashed(o.Key)).
		Scan(&fingerprint, &text)
	if err != nil {
		return answer, false, fmt.Errorf("read answer: %w", err)
	}
	if fingerprint != o.Fingerprint {
		return answer, false, messages.ErrKeyReused
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return answer, false, fmt.Errorf("read answer: %w", err)
	}
	return answer, true, nil
}

func remember(ctx context.Context, tx *sql.Tx, o Once, answer any) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("remember answer: %w", err)
	}
	_, err = affect(ctx, tx, "remember answer", `UPDATE answered SET answer = $2 WHERE key_hash = $1`, hashed(o.Key), string(text))
	return err
}

// ForgetAnswers removes the answers that are older than keep, by the clock and also by the latest answer: a clock that
// is ahead removes nothing. It is meant to be called periodically.
func (d *Database) ForgetAnswers(ctx context.Context, now time.Time, keep time.Duration) error {
	_, err := affect(ctx, d.writer, "forget answers", `DELETE FROM answered WHERE answered_at < $1
		AND answered_at < (SELECT MAX(answered_at) FROM answered) - $2`, micros(now.Add(-keep)), keep.Microseconds())
	return err
}
