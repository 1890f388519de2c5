package persistence

import (
	"context"
	"encoding/json"
	"time"

	"equity/messages"
	"equity/organization"
)

// Billing stores the customers of the billing provider and the counts that they were billed for.
type Billing struct{ db *Database }

// NewBilling returns the Billing of db.
func NewBilling(db *Database) *Billing { return &Billing{db: db} }

const customerColumns = `organization, customer, subscription, item, card_brand, card_last4, card_expires, dunned_at, reconciled_at, created_at`

func scanCustomer(row Row) (c messages.BillingCustomer, err error) {
	err = row.Scan(IntoBytes(c.Organization[:]), &c.Customer, &c.Subscription, &c.Item, &c.Card.Brand, &c.Card.Last4, &c.Card.Expires,
		IntoTime(&c.DunnedAt), IntoTime(&c.ReconciledAt), IntoTime(&c.CreatedAt))
	return c, err
}

// Customer returns the customer of an organization, or false.
func (s *Billing) Customer(ctx context.Context, id organization.ID) (messages.BillingCustomer, bool, error) {
	return First(ctx, s.db.reader, "read billing customer", scanCustomer,
		`SELECT `+customerColumns+` FROM billing_customer WHERE organization = $1`, id[:])
}

// AddCustomer stores a new customer, unless the organization has one.
func (s *Billing) AddCustomer(ctx context.Context, c messages.BillingCustomer) error {
	return Execute(ctx, s.db.writer, "add billing customer", `INSERT INTO billing_customer (`+customerColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		c.Organization[:], c.Customer, c.Subscription, c.Item, c.Card.Brand, c.Card.Last4, c.Card.Expires,
		OptionalMicros(c.DunnedAt), OptionalMicros(c.ReconciledAt), Micros(c.CreatedAt))
}

// SetSubscription stores the subscription and the payment method of a customer.
func (s *Billing) SetSubscription(ctx context.Context, c messages.BillingCustomer) error {
	return Execute(ctx, s.db.writer, "store subscription", `UPDATE billing_customer
		SET subscription = $2, item = $3, card_brand = $4, card_last4 = $5, card_expires = $6 WHERE organization = $1`,
		c.Organization[:], c.Subscription, c.Item, c.Card.Brand, c.Card.Last4, c.Card.Expires)
}

// SetReconciled stores the time of the last reconciliation.
func (s *Billing) SetReconciled(ctx context.Context, id organization.ID, at time.Time) error {
	return Execute(ctx, s.db.writer, "store reconciliation", `UPDATE billing_customer SET reconciled_at = $2 WHERE organization = $1`,
		id[:], Micros(at))
}

// SetDunned stores the time for which the last reminder was stored.
func (s *Billing) SetDunned(ctx context.Context, id organization.ID, at time.Time) error {
	return Execute(ctx, s.db.writer, "store reminder", `UPDATE billing_customer SET dunned_at = $2 WHERE organization = $1`, id[:], Micros(at))
}

// Push returns the last transmission of the counts; zero without one.
func (s *Billing) Push(ctx context.Context, id organization.ID) (p messages.BillingPush, err error) {
	_, err = scanRow(s.db.reader.QueryRowContext(ctx, `SELECT sequence, shareholders, members, quantity, pushed_at FROM billing_push
		WHERE organization = $1`, id[:]), "read push", IntoCount(&p.Sequence), &p.Shareholders, &p.Members, IntoCount(&p.Quantity), IntoTime(&p.PushedAt))
	return p, err
}

// SetPush stores the last transmission of the counts.
func (s *Billing) SetPush(ctx context.Context, id organization.ID, p messages.BillingPush) error {
	return Execute(ctx, s.db.writer, "store push", `INSERT INTO billing_push (organization, sequence, shareholders, members, quantity, pushed_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization) DO UPDATE SET sequence = excluded.sequence,
		shareholders = excluded.shareholders, members = excluded.members, quantity = excluded.quantity, pushed_at = excluded.pushed_at`,
		id[:], int64(p.Sequence), p.Shareholders, p.Members, int64(p.Quantity), Micros(p.PushedAt)) //nolint:gosec // counts
}

// Answered returns the stored answer of a request, or false. A different request with the same key is refused with
// messages.ErrKeyReused.
func (s *Billing) Answered(ctx context.Context, o Once) (answer json.RawMessage, found bool, err error) {
	if o.Key == "" {
		return nil, false, nil
	}
	text, found, err := s.db.answerTo(ctx, o)
	return json.RawMessage(text), found && text != "", err
}

// Remember stores the answer of a request, unless one is stored already.
func (s *Billing) Remember(ctx context.Context, o Once, answer json.RawMessage) error {
	if o.Key == "" {
		return nil
	}
	return Execute(ctx, s.db.writer, "remember answer", `INSERT INTO answered (key_hash, fingerprint, answer, answered_at)
		VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`, hashed(o.Key), o.Fingerprint, string(answer), Micros(o.At))
}
