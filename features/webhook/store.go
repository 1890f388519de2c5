package webhook

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/organization"
	"equity/persistence"
)

// The states of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryRetrying  = "retrying"
	DeliveryFailed    = "failed"
)

// Position is a position in the list of deliveries, whose order is the time of the last attempt, latest first, and then the
// id of the event.
type Position struct {
	// Before is the time of the last attempt; zero for the beginning of the list.
	Before time.Time
	// After is the id of an event. The list continues with the deliveries of the same time behind it; empty for earlier times only.
	After string
}

// Delivery is one event for one webhook, with the outcome of its last attempt.
type Delivery struct {
	// Webhook is the name of the webhook in the API.
	Webhook   string
	EventID   string
	EventType string
	// Sequence is that of the event in the journal.
	Sequence uint64
	// State is one of the Delivery constants.
	State string
	// StatusCode is the status of the last answer; 0 without an answer.
	StatusCode int
	Attempts   int
	// Duration is that of the last attempt.
	Duration time.Duration
	// Failure is the cause of a failed attempt.
	Failure   string
	CreatedAt time.Time
	// AttemptedAt is the time of the last attempt, NextAttemptAt that of the next one. They are zero without an attempt.
	AttemptedAt, NextAttemptAt time.Time
	// Body is the content of the event. It is stored only while an attempt is scheduled.
	Body []byte
}

// Store stores the attempts to deliver events to webhooks.
type Store struct{ db *persistence.Database }

// NewStore returns the Store of db.
func NewStore(db *persistence.Database) *Store { return &Store{db} }

const deliveryColumns = `webhook, event_id, event_type, sequence, state, status_code, attempts, duration_ms, failure, created_at,
	attempted_at, next_attempt_at, body`

const deliveryFields = 14

// Record stores the outcomes of attempts, in place of those of earlier attempts.
func (s *Store) Record(ctx context.Context, id organization.ID, deliveries []Delivery) error {
	if len(deliveries) == 0 {
		return nil
	}
	var values strings.Builder
	arguments := make([]any, 0, len(deliveries)*deliveryFields)
	for i := range deliveries {
		if i > 0 {
			values.WriteString(", ")
		}
		for field := range deliveryFields {
			values.WriteString(separators(field) + strconv.Itoa(len(arguments)+field+1))
		}
		values.WriteString(")")
		d := &deliveries[i]
		arguments = append(arguments, id[:], d.Webhook, d.EventID, d.EventType, int64(d.Sequence), d.State, d.StatusCode, d.Attempts, //nolint:gosec // counts from 1
			d.Duration.Milliseconds(), d.Failure, persistence.Micros(d.CreatedAt), persistence.LeasedMicros(d.AttemptedAt), persistence.OptionalMicros(d.NextAttemptAt), d.Body)
	}
	return persistence.Execute(ctx, s.db.Writer(), "record deliveries", `INSERT INTO webhook_delivery (organization, `+deliveryColumns+`)
		VALUES `+values.String()+` ON CONFLICT (organization, webhook, event_id) DO UPDATE SET state = excluded.state,
		status_code = excluded.status_code, attempts = excluded.attempts, duration_ms = excluded.duration_ms,
		failure = excluded.failure, attempted_at = excluded.attempted_at, next_attempt_at = excluded.next_attempt_at, body = excluded.body`,
		arguments...)
}

// separators returns the text before the placeholder of a field.
func separators(field int) string {
	if field == 0 {
		return "($"
	}
	return ", $"
}

// Pending returns the deliveries with a scheduled attempt, the earliest first.
func (s *Store) Pending(ctx context.Context, id organization.ID, webhook string, limit int) ([]Delivery, error) {
	return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at, event_id LIMIT $3`,
		id[:], webhook, limit)
}

// List returns the deliveries of a webhook behind the position, the latest attempt first.
func (s *Store) List(
	ctx context.Context, id organization.ID, webhook string, from Position, limit int,
) ([]Delivery, error) {
	last := int64(1<<63 - 1)
	if !from.Before.IsZero() {
		last = persistence.Micros(from.Before)
	}
	if from.After == "" {
		return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND attempted_at < $3 ORDER BY attempted_at DESC, event_id LIMIT $4`,
			id[:], webhook, last, limit)
	}
	return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND attempted_at <= $3 AND (attempted_at < $3 OR event_id > $4)
		ORDER BY attempted_at DESC, event_id LIMIT $5`, id[:], webhook, last, from.After, limit)
}

// Find returns a delivery, or false.
func (s *Store) Find(ctx context.Context, id organization.ID, webhook, event string) (Delivery, bool, error) {
	return persistence.First(ctx, s.db.Reader(), "find delivery", scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_delivery
		WHERE organization = $1 AND webhook = $2 AND event_id = $3`, id[:], webhook, event)
}

