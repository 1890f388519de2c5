package persistence

import (
	"context"
	"errors"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Status returns the states of the consumers that have run in the organization or have work, in order of their names.
func (s *Consumers) Status(ctx context.Context, id organization.ID) ([]messages.ConsumerStatus, error) {
	return Collect(ctx, s.db.reader, "states of consumers", func(row Row) (status messages.ConsumerStatus, err error) {
		var consumer string
		var head, first, last uint64
		status.Cursor, err = scanCursor(row, &consumer, IntoCount(&head), IntoCount(&first), IntoCount(&last))
		status.Name, status.Instance, _ = strings.Cut(consumer, "/")
		return statusOf(status, head, first, last), err
	}, `SELECT consumer_cursor.consumer, COALESCE(journal_head.sequence, 0),
			COALESCE(alarm.first_sequence, 0), COALESCE(alarm.last_sequence, 0), `+qualified("consumer_cursor", cursorColumns)+`
		FROM consumer_cursor
		LEFT JOIN alarm ON alarm.organization = consumer_cursor.organization AND alarm.consumer = consumer_cursor.consumer
		LEFT JOIN journal_head ON journal_head.organization = consumer_cursor.organization
		WHERE consumer_cursor.organization = $1
		UNION ALL SELECT alarm.consumer, COALESCE(journal_head.sequence, 0), alarm.first_sequence, alarm.last_sequence,
			0, 0, '', 0, NULL AS failing_since, NULL AS last_success_at, '', NULL, 0
		FROM alarm LEFT JOIN journal_head ON journal_head.organization = alarm.organization
		WHERE alarm.organization = $1 AND NOT EXISTS (SELECT 1 FROM consumer_cursor
			WHERE consumer_cursor.organization = alarm.organization AND consumer_cursor.consumer = alarm.consumer)
		ORDER BY 1`, id[:])
}

// statusOf completes the state with the pending work.
func statusOf(status messages.ConsumerStatus, head, first, last uint64) messages.ConsumerStatus {
	if status.State == "" {
		status.State = messages.ConsumerOK
	}
	done := status.Sequence
	if first > 0 {
		done = max(done, first-1)
	}
	failing := status.State != messages.ConsumerOK
	if (failing || last > done) && head > done {
		status.Behind = head - done
	}
	if failing {
		status.Event = status.Sequence + 1
	}
	return status
}

// qualified adds the table to each column.
func qualified(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}

// Retry makes the next attempt of a failed or retrying consumer due; see Retrying. It returns messages.ErrNotFailed for any other.
func (s *Consumers) Retry(ctx context.Context, id organization.ID, consumer string, now time.Time) error {
	return commanded(ctx, func() error {
		changes, err := s.changeIn(ctx, id, consumer, now, func(cursor *messages.Cursor) error {
			cursor.State, cursor.Failures, cursor.FailingSince, cursor.NextAttemptAt = messages.ConsumerRetrying, 0, time.Time{}, time.Time{}
			return nil
		})
		if err != nil {
			return err
		}
		name, instance, _ := strings.Cut(consumer, "/")
		if retried := s.retried[name]; retried != nil {
			also := retried(id, instance, now)
			changes = append(changes, change{also.Operation, also.Text, also.Arguments, nil})
		}
		return s.db.together(ctx, changes...)
	})
}

// mostMoves bounds the repetitions of a command while the consumer stores its cursor.
const mostMoves = 20

// commanded repeats a command whose cursor the consumer has changed since it was read. The pauses grow, so that a consumer that stores its
// cursor continuously comes to an end.
func commanded(ctx context.Context, command func() error) (err error) {
	const longest = 100 * time.Millisecond
	pause := time.Millisecond
	for range mostMoves {
		if err = command(); !errors.Is(err, messages.ErrCursorMoved) {
			break
		}
		waited := time.NewTimer(pause)
		select {
		case <-waited.C:
		case <-ctx.Done():
			waited.Stop()
			return err
		}
		pause = min(pause*2, longest)
	}
	return err
}

// Skip moves the cursor of a failed consumer past one event, and records the author. A repetition does nothing. It returns
// messages.ErrNotFailed if the consumer has not failed at this event.
func (s *Consumers) Skip(ctx context.Context, id organization.ID, consumer string, sequence uint64, by string, now time.Time) error {
	return commanded(ctx, func() error {
		skipped, err := exists(ctx, s.db.reader, `SELECT 1 FROM consumer_skip WHERE organization = $1 AND consumer = $2 AND sequence = $3`,
			id[:], consumer, int64(sequence)) //nolint:gosec // counts from 1
		if err != nil || skipped {
			return err
		}
		changes, err := s.changeIn(ctx, id, consumer, now, func(cursor *messages.Cursor) error {
			if cursor.State != messages.ConsumerFailed || cursor.Sequence+1 != sequence {
				return messages.ErrNotFailed
			}
			version := cursor.Version
			*cursor = messages.Cursor{
				Sequence: sequence, Epoch: cursor.Epoch, State: messages.ConsumerOK, LastSuccessAt: cursor.LastSuccessAt, Version: version,
			}
			return nil
		})
		if err != nil {
			return err
		}
		return s.db.together(ctx, append(changes, change{"record skip", `INSERT INTO consumer_skip (organization, consumer, sequence, actor, skipped_at)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, []any{id[:], consumer, int64(sequence), by, Micros(now)}, nil})...) //nolint:gosec // counts from 1
	})
}

// changeIn returns the changes of the cursor of a consumer that has failed or retries, which make its alarm due.
func (s *Consumers) changeIn(
	ctx context.Context, id organization.ID, consumer string, now time.Time, decide func(*messages.Cursor) error,
) ([]change, error) {
	cursor, _, err := s.cursor(ctx, id, consumer)
	switch {
	case err != nil:
		return nil, err
	case cursor.State != messages.ConsumerFailed && cursor.State != messages.ConsumerRetrying:
		return nil, messages.ErrNotFailed
	}
	if err := decide(&cursor); err != nil {
		return nil, err
	}
	return []change{saveCursor(id, consumer, cursor), {"arm", `UPDATE alarm SET due_at = $3, leased_until = 0, generation = generation + 1
		WHERE organization = $1 AND consumer = $2`, []any{id[:], consumer, Micros(now)}, nil}}, nil
}

// Arm makes an instance of a consumer due. Head is the end of the journal.
func (s *Consumers) Arm(ctx context.Context, id organization.ID, consumer string, head uint64, now time.Time) error {
	row := alarmRow{id, consumer, Micros(now), 0, int64(head), int64(head)} //nolint:gosec // counts from 1
	return Execute(ctx, s.db.writer, "arm", armAlarm, row.arguments()...)
}

// Rewind moves the cursor back, so that the events from the given sequence on are handled again. A cursor that is at an
// earlier event stays there. Last is the end of the journal.
func (s *Consumers) Rewind(ctx context.Context, id organization.ID, consumer string, from, last, epoch uint64, now time.Time) error {
	return commanded(ctx, func() error {
		cursor, _, err := s.cursor(ctx, id, consumer)
		if err != nil {
			return err
		}
		if cursor.Epoch != epoch { // the instance handles no earlier events, but those that follow may be pending
			cursor.Epoch, cursor.Sequence = epoch, max(cursor.Sequence, epoch)
		}
		if cursor.Sequence >= from {
			cursor.Sequence = from - 1
		}
		if cursor.State == "" {
			cursor.State = messages.ConsumerOK
		}
		row := alarmRow{id, consumer, Micros(now), 0, int64(from), int64(last)} //nolint:gosec // count from 1
		return s.db.together(ctx, saveCursor(id, consumer, cursor), change{"arm", armAlarm, row.arguments(), nil})
	})
}

// ConsumerTotals are counts of all organizations, for metrics.
type ConsumerTotals struct {
	// Pending is the number of organizations with pending work, Failed that of organizations where a user must act.
	Pending, Failed int
}

// Totals returns the counts by the name of the consumer.
func (s *Consumers) Totals(ctx context.Context) (map[string]ConsumerTotals, error) {
	name := `substr(consumer, 1, instr(consumer || '/', '/') - 1)`
	if s.db.engine == PostgreSQL {
		name = `split_part(consumer, '/', 1)`
	}
	totals := map[string]ConsumerTotals{}
	err := each(ctx, s.db.reader, "count alarms", func(row Row) error {
		var name string
		var sum ConsumerTotals
		err := row.Scan(&name, &sum.Pending, &sum.Failed)
		totals[name] = sum
		return err
	}, `SELECT `+name+`, COUNT(*), COUNT(*) - COUNT(due_at) FROM alarm GROUP BY 1`)
	return totals, err
}
