package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// Billing stores the customers of the billing provider and the counts that they were billed for.
type Billing struct{ db *Database }

// NewBilling returns the Billing of db.
func NewBilling(db *Database) *Billing { return &Billing{db: db} }

const customerColumns = `organization, customer, subscription, item, card_brand, card_last4, card_expires, dunned_at, reconciled_at, created_at`

func scanCustomer(row scanner) (messages.BillingCustomer, error) {
	var c messages.BillingCustomer
	var id []byte
	var dunned, reconciled sql.NullInt64
	var created int64
	err := row.Scan(&id, &c.Customer, &c.Subscription, &c.Item, &c.Card.Brand, &c.Card.Last4, &c.Card.Expires, &dunned, &reconciled, &created)
	copy(c.Organization[:], id)
	c.DunnedAt, c.ReconciledAt, c.CreatedAt = optionalMoment(dunned), optionalMoment(reconciled), moment(created)
	return c, err
}

// Customer returns the customer of an organization, or false.
func (s *Billing) Customer(ctx context.Context, id organization.ID) (messages.BillingCustomer, bool, error) {
	found, err := scanCustomer(s.db.reader.QueryRowContext(ctx, `SELECT `+customerColumns+` FROM billing_customer WHERE organization = $1`, id[:]))
	if errors.Is(err, sql.ErrNoRows) {
		return messages.BillingCustomer{}, false, nil
	}
	return found, err == nil, during("read billing customer", err)
}

// AddCustomer stores a new customer, unless the organization has one.
func (s *Billing) AddCustomer(ctx context.Context, c messages.BillingCustomer) error {
	_, err := affect(ctx, s.db.writer, "add billing customer", `INSERT INTO billing_customer (`+customerColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		c.Organization[:], c.Customer, c.Subscription, c.Item, c.Card.Brand, c.Card.Last4, c.Card.Expires,
		optionalMicros(c.DunnedAt), optionalMicros(c.ReconciledAt), micros(c.CreatedAt))
	return err
}

// SetSubscription stores the subscription and the payment method of a customer.
func (s *Billing) SetSubscription(ctx context.Context, c messages.BillingCustomer) error {
	_, err := affect(ctx, s.db.writer, "store subscription", `UPDATE billing_customer
		SET subscription = $2, item = $3, card_brand = $4, card_last4 = $5, card_expires = $6 WHERE organization = $1`,
		c.Organization[:], c.Subscription, c.Item, c.Card.Brand, c.Card.Last4, c.Card.Expires)
	return err
}

// SetReconciled stores the time of the last reconciliation.
func (s *Billing) SetReconciled(ctx context.Context, id organization.ID, at time.Time) error {
	_, err := affect(ctx, s.db.writer, "store reconciliation", `UPDATE billing_customer SET reconciled_at = $2 WHERE organization = $1`,
		id[:], micros(at))
	return err
}

// SetDunned stores the time for which the last reminder was stored.
func (s *Billing) SetDunned(ctx context.Context, id organization.ID, at time.Time) error {
	_, err := affect(ctx, s.db.writer, "store reminder", `UPDATE billing_customer SET dunned_at = $2 WHERE organization = $1`, id[:], micros(at))
	return err
}

// Push returns the last transmission of the counts; zero without one.
func (s *Billing) Push(ctx context.Context, id organization.ID) (messages.BillingPush, error) {
	var p messages.BillingPush
	var sequence, quantity, at int64
	err := s.db.reader.QueryRowContext(ctx, `SELECT sequence, shareholders, members, quantity, pushed_at FROM billing_push WHERE organization = $1`, id[:]).
		Scan(&sequence, &p.Shareholders, &p.Members, &quantity, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return messages.BillingPush{}, nil
	}
	p.Sequence, p.Quantity, p.PushedAt = uint64(max(sequence, 0)), uint64(max(quantity, 0)), moment(at)
	return p, during("read push", err)
}

// SetPush stores the last transmission of the counts.
func (s *Billing) SetPush(ctx context.Context, id organization.ID, p messages.BillingPush) error {
	_, err := affect(ctx, s.db.writer, "store push", `INSERT INTO billing_push (organization, sequence, shareholders, members, quantity, pushed_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization) DO UPDATE SET sequence = excluded.sequence,
		shareholders = excluded.shareholders, members = excluded.members, quantity = excluded.quantity, pushed_at = excluded.pushed_at`,
		id[:], int64(p.Sequence), p.Shareholders, p.Members, int64(p.Quantity), micros(p.PushedAt)) //nolint:gosec // counts
	return err
}

// Answered returns the stored answer of a request, or false. A different request with the same key is refused with
// messages.ErrKeyReused.
func (s *Billing) Answered(ctx context.Context, o Once) (answer json.RawMessage, found bool, err error) {
	if o.Key == "" {
		return nil, false, nil
	}
	var fingerprint, text string
	err = s.db.reader.QueryRowContext(ctx, `SELECT fingerprint, answer FROM answered WHERE key_hash = $1`, hashed(o.Key)).Scan(&fingerprint, &text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("read answer: %w", err)
	case fingerprint != o.Fingerprint:
		return nil, false, messages.ErrKeyReused
	}
	return json.RawMessage(text), text != "", nil
}

// Remember stores the answer of a request, unless one is stored already.
func (s *Billing) Remember(ctx context.Context, o Once, answer json.RawMessage) error {
	if o.Key == "" {
		return nil
	}
	_, err := affect(ctx, s.db.writer, "remember answer", `INSERT INTO answered (key_hash, fingerprint, answer, answered_at)
		VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, hashed(o.Key), o.Fingerprint, string(answer), micros(o.At))
	return err
}
