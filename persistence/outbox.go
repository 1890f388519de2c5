package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/messages"
)

// Mail is one message to one recipient.
type Mail = messages.Mail

// Outbox keeps mail until it is sent. A message is written in the transaction of its cause, so that neither happens
// without the other, and is delivered at least once by whoever claims it.
type Outbox struct{ db *Database }

// NewOutbox makes the Outbox of db.
func NewOutbox(db *Database) *Outbox { return &Outbox{db: db} }

// Enqueue adds a message that has no other cause in the store. It is ready to be claimed at once.
func (o *Outbox) Enqueue(ctx context.Context, mail Mail) error {
	return o.db.Transact(ctx, func(tx *sql.Tx) error { return o.db.enqueue(ctx, tx, mail) })
}

// enqueue adds a message to the transaction of its cause.
func (d *Database) enqueue(ctx context.Context, tx *sql.Tx, mail Mail) error {
	mail, err := d.sealMail(mail)
	if err != nil {
		return err
	}
	return insertMail(ctx, tx, mail)
}

// insertMail adds a message as it is stored.
func insertMail(ctx context.Context, tx *sql.Tx, mail Mail) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox
		(id, recipient, subject, plain_text, html, created_at, organization, cause, attempts, next_attempt_at, failure)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $6, '')`,
		mail.ID[:], mail.To, mail.Subject, mail.Text, mail.HTML, micros(mail.CreatedAt), mail.Organization[:], mail.Cause[:])
	if err != nil {
		return fmt.Errorf("enqueue mail: %w", err)
	}
	return nil
}

// longestWait is longer than any lease or delay of a courier. A message that waits longer was put off by a clock that
// was ahead, and is due.
const longestWait = 24 * time.Hour

// claim leases messages, and returns them as they are stored.
func (o *Outbox) claim(ctx context.Context, now time.Time, lease time.Duration, limit int) (claimed []Mail, err error) {
	// The outer condition is not redundant: PostgreSQL checks it again on a row that another courier took meanwhile.
	rows, err := o.db.writer.QueryContext(ctx, `UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2
		WHERE (next_attempt_at <= $1 OR next_attempt_at > $4) AND id IN (
			SELECT id FROM outbox WHERE next_attempt_at <= $1 OR next_attempt_at > $4 ORDER BY next_attempt_at, id LIMIT $3)
		RETURNING id, recipient, subject, plain_text, html, created_at, organization, cause, attempts`,
		micros(now), micros(now.Add(lease)), limit, micros(now.Add(longestWait)))
	if err != nil {
		return nil, fmt.Errorf("claim mail: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var mail Mail
		var id, in, cause []byte
		var created int64
		err := rows.Scan(&id, &mail.To, &mail.Subject, &mail.Text, &mail.HTML, &created, &in, &cause, &mail.Attempts)
		if err != nil {
			return nil, fmt.Errorf("claim mail: %w", err)
		}
		copy(mail.ID[:], id)
		copy(mail.Organization[:], in)
		copy(mail.Cause[:], cause)
		mail.CreatedAt = moment(created)
		claimed = append(claimed, mail)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("claim mail: %w", err)
	}
	return claimed, nil
}

// Claim hands out at most limit messages that are due at now, oldest first. Nobody else is given them until the lease
// ends; a courier that dies leaves them to the next one. A message that does not open is given up, with its reason.
func (o *Outbox) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Mail, error) {
	stored, err := o.claim(ctx, now, lease, limit)
	if err != nil {
		return nil, err
	}
	claimed := make([]Mail, 0, len(stored))
	for _, mail := range stored {
		opened, err := o.db.openMail(ctx, mail)
		switch {
		case err == nil:
			claimed = append(claimed, opened)
		case errors.Is(err, errNoSecrets) || ctx.Err() != nil:
			return nil, err // the lease ends, and another courier tries
		default:
			if err := o.Failed(ctx, mail.ID, "the sealed contents do not open", time.Time{}); err != nil {
				return nil, err
			}
		}
	}
	return claimed, nil
}

// Sent settles a claimed message as delivered. Its contents are erased: they may hold a code that is a secret.
func (o *Outbox) Sent(ctx context.Context, id [16]byte, now time.Time) error {
	_, err := o.db.writer.ExecContext(ctx, `UPDATE outbox
		SET sent_at = $2, next_attempt_at = NULL, subject = '', plain_text = '', html = '', failure = '' WHERE id = $1`,
		id[:], micros(now))
	if err != nil {
		return fmt.Errorf("settle mail: %w", err)
	}
	return nil
}

// Failed settles a claimed message as not delivered. It is due again at next, or never when next is the zero moment;
// then its contents are erased too. The reason is kept for an operator to read.
func (o *Outbox) Failed(ctx context.Context, id [16]byte, reason string, next time.Time) error {
	statement := `UPDATE outbox SET failure = $2, next_attempt_at = $3 WHERE id = $1 AND sent_at IS NULL`
	if next.IsZero() {
		statement = `UPDATE outbox SET failure = $2, next_attempt_at = $3, subject = '', plain_text = '', html = ''
			WHERE id = $1 AND sent_at IS NULL`
	}
	if _, err := o.db.writer.ExecContext(ctx, statement, id[:], reason, optionalMicros(next)); err != nil {
		return fmt.Errorf("settle mail: %w", err)
	}
	return nil
}

// Forget removes the messages that were written before a moment and were sent or given up, and with them whom they were to.
// What still waits stays. It is for a timer.
func (o *Outbox) Forget(ctx context.Context, before time.Time) error {
	_, err := affect(ctx, o.db.writer, "forget mail", `DELETE FROM outbox WHERE next_attempt_at IS NULL AND created_at < $1`, micros(before))
	return err
}

// Waiting counts the messages that are still to be sent, for a metric.
func (o *Outbox) Waiting(ctx context.Context) (int, error) {
	var number int
	err := o.db.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM outbox WHERE next_attempt_at IS NOT NULL`).Scan(&number)
	if err != nil {
		return 0, fmt.Errorf("count mail: %w", err)
	}
	return number, nil
}
