package persistence

import (
	"context"
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// BillingInbox stores the received events of the billing provider.
type BillingInbox struct{ db *Database }

// NewBillingInbox returns the BillingInbox of db.
func NewBillingInbox(db *Database) *BillingInbox { return &BillingInbox{db: db} }

// Receive stores an event, unless it is stored already. It reports whether it is new.
func (s *BillingInbox) Receive(ctx context.Context, e messages.BillingEvent) (bool, error) {
	return Affect(ctx, s.db.writer, "receive billing event", `INSERT INTO billing_inbox
		(event_id, event_type, organization, claimed, customer, subscription, invoice, state, received_at)
		VALUES ($1, $2, NULL, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
		e.ID, e.Type, e.Claimed, e.Customer, e.Subscription, e.Invoice, e.State, Micros(e.ReceivedAt))
}

// Assign finds the organizations of at most limit new events: the claimed one if it has a customer, else that of the customer of
// the event. It returns the organizations, and whether further events may be new.
func (s *BillingInbox) Assign(ctx context.Context, limit int) (assigned []organization.ID, more bool, err error) {
	events, err := s.list(ctx, `WHERE state = $1 ORDER BY received_at, event_id LIMIT $2`, messages.BillingNew, limit)
	if err != nil {
		return nil, false, err
	}
	for i := range events {
		id, found, err := s.owner(ctx, &events[i])
		if err != nil {
			return nil, false, err
		}
		state, owner := messages.BillingUnknown, []byte(nil)
		if found {
			state, owner = messages.BillingAssigned, id[:]
			assigned = append(assigned, id)
		}
		if err := Execute(ctx, s.db.writer, "assign billing event", `UPDATE billing_inbox SET state = $2, organization = $3
			WHERE event_id = $1 AND state = $4`, events[i].ID, state, owner, messages.BillingNew); err != nil {
			return nil, false, err
		}
	}
	return assigned, len(events) == limit, nil
}

// owner returns the organization of an event, or false.
func (s *BillingInbox) owner(ctx context.Context, e *messages.BillingEvent) (id organization.ID, found bool, err error) {
	where, argument := `customer = $1`, any(e.Customer)
	if claimed, ok := parseOrganization(e.Claimed); ok {
		where, argument = `organization = $1`, claimed[:]
	}
	for {
		id, found, err = First(ctx, s.db.reader, "find billing customer", Identifier[organization.ID],
			`SELECT organization FROM billing_customer WHERE `+where, argument)
		if found || err != nil || where == `customer = $1` {
			return id, found, err
		}
		where, argument = `customer = $1`, e.Customer
	}
}

// Pending returns at most limit events that the organization has to look at, the earliest first.
func (s *BillingInbox) Pending(ctx context.Context, id organization.ID, limit int) ([]messages.BillingEvent, error) {
	return s.list(ctx, `WHERE state = $1 AND organization = $2 ORDER BY received_at, event_id LIMIT $3`, messages.BillingAssigned, id[:], limit)
}

// Waiting returns the organizations with events that were received before the given time and not looked at since.
func (s *BillingInbox) Waiting(ctx context.Context, before time.Time) ([]organization.ID, error) {
	return Collect(ctx, s.db.reader, "list waiting billing events", Identifier[organization.ID],
		`SELECT DISTINCT organization FROM billing_inbox WHERE state = $1 AND received_at < $2`, messages.BillingAssigned, Micros(before))
}

// Done marks events whose provider was queried since.
func (s *BillingInbox) Done(ctx context.Context, events []messages.BillingEvent) error {
	if len(events) == 0 {
		return nil
	}
	arguments := []any{messages.BillingDone}
	var places []string
	for i := range events {
		arguments = append(arguments, events[i].ID)
		places = append(places, "$"+strconv.Itoa(len(arguments)))
	}
	return Execute(ctx, s.db.writer, "finish billing events", `UPDATE billing_inbox SET state = $1 WHERE event_id IN (`+strings.Join(places, ", ")+`)`,
		arguments...)
}

// Forget removes events that were received before the given time, unless an organization still has to look at them.
func (s *BillingInbox) Forget(ctx context.Context, before time.Time) error {
	return Execute(ctx, s.db.writer, "forget billing events", `DELETE FROM billing_inbox WHERE received_at < $1 AND state NOT IN ($2, $3)`,
		Micros(before), messages.BillingNew, messages.BillingAssigned)
}

// Unknown returns the number of events without an organization, for a metric.
func (s *BillingInbox) Unknown(ctx context.Context) (number int, err error) {
	err = s.db.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM billing_inbox WHERE state = $1`, messages.BillingUnknown).Scan(&number)
	return number, during("count billing events", err)
}

func (s *BillingInbox) list(ctx context.Context, where string, arguments ...any) ([]messages.BillingEvent, error) {
	return Collect(ctx, s.db.reader, "list billing events", func(row Row) (e messages.BillingEvent, err error) {
		err = row.Scan(&e.ID, &e.Type, &e.Claimed, &e.Customer, &e.Subscription, &e.Invoice, &e.State, IntoTime(&e.ReceivedAt))
		return e, err
	}, `SELECT event_id, event_type, claimed, customer, subscription, invoice, state, received_at FROM billing_inbox `+where, arguments...)
}

// parseOrganization returns the id in the metadata of an event, or false.
func parseOrganization(text string) (organization.ID, bool) {
	id, err := captable.ParseID[organization.Organization](text)
	return id, err == nil && !id.IsZero()
}