func (s *Store) list(ctx context.Context, where string, arguments ...any) ([]Delivery, error) {
	return persistence.Collect(ctx, s.db.Reader(), "list deliveries", scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_delivery `+where, arguments...)
}

func scanDelivery(row persistence.Row) (d Delivery, err error) {
	var took int64
	err = row.Scan(&d.Webhook, &d.EventID, &d.EventType, persistence.IntoCount(&d.Sequence), &d.State, &d.StatusCode, &d.Attempts, &took, &d.Failure,
		persistence.IntoTime(&d.CreatedAt), persistence.IntoLease(&d.AttemptedAt), persistence.IntoTime(&d.NextAttemptAt), &d.Body)
	d.Duration = time.Duration(took) * time.Millisecond
	return d, err
}

// GiveUp ends the scheduled attempts of a webhook that was turned off or deleted.
func (s *Store) GiveUp(ctx context.Context, id organization.ID, webhook string) error {
	return persistence.Execute(ctx, s.db.Writer(), "give up deliveries", `UPDATE webhook_delivery SET state = $3, next_attempt_at = NULL, body = NULL
		WHERE organization = $1 AND webhook = $2 AND next_attempt_at IS NOT NULL`, id[:], webhook, DeliveryFailed)
}

// overdueAfter is the time after which a scheduled attempt without an alarm is lost. An alarm is usually stored within the second.
const overdueAfter = time.Minute

// Rearm arms the webhooks with scheduled attempts that are due and have no alarm. It returns the number of these deliveries.
func (s *Store) Rearm(ctx context.Context, now time.Time) (number int, err error) {
	const lost = `FROM webhook_delivery WHERE next_attempt_at <= $1 AND NOT EXISTS (SELECT 1 FROM alarm
		WHERE alarm.organization = webhook_delivery.organization AND alarm.consumer = 'webhook/' || webhook_delivery.webhook)`
	err = s.db.Reader().QueryRowContext(ctx, `SELECT COUNT(*) `+lost, persistence.Micros(now.Add(-overdueAfter))).Scan(&number)
	switch {
	case err != nil:
		return 0, fmt.Errorf("count overdue deliveries: %w", err)
	case number == 0:
		return 0, nil
	}
	const head = `COALESCE((SELECT sequence FROM journal_head WHERE journal_head.organization = webhook_delivery.organization), 0)`
	err = persistence.Execute(ctx, s.db.Writer(), "arm overdue deliveries",
		`INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence)
		SELECT DISTINCT organization, 'webhook/' || webhook, CAST($2 AS BIGINT), CAST(0 AS BIGINT), `+head+`, `+head+` `+lost+`
		ON CONFLICT (organization, consumer) DO NOTHING`, persistence.Micros(now.Add(-overdueAfter)), persistence.Micros(now))
	return number, err
}

// Forget removes the deliveries of events that were first sent before the given time.
func (s *Store) Forget(ctx context.Context, before time.Time) error {
	return persistence.Execute(ctx, s.db.Writer(), "forget deliveries", `DELETE FROM webhook_delivery WHERE created_at < $1`, persistence.Micros(before))
}

// retry returns the statement by which the scheduled attempts of a webhook become due.
func retry(id organization.ID, webhook string, now time.Time) persistence.Statement {
	return persistence.Statement{Operation: "retry deliveries", Text: `UPDATE webhook_delivery SET next_attempt_at = $3
		WHERE organization = $1 AND webhook = $2 AND next_attempt_at > $3`, Arguments: []any{id[:], webhook, persistence.Micros(now)}}
}
