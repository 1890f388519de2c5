package persistence

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"equity/messages"
)

// Mail is one message to one recipient.
type Mail = messages.Mail

// Outbox stores mail until it is sent. A message is written in the transaction of its cause, so that both or neither are
// stored. It is delivered at least once.
type Outbox struct{ db *Database }

// NewOutbox returns the Outbox of db.
func NewOutbox(db *Database) *Outbox { return &Outbox{db: db} }

// Enqueue adds a message without a cause in the store. It can be claimed immediately.
func (o *Outbox) Enqueue(ctx context.Context, mail Mail) error {
	enqueued, err := o.db.enqueued(mail)
	if err != nil {
		return err
	}
	return o.db.together(ctx, enqueued)
}

// Defer adds a message unless a message with its id exists.
func (o *Outbox) Defer(ctx context.Context, mail Mail) error {
	sealed, err := o.db.secrets.Load().sealMail(mail)
	if err != nil {
		return err
	}
	return Execute(ctx, o.db.writer, "defer mail", putMail+` ON CONFLICT (id) DO NOTHING`, mailArguments(sealed)...)
}

// enqueue adds a message in the transaction of its cause.
func (d *Database) enqueue(ctx context.Context, tx *sql.Tx, mail Mail) error {
	enqueued, err := d.enqueued(mail)
	if err != nil {
		return err
	}
	return apply(ctx, tx, enqueued)
}

// enqueued returns the change that adds a message.
func (d *Database) enqueued(mail Mail) (change, error) {
	sealed, err := d.secrets.Load().sealMail(mail)
	return change{"enqueue mail", putMail, mailArguments(sealed), nil}, err
}

const putMail = `INSERT INTO outbox
	(id, recipient, subject, plain_text, html, created_at, organization, cause, attempts, next_attempt_at, failure)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $6, '')`

func mailArguments(mail Mail) []any {
	return []any{
		mail.ID[:], mail.To, mail.Subject, mail.Text, mail.HTML, Micros(mail.CreatedAt), mail.Organization[:], mail.Cause[:],
	}
}

// MaxDelay exceeds all leases and delays. A message with a longer delay was scheduled by a clock that was ahead, and is
// due.
const MaxDelay = 24 * time.Hour

// claim leases messages and returns them in their stored form.
func (o *Outbox) claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Mail, error) {
	// The outer condition is not redundant: PostgreSQL evaluates it again for a row that another courier has just claimed. Each inner one reads a
	// range of the index.
	return Collect(ctx, o.db.writer, "claim mail", func(row Row) (mail Mail, err error) {
		err = row.Scan(IntoBytes(mail.ID[:]), &mail.To, &mail.Subject, &mail.Text, &mail.HTML, IntoTime(&mail.CreatedAt),
			IntoBytes(mail.Organization[:]), IntoBytes(mail.Cause[:]), &mail.Attempts)
		return mail, err
	}, `UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2
		WHERE (next_attempt_at <= $1 OR next_attempt_at > $4) AND id IN (SELECT id FROM (
			SELECT * FROM (SELECT id FROM outbox WHERE next_attempt_at <= $1 ORDER BY next_attempt_at, id LIMIT $3) oldest
			UNION ALL SELECT * FROM (SELECT id FROM outbox WHERE next_attempt_at > $4 LIMIT $3) wrong LIMIT $3) found)
		RETURNING id, recipient, subject, plain_text, html, created_at, organization, cause, attempts`,
		Micros(now), Micros(now.Add(lease)), limit, Micros(now.Add(MaxDelay)))
}

// Claim leases at most limit messages that are due at now, oldest first. No other courier receives them until the lease
// ends, so the messages of a crashed courier are retried. A message that cannot be decrypted is marked as failed.
func (o *Outbox) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Mail, error) {
	stored, err := o.claim(ctx, now, lease, limit)
	if err != nil {
		return nil, err
	}
	claimed := make([]Mail, 0, len(stored))
	for _, mail := range stored {
		opened, err := o.db.secrets.Load().openMail(ctx, mail)
		switch {
		case err == nil:
			claimed = append(claimed, opened)
		case errors.Is(err, errNoSecrets) || ctx.Err() != nil:
			return nil, err // after the lease the messages are claimed again
		default:
			if err := o.Failed(ctx, mail.ID, "the sealed contents do not open", time.Time{}); err != nil {
				return nil, err
			}
		}
	}
	return claimed, nil
}

// Sent records the delivery of a claimed message and erases its contents, which may include a secret code.
func (o *Outbox) Sent(ctx context.Context, id [16]byte, now time.Time) error {
	return Execute(ctx, o.db.writer, "settle mail", `UPDATE outbox
		SET sent_at = $2, next_attempt_at = NULL, subject = '', plain_text = '', html = '', failure = '' WHERE id = $1`,
		id[:], Micros(now))
}

// Failed records a failed delivery. The message is due again at next. If next is zero, it is never retried and its contents
// are erased. The reason is stored for the operator.
func (o *Outbox) Failed(ctx context.Context, id [16]byte, reason string, next time.Time) error {
	statement := `UPDATE outbox SET failure = $2, next_attempt_at = $3 WHERE id = $1 AND sent_at IS NULL`
	if next.IsZero() {
		statement = `UPDATE outbox SET failure = $2, next_attempt_at = $3, subject = '', plain_text = '', html = ''
			WHERE id = $1 AND sent_at IS NULL`
	}
	return Execute(ctx, o.db.writer, "settle mail", statement, id[:], reason, OptionalMicros(next))
}

// Forget removes sent and failed messages created before the given time, with their recipients.
// Pending messages are kept. It is meant to be called periodically.
func (o *Outbox) Forget(ctx context.Context, before time.Time) error {
	return Execute(ctx, o.db.writer, "forget mail", `DELETE FROM outbox WHERE next_attempt_at IS NULL AND created_at < $1`, Micros(before))
}

// Waiting returns the number of pending messages, for a metric.
func (o *Outbox) Waiting(ctx context.Context) (int, error) {
	return one(ctx, o.db.reader, nil, "count mail", Value[int], `SELECT COUNT(*) FROM outbox WHERE next_attempt_at IS NOT NULL`)
}
