package persistence

import (
	"context"
	"time"

	"equity/messages"
)

// Answers makes calls of outside services idempotent. No transaction is open during the call.
type Answers struct{ db *Database }

// NewAnswers returns the Answers of db.
func NewAnswers(db *Database) *Answers { return &Answers{db} }

// abandonedAfter is the time after which a call without an answer is assumed to have ended with its server.
const abandonedAfter = 2 * time.Minute

// Begin claims the key, or returns the answer of the first request with it. A different request with the key is refused with
// [messages.ErrKeyReused], and one during the call with [messages.ErrKeyBusy]. The caller ends its claim with Finish or Abandon.
func (s *Answers) Begin(ctx context.Context, o messages.Once) (answer []byte, answered bool, err error) {
	claimed, err := Affect(ctx, s.db.writer, "claim key", `INSERT INTO answered (key_hash, fingerprint, answer, answered_at)
		VALUES ($1, $2, '', $3) ON CONFLICT DO NOTHING`, hashed(o.Key), o.Fingerprint, Micros(o.At))
	if err != nil || claimed {
		return nil, false, err
	}
	var fingerprint, text string
	var at int64
	found, err := scanRow(s.db.reader.QueryRowContext(ctx, `SELECT fingerprint, answer, answered_at FROM answered WHERE key_hash = $1`, hashed(o.Key)),
		"read answer", &fingerprint, &text, &at)
	switch {
	case err != nil:
		return nil, false, err
	case !found: // the claim was given up in between
		return nil, false, messages.ErrKeyBusy
	case fingerprint != o.Fingerprint:
		return nil, false, messages.ErrKeyReused
	case text != "":
		return []byte(text), true, nil
	case o.At.Sub(moment(at)) < abandonedAfter:
		return nil, false, messages.ErrKeyBusy
	}
	claimed, err = Affect(ctx, s.db.writer, "claim key", `UPDATE answered SET answered_at = $3
		WHERE key_hash = $1 AND answered_at = $2 AND answer = ''`, hashed(o.Key), at, Micros(o.At))
	if err == nil && !claimed {
		err = messages.ErrKeyBusy
	}
	return nil, false, err
}

// Finish stores the answer of the call.
func (s *Answers) Finish(ctx context.Context, o messages.Once, answer []byte) error {
	return Execute(ctx, s.db.writer, "store answer", `UPDATE answered SET answer = $2 WHERE key_hash = $1`, hashed(o.Key), string(answer))
}

// Abandon releases the key after a call that was not made.
func (s *Answers) Abandon(ctx context.Context, o messages.Once) error {
	return Execute(ctx, s.db.writer, "release key", `DELETE FROM answered WHERE key_hash = $1 AND answer = ''`, hashed(o.Key))
}
