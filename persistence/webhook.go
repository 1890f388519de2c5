package persistence

import (
	"context"
	"strconv"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Deliveries stores the attempts to deliver events to webhooks.
type Deliveries struct{ db *Database }

// NewDeliveries returns the Deliveries of db.
func NewDeliveries(db *Database) *Deliveries { return &Deliveries{db: db} }

const deliveryColumns = `webhook, event_id, event_type, sequence, state, status_code, attempts, duration_ms, failure, created_at,
	attempted_at, next_attempt_at, body`

const deliveryFields = 14

// Record stores the outcomes of attempts, in place of those of earlier attempts.
func (s *Deliveries) Record(ctx context.Context, id organization.ID, deliveries []messages.Delivery) error {
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
			d.Duration.Milliseconds(), d.Failure, micros(d.CreatedAt), leasedMicros(d.AttemptedAt), optionalMicros(d.NextAttemptAt), d.Body)
	}
	return execute(ctx, s.db.writer, "record deliveries", `INSERT INTO webhook_delivery (organization, `+deliveryColumns+`)
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
func (s *Deliveries) Pending(ctx context.Context, id organization.ID, webhook string, limit int) ([]messages.Delivery, error) {
	return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at, event_id LIMIT $3`,
		id[:], webhook, limit)
}

// List returns the deliveries of a webhook behind the position, the latest attempt first.
func (s *Deliveries) List(
	ctx context.Context, id organization.ID, webhook string, from messages.DeliveryPosition, limit int,
) ([]messages.Delivery, error) {
	last := int64(1<<63 - 1)
	if !from.Before.IsZero() {
		last = micros(from.Before)
	}
	if from.After == "" {
		return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND attempted_at < $3 ORDER BY attempted_at DESC, event_id LIMIT $4`,
			id[:], webhook, last, limit)
	}
	return s.list(ctx, `WHERE organization = $1 AND webhook = $2 AND attempted_at <= $3 AND (attempted_at < $3 OR event_id > $4)
		ORDER BY attempted_at DESC, event_id LIMIT $5`, id[:], webhook, last, from.After, limit)
}

// Find returns a delivery, or false.
func (s *Deliveries) Find(ctx context.Context, id organization.ID, webhook, event string) (messages.Delivery, bool, error) {
	return first(ctx, s.db.reader, "find delivery", scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_delivery
		WHERE organization = $1 AND webhook = $2 AND event_id = $3`, id[:], webhook, event)
}

func (s *Deliveries) list(ctx context.Context, where string, arguments ...any) ([]messages.Delivery, error) {
	return collect(ctx, s.db.reader, "list deliveries", scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_delivery `+where, arguments...)
}

func scanDelivery(row scanner) (d messages.Delivery, err error) {
	var took int64
	err = row.Scan(&d.Webhook, &d.EventID, &d.EventType, intoCount(&d.Sequence), &d.State, &d.StatusCode, &d.Attempts, &took, &d.Failure,
		intoTime(&d.CreatedAt), intoLease(&d.AttemptedAt), intoTime(&d.NextAttemptAt), &d.Body)
	d.Duration = time.Duration(took) * time.Millisecond
	return d, err
}

// GiveUp ends the scheduled attempts of a webhook that was turned off or deleted.
func (s *Deliveries) GiveUp(ctx context.Context, id organization.ID, webhook string) error {
	return execute(ctx, s.db.writer, "give up deliveries", `UPDATE webhook_delivery SET state = $3, next_attempt_at = NULL, body = NULL
		WHERE organization = $1 AND webhook = $2 AND next_attempt_at IS NOT NULL`, id[:], webhook, messages.DeliveryFailed)
}

// overdueAfter is the time after which a scheduled attempt without an alarm is lost. An alarm is usually stored within the second.
const overdueAfter = time.Minute

// Rearm arms the webhooks with scheduled attempts that are due and have no alarm. It returns the number of these deliveries.
func (s *Deliveries) Rearm(ctx context.Context, now time.Time) (number int, err error) {
	const lost = `FROM webhook_delivery WHERE next_attempt_at <= $1 AND NOT EXISTS (SELECT 1 FROM alarm
		WHERE alarm.organization = webhook_delivery.organization AND alarm.consumer = 'webhook/' || webhook_delivery.webhook)`
	err = s.db.reader.QueryRowContext(ctx, `SELECT COUNT(*) `+lost, micros(now.Add(-overdueAfter))).Scan(&number)
	if err != nil || number == 0 {
		return 0, during("count overdue deliveries", err)
	}
	const head = `COALESCE((SELECT sequence FROM journal_head WHERE journal_head.organization = webhook_delivery.organization), 0)`
	err = execute(ctx, s.db.writer, "arm overdue deliveries",
		`INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence)
		SELECT DISTINCT organization, 'webhook/' || webhook, CAST($2 AS BIGINT), CAST(0 AS BIGINT), `+head+`, `+head+` `+lost+`
		ON CONFLICT (organization, consumer) DO NOTHING`, micros(now.Add(-overdueAfter)), micros(now))
	return number, err
}

// Forget removes the deliveries of events that were first sent before the given time.
func (s *Deliveries) Forget(ctx context.Context, before time.Time) error {
	return execute(ctx, s.db.writer, "forget deliveries", `DELETE FROM webhook_delivery WHERE created_at < $1`, micros(before))
}

// Arm makes an instance of a consumer due. Head is the end of the journal.
func (s *Consumers) Arm(ctx context.Context, id organization.ID, consumer string, head uint64, now time.Time) error {
	row := alarmRow{id, consumer, micros(now), 0, int64(head), int64(head)} //nolint:gosec // counts from 1
	return execute(ctx, s.db.writer, "arm", armAlarm, row.arguments()...)
}
