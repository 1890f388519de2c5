package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"equity/messages"
)

// Once makes a change idempotent.
type Once = messages.Once

// once makes the change that decide returns, with its answer. If the same request was answered before, it returns that answer and replayed is
// true. Decide is called again if a record that it read was changed meanwhile. A different request with the same key is refused with
// messages.ErrKeyReused.
func once[R any](
	ctx context.Context, db *Database, o Once, decide func(ctx context.Context) (R, []change, error),
) (answer R, replayed bool, err error) {
	err = db.decided(ctx, func(ctx context.Context) (changes []change, err error) {
		if o.Key == "" {
			answer, changes, err = decide(ctx)
			return changes, err
		}
		if answer, replayed, err = earlier[R](ctx, db, o); err != nil || replayed {
			return nil, err
		}
		if answer, changes, err = decide(ctx); err != nil {
			return nil, err
		}
		kept, err := remember(o, answer)
		return append([]change{kept}, changes...), err
	})
	return answer, replayed, err
}

// earlier returns the answer that is stored with the key.
func earlier[R any](ctx context.Context, db *Database, o Once) (answer R, found bool, err error) {
	text, found, err := db.answerTo(ctx, o)
	if !found {
		return answer, false, err
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return answer, false, fmt.Errorf("read answer: %w", err)
	}
	return answer, true, nil
}

// answerTo returns the stored answer to the request, or false. A different request with the same key is refused with messages.ErrKeyReused.
func (d *Database) answerTo(ctx context.Context, o Once) (text string, found bool, err error) {
	var fingerprint string
	found, err = scanRow(d.reader.QueryRowContext(ctx, `SELECT fingerprint, answer FROM answered WHERE key_hash = $1`, hashed(o.Key)),
		"read answer", &fingerprint, &text)
	if found && fingerprint != o.Fingerprint {
		return "", false, messages.ErrKeyReused
	}
	return text, found, err
}

// remember stores the answer with its key. A concurrent request with the key waits for the commit, and finds that answer.
func remember(o Once, answer any) (change, error) {
	text, err := json.Marshal(answer)
	return change{"remember answer", `INSERT INTO answered (key_hash, fingerprint, answer, answered_at)
		VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, []any{hashed(o.Key), o.Fingerprint, string(text), Micros(o.At)}, errMoved}, during("remember answer", err)
}

// ForgetAnswers removes the answers that are older than keep, by the clock and also by the latest answer: a clock that
// is ahead removes nothing. It is meant to be called periodically.
func (d *Database) ForgetAnswers(ctx context.Context, now time.Time, keep time.Duration) error {
	return Execute(ctx, d.writer, "forget answers", `DELETE FROM answered WHERE answered_at < $1
		AND answered_at < (SELECT MAX(answered_at) FROM answered) - $2`, Micros(now.Add(-keep)), keep.Microseconds())
}
