package persistence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Consumers stores the cursors and the alarms of consumers of the journal.
type Consumers struct {
	db *Database
	// holder is the server that claims alarms; see [Nodes].
	holder string
	// retried are the statements of Retry, by the name of the consumer.
	retried map[string]func(id organization.ID, instance string, now time.Time) Statement
}

// NewConsumers returns the Consumers of db.
func NewConsumers(db *Database) *Consumers { return &Consumers{db: db} }

// For returns the Consumers of a server of a cluster, whose claims end when the others forget it.
func (s *Consumers) For(node messages.Node) *Consumers {
	return &Consumers{db: s.db, holder: node.ID, retried: s.retried}
}

// Retrying returns the Consumers that run a statement in the transaction of each Retry of an instance of the consumer: scheduled attempts
// that the consumer stores beside its cursor become due.
func (s *Consumers) Retrying(
	consumer string, statement func(id organization.ID, instance string, now time.Time) Statement,
) *Consumers {
	with := *s
	with.retried = maps.Clone(s.retried)
	if with.retried == nil {
		with.retried = map[string]func(organization.ID, string, time.Time) Statement{}
	}
	with.retried[consumer] = statement
	return &with
}

// onAlarm merges a new alarm into an existing one: the earlier time and all events count. That of an armed instance, whose lease ends when it
// is due, does not change the time.
const onAlarm = `ON CONFLICT (organization, consumer) DO UPDATE SET
	due_at = CASE WHEN alarm.due_at < excluded.due_at OR excluded.due_at = excluded.leased_until THEN alarm.due_at ELSE excluded.due_at END,
	leased_until = CASE WHEN alarm.leased_until > excluded.leased_until THEN alarm.leased_until ELSE excluded.leased_until END,
	first_sequence = CASE WHEN alarm.first_sequence < excluded.first_sequence THEN alarm.first_sequence ELSE excluded.first_sequence END,
	last_sequence = CASE WHEN alarm.last_sequence > excluded.last_sequence THEN alarm.last_sequence ELSE excluded.last_sequence END`

const putAlarm = `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence)
	VALUES ($1, $2, $3, $4, $5, $6) ` + onAlarm

// armAlarm makes an instance due at the request of a user. It raises the generation, so that an instance that has not seen the request does
// not remove or delay the alarm. The generation of a new alarm is its time, so that it differs from those of removed ones.
const armAlarm = `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence, generation)
	VALUES ($1, $2, $3, $4, $5, $6, $3) ` + onAlarm + raised

// raised raises the generation of a stored alarm.
const raised = `,
	generation = CASE WHEN alarm.generation < excluded.generation THEN excluded.generation ELSE alarm.generation + 1 END`

// alarmRow is an alarm in its stored form.
type alarmRow struct {
	organization             organization.ID
	consumer                 string
	due, leased, first, last int64
}

func (r *alarmRow) arguments() []any {
	return []any{r.organization[:], r.consumer, r.due, r.leased, r.first, r.last}
}

// addWakes adds the alarms of the batch. They are due at once, and leased to this server unless they are open or the instance was armed before.
func (x *indexes) addWakes(batch *messages.Append) {
	if len(batch.Wakes) == 0 || len(batch.Rows) == 0 {
		return
	}
	at := batch.Rows[len(batch.Rows)-1].RecordedAt
	for _, wake := range batch.Wakes {
		var leased time.Time
		switch {
		case wake.Open:
		case wake.Armed:
			leased = at
		default:
			leased = at.Add(messages.WakeLease)
		}
		row := alarmRow{
			batch.Organization, wake.Consumer, Micros(at), LeasedMicros(leased),
			int64(wake.First), int64(wake.Last), //nolint:gosec // sequences count from 1
		}
		merged := false
		for i := range x.alarms {
			if known := &x.alarms[i]; known.organization == row.organization && known.consumer == row.consumer {
				known.due, known.leased = min(known.due, row.due), max(known.leased, row.leased)
				known.first, known.last, merged = min(known.first, row.first), max(known.last, row.last), true
			}
		}
		if !merged {
			x.alarms = append(x.alarms, row)
		}
	}
}

const cursorColumns = `sequence, epoch, state, failures, failing_since, last_success_at, last_error, next_attempt_at, version`

func scanCursor(row Row, before ...any) (c messages.Cursor, err error) {
	err = row.Scan(append(before, IntoCount(&c.Sequence), IntoCount(&c.Epoch), &c.State, &c.Failures, IntoTime(&c.FailingSince),
		IntoTime(&c.LastSuccessAt), &c.LastError, IntoTime(&c.NextAttemptAt), IntoCount(&c.Version))...)
	return c, err
}

// cursor returns the cursor of a consumer, or false.
func (s *Consumers) cursor(ctx context.Context, id organization.ID, consumer string) (messages.Cursor, bool, error) {
	return First(ctx, s.db.reader, "read cursor", func(row Row) (messages.Cursor, error) { return scanCursor(row) },
		`SELECT `+cursorColumns+` FROM consumer_cursor WHERE organization = $1 AND consumer = $2`, id[:], consumer)
}

// Load returns the cursor and the alarm of a consumer. They are zero if they do not exist.
func (s *Consumers) Load(ctx context.Context, id organization.ID, consumer string) (messages.Cursor, messages.Alarm, error) {
	cursor, _, err := s.cursor(ctx, id, consumer)
	if err != nil {
		return cursor, messages.Alarm{}, err
	}
	alarm, _, err := First(ctx, s.db.reader, "load alarm", scanAlarm, `SELECT `+alarmColumns+` FROM alarm
		WHERE organization = $1 AND consumer = $2`, id[:], consumer)
	return cursor, alarm, err
}

const alarmColumns = `organization, consumer, due_at, leased_until, first_sequence, last_sequence, generation`

func scanAlarm(row Row) (a messages.Alarm, err error) {
	err = row.Scan(IntoBytes(a.Organization[:]), &a.Consumer, IntoTime(&a.DueAt), IntoLease(&a.LeasedUntil),
		IntoCount(&a.First), IntoCount(&a.Last), IntoCount(&a.Generation))
	return a, err
}

// Save stores the cursor, whose Version is that of the cursor that was loaded, and changes the alarm unless rest is nil or the alarm has
// another generation than that of rest. It returns messages.ErrCursorMoved if the stored cursor has another version.
func (s *Consumers) Save(
	ctx context.Context, id organization.ID, consumer string, cursor messages.Cursor, rest *messages.Rest,
) error {
	changes := []change{saveCursor(id, consumer, cursor)}
	if rest != nil {
		changes = append(changes, change{"save alarm", `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence, generation)
			VALUES ($1, $2, $3, $4, $5, $5, $6) ON CONFLICT (organization, consumer) DO UPDATE
			SET due_at = excluded.due_at, leased_until = excluded.leased_until WHERE alarm.generation = excluded.generation`, []any{
			id[:], consumer, OptionalMicros(rest.DueAt), LeasedMicros(rest.LeasedUntil), int64(cursor.Sequence), int64(rest.Generation), //nolint:gosec // count from 1
		}, nil})
	}
	return s.db.together(ctx, changes...)
}

// LeasedMicros is Micros with 0 for the zero time.
func LeasedMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Micros(t)
}

// saveCursor returns the change that stores a cursor, unless the stored one has another version.
func saveCursor(id organization.ID, consumer string, c messages.Cursor) change {
	statement := `INSERT INTO consumer_cursor (organization, consumer, sequence, epoch, state, failures, failing_since,
		last_success_at, last_error, next_attempt_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (organization, consumer) DO NOTHING`
	if c.Version > 0 {
		statement = `UPDATE consumer_cursor SET sequence = $3, epoch = $4, state = $5, failures = $6, failing_since = $7,
			last_success_at = $8, last_error = $9, next_attempt_at = $10, version = $11
			WHERE organization = $1 AND consumer = $2 AND version = $11 - 1`
	}
	return change{"save cursor", statement, []any{
		id[:], consumer, int64(c.Sequence), int64(c.Epoch), c.State, c.Failures, //nolint:gosec // count from 1
		OptionalMicros(c.FailingSince), OptionalMicros(c.LastSuccessAt), c.LastError, OptionalMicros(c.NextAttemptAt),
		int64(c.Version + 1), //nolint:gosec // counts from 1
	}, messages.ErrCursorMoved}
}

// Clear removes the alarm, unless it has another generation than the held one or events after the sequence are pending. It then ends the lease of the
// held alarm.
func (s *Consumers) Clear(ctx context.Context, id organization.ID, consumer string, upTo uint64, held messages.Alarm) error {
	return s.db.together(ctx, clearAlarm(id, consumer, upTo, held)...)
}

func clearAlarm(id organization.ID, consumer string, upTo uint64, held messages.Alarm) []change {
	changes := []change{{
		"clear alarm", `DELETE FROM alarm WHERE organization = $1 AND consumer = $2 AND last_sequence <= $3 AND generation = $4`,
		[]any{id[:], consumer, int64(upTo), int64(held.Generation)}, //nolint:gosec // count from 1
		nil,
	}}
	if !held.LeasedUntil.IsZero() {
		changes = append(changes, change{
			"release alarm", `UPDATE alarm SET leased_until = 0 WHERE organization = $1 AND consumer = $2 AND leased_until = $3`,
			[]any{id[:], consumer, Micros(held.LeasedUntil)},
			nil,
		})
	}
	return changes
}

// Drop removes the cursor of an instance that no longer exists, and its alarm like Clear. It removes neither if the cursor has another version.
func (s *Consumers) Drop(ctx context.Context, id organization.ID, consumer string, version, upTo uint64, held messages.Alarm) error {
	dropped := change{
		"drop cursor", `DELETE FROM consumer_cursor WHERE organization = $1 AND consumer = $2 AND version = $3`,
		[]any{id[:], consumer, int64(version)}, //nolint:gosec // counts from 1
		nil,
	}
	if version > 0 {
		dropped.refused = messages.ErrCursorMoved
	}
	err := s.db.together(ctx, append([]change{dropped}, clearAlarm(id, consumer, upTo, held)...)...)
	if errors.Is(err, messages.ErrCursorMoved) {
		return nil
	}
	return err
}

// abandonedAlarm matches an alarm whose holder has ended.
const abandonedAlarm = `holder <> '' AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = alarm.holder)`

// Claim leases at most limit alarms that are due, oldest first. No other server receives them until the lease or the holder ends. An alarm
// or a lease that is far ahead was written by a clock that was ahead, and is due.
func (s *Consumers) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Alarm, error) {
	// The outer condition is not redundant: PostgreSQL evaluates it again for a row that another server has just claimed. Each inner one has an index.
	const (
		due   = `due_at IS NOT NULL AND due_at <= $1 AND leased_until <= $1`
		left  = `due_at IS NOT NULL AND due_at <= $1 AND leased_until > 0 AND leased_until > $1 AND ` + abandonedAlarm
		ahead = `due_at IS NOT NULL AND leased_until > 0 AND leased_until > $4`
		keys  = `SELECT organization, consumer FROM alarm WHERE `
	)
	return Collect(ctx, s.db.writer, "claim alarms", scanAlarm, `UPDATE alarm SET leased_until = $2, holder = $5
		WHERE (`+due+` OR `+left+` OR `+ahead+`) AND (organization, consumer) IN (SELECT organization, consumer FROM (
			SELECT * FROM (`+keys+due+` ORDER BY due_at LIMIT $3) oldest
			UNION ALL SELECT * FROM (`+keys+left+` LIMIT $3) dead
			UNION ALL SELECT * FROM (`+keys+ahead+` LIMIT $3) wrong LIMIT $3) found)
		RETURNING `+alarmColumns, Micros(now), Micros(now.Add(lease)), limit, Micros(now.Add(MaxDelay)), s.holder)
}

// ClaimEach leases the alarms of the given instances, also those that are not due yet, unless another server has a lease. A lease of this server can
// be one of an instance that has failed.
func (s *Consumers) ClaimEach(ctx context.Context, now time.Time, lease time.Duration, wanted []messages.Alarm) ([]messages.Alarm, error) {
	var instances strings.Builder
	arguments := []any{Micros(now), Micros(now.Add(lease)), Micros(now.Add(MaxDelay)), s.holder}
	for i, alarm := range wanted {
		if i > 0 {
			instances.WriteString(` OR `)
		}
		fmt.Fprintf(&instances, `organization = $%d AND consumer = $%d`, len(arguments)+1, len(arguments)+2) //nolint:mnd // two arguments
		arguments = append(arguments, alarm.Organization[:], alarm.Consumer)
	}
	return Collect(ctx, s.db.writer, "claim alarms", scanAlarm, `UPDATE alarm SET leased_until = $2, holder = $4
		WHERE due_at IS NOT NULL AND (leased_until <= $1 OR leased_until > $3 OR holder <> '' AND holder = $4 OR `+abandonedAlarm+`)
			AND (`+instances.String()+`) RETURNING `+alarmColumns, arguments...)
}

// Release ends all leases. This process must be the only server of the store: the processes that held them have ended.
func (s *Consumers) Release(ctx context.Context) error {
	if s.db.engine == SQLite && !s.db.owns() {
		return nil
	}
	return Execute(ctx, s.db.writer, "release alarms", `UPDATE alarm SET leased_until = 0 WHERE leased_until > 0`)
}
