package persistence

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Hooks stores accepted hooks: the events of main sessions and the requested runs.
type Hooks struct{ db *Database }

// NewHooks returns the Hooks of db.
func NewHooks(db *Database) *Hooks { return &Hooks{db: db} }

// repetitionAge is the time in which a repetition of a hook has no effect.
const repetitionAge = 24 * time.Hour

// hookLease is the time in which other servers leave the alarm of new runs to this one.
const hookLease = time.Second

// Accept counts and stores the hooks in one transaction, and returns a receipt for each. It does not store hooks beyond the limits of their
// organization, or repetitions within 24 hours. A repetition counts as a hook without a run.
func (s *Hooks) Accept(ctx context.Context, hooks []messages.Hook, windows []messages.CallWindow) ([]messages.HookReceipt, error) {
	if len(hooks) == 0 {
		return nil, nil
	}
	var receipts []messages.HookReceipt
	err := s.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		a := &acceptance{hooks: hooks, known: map[repeatable]string{}}
		if err := a.find(ctx, s.db); err != nil {
			return nil, err
		}
		counts, err := a.count(ctx, s.db, windows)
		if err != nil {
			return nil, err
		}
		receipts = a.receipts
		stored, err := a.store()
		return slices.Concat(counts, a.claims(), stored), err
	})
	if err != nil {
		return nil, fmt.Errorf("accept hooks: %w", err)
	}
	return receipts, nil
}

// acceptance is one transaction of Accept.
type acceptance struct {
	hooks    []messages.Hook
	receipts []messages.HookReceipt
	known    map[repeatable]string // the answers of hooks that were stored before
}

// repeatable is a hook that the sender can repeat.
type repeatable struct {
	organization organization.ID
	repetition   [32]byte
}

func repeatableOf(h *messages.Hook) (key repeatable, ok bool) {
	key = repeatable{h.Source().Organization, h.Repetition()}
	return key, key.repetition != [32]byte{}
}

// find reads the answers of the hooks that were stored before.
func (a *acceptance) find(ctx context.Context, db *Database) error {
	for i := range a.hooks {
		h := &a.hooks[i]
		key, ok := repeatableOf(h)
		if _, found := a.known[key]; !ok || found {
			continue
		}
		answer, found, err := First(ctx, db.reader, "find repetition", Value[string],
			`SELECT answer FROM hook_repetition WHERE organization = $1 AND repetition = $2 AND created_at > $3`,
			key.organization[:], key.repetition[:], Micros(h.At.Add(-repetitionAge)))
		if err != nil {
			return err
		}
		if found {
			a.known[key] = answer
		}
	}
	return nil
}

// count makes the receipts, and returns the changes that store the counts.
func (a *acceptance) count(ctx context.Context, db *Database, windows []messages.CallWindow) (changes []change, err error) {
	var of []organization.ID
	for i := range a.hooks {
		of = append(of, a.hooks[i].Source().Organization)
	}
	logs, err := callLogs(ctx, db, callsOfHooks, of...)
	if err != nil {
		return nil, err
	}
	answers := maps.Clone(a.known)
	for i := range a.hooks {
		h := &a.hooks[i]
		key, repeatable := repeatableOf(h)
		receipt, kind := messages.HookReceipt{ID: h.ID}, h.Kind()
		if answer, found := answers[key]; found && repeatable {
			receipt, kind = messages.HookReceipt{ID: answer, Repeated: true}, messages.CallWake
		}
		log := logs[of[i]]
		if limit, full := errors.AsType[*messages.CallLimitError](log.admit(kind, h.At, windows)); full {
			receipt.Refused = limit
		} else if repeatable {
			answers[key] = receipt.ID
		}
		receipt.Counted = log.calls
		a.receipts = append(a.receipts, receipt)
	}
	for _, in := range slices.SortedFunc(maps.Keys(logs), compareIDs) { // servers use the same order, which prevents a deadlock
		if !logs[in].changed {
			continue
		}
		counted, err := logs[in].replaced(a.hooks[0].At)
		if err != nil {
			return nil, err
		}
		changes = append(changes, counted)
	}
	return changes, nil
}

// claims returns the changes that claim the identities of the stored hooks.
func (a *acceptance) claims() (claims []change) {
	stored := map[repeatable]*messages.Hook{}
	for i := range a.hooks {
		if key, ok := repeatableOf(&a.hooks[i]); ok && a.receipts[i].Stored() {
			stored[key] = &a.hooks[i]
		}
	}
	order := slices.SortedFunc(maps.Keys(stored), func(x, y repeatable) int { // servers use the same order, which prevents a deadlock
		return cmp.Or(compareIDs(x.organization, y.organization), bytes.Compare(x.repetition[:], y.repetition[:]))
	})
	for _, key := range order {
		h := stored[key]
		claims = append(claims, change{
			"claim", `INSERT INTO hook_repetition (organization, repetition, answer, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (organization, repetition) DO UPDATE SET answer = excluded.answer, created_at = excluded.created_at
			WHERE hook_repetition.created_at <= $5`,
			[]any{key.organization[:], key.repetition[:], h.ID, Micros(h.At), Micros(h.At.Add(-repetitionAge))},
			errMoved,
		})
	}
	return claims
}

func compareIDs(x, y organization.ID) int { return bytes.Compare(x[:], y[:]) }

// store returns the changes that store the admitted hooks that are no repetitions.
func (a *acceptance) store() ([]change, error) {
	var events, runs, beats, alarms [][]any
	beaten, armed := map[organization.ID]bool{}, map[organization.ID]bool{}
	for i := range a.hooks {
		h := &a.hooks[i]
		id, at := h.Source().Organization, Micros(h.At)
		switch {
		case !a.receipts[i].Stored():
		case h.Agent != nil:
			request, err := json.Marshal(h.Agent) //nolint:gosec // the session key names a conversation and is no secret
			if err != nil {
				return nil, err
			}
			runs = append(runs, []any{h.ID, id[:], request, messages.HookQueued, "", false, "", 0, 0, at})
			if !armed[id] {
				armed[id] = true
				alarms = append(
					alarms, append((&alarmRow{id, messages.HookConsumer, at, Micros(h.At.Add(hookLease)), 0, 0}).arguments(), at),
				)
			}
		default:
			events = append(events, []any{h.ID, id[:], at, h.Wake.Text, "wake", false})
			if h.Wake.Mode == messages.HookNow && !beaten[id] {
				beaten[id] = true
				beats = append(beats, []any{id[:], at})
			}
		}
	}
	byOrganization := func(position int) func(x, y []any) int {
		return func(x, y []any) int {
			left, _ := x[position].([]byte)
			right, _ := y[position].([]byte)
			return bytes.Compare(left, right)
		}
	}
	slices.SortFunc(beats, byOrganization(0))
	slices.SortFunc(alarms, byOrganization(0))
	return slices.Concat(
		inserted(`INSERT INTO hook_event (id, organization, at, text, source, handled) VALUES `, events, ``),
		inserted(`INSERT INTO hook_run (run_id, organization, request, status, summary, delivered, reason, attempts, leased_until, created_at) VALUES `, runs, ``),
		inserted(`INSERT INTO hook_heartbeat (organization, requested_at) VALUES `, beats, onHeartbeat),
		inserted(`INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence, generation) VALUES `, alarms, onAlarm+raised),
	), nil
}

const onHeartbeat = ` ON CONFLICT (organization) DO UPDATE SET requested_at = excluded.requested_at`

// inserted returns the change that adds rows; none without rows.
func inserted(into string, rows [][]any, conflict string) []change {
	if len(rows) == 0 {
		return nil
	}
	statement := strings.Builder{}
	statement.WriteString(into)
	var arguments []any
	for i, row := range rows {
		if i > 0 {
			statement.WriteByte(',')
		}
		for j := range row {
			statement.WriteString(separators(j) + strconv.Itoa(len(arguments)+j+1))
		}
		statement.WriteByte(')')
		arguments = append(arguments, row...)
	}
	statement.WriteString(" " + conflict)
	return []change{{"insert hooks", statement.String(), arguments, nil}}
}

// AddToken stores the hash of a token. A repetition has no effect.
func (s *Hooks) AddToken(ctx context.Context, source messages.HookSource, hash [32]byte, now time.Time) error {
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		added, err := Affect(ctx, tx, "add hook token", `INSERT INTO hook_token (hash, organization, id, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (hash) DO NOTHING`, hash[:], source.Organization[:], source.Token[:], Micros(now))
		if err != nil || !added {
			return err
		}
		return s.db.rows.signRow(ctx, tx, signedHookToken(), hash[:])
	})
}

// RemoveToken removes the hash of a token.
func (s *Hooks) RemoveToken(ctx context.Context, source messages.HookSource) error {
	return Execute(ctx, s.db.writer, "remove hook token", `DELETE FROM hook_token WHERE organization = $1 AND id = $2`,
		source.Organization[:], source.Token[:])
}

// Source returns the organization of the token with the SHA-256, or false if no valid token has it.
func (s *Hooks) Source(ctx context.Context, hash [32]byte) (source messages.HookSource, ok bool, err error) {
	row, ok, err := s.db.rows.find(ctx, s.db.reader, signedHookToken(), `SELECT `+signedHookToken().all()+` FROM hook_token WHERE hash = $1`, hash[:])
	if !ok {
		return source, false, err
	}
	copy(source.Organization[:], row.bytes("organization"))
	copy(source.Token[:], row.bytes("id"))
	return source, true, nil
}

// Forget removes ended runs and events from before the given time, and expired repetitions.
func (s *Hooks) Forget(ctx context.Context, before, now time.Time) error {
	runs := Execute(ctx, s.db.writer, "forget hook runs", `DELETE FROM hook_run WHERE created_at < $1 AND ended_at IS NOT NULL`, Micros(before))
	events := Execute(ctx, s.db.writer, "forget hook events", `DELETE FROM hook_event WHERE at < $1`, Micros(before))
	repetitions := Execute(ctx, s.db.writer, "forget hook repetitions", `DELETE FROM hook_repetition WHERE created_at < $1`,
		Micros(now.Add(-repetitionAge)))
	return errors.Join(runs, events, repetitions)
}

// The numbers of records in a session.
const (
	mostSessionEvents = 200
	mostSessionRuns   = 100
)

// Session returns the latest events and runs of an organization, in order of their creation.
func (s *Hooks) Session(ctx context.Context, id organization.ID) (session messages.HookSession, err error) {
	_, err = scanRow(s.db.reader.QueryRowContext(ctx, `SELECT requested_at FROM hook_heartbeat WHERE organization = $1`, id[:]),
		"read heartbeat", IntoTime(&session.HeartbeatRequestedAt))
	if err != nil {
		return session, err
	}
	if session.Events, err = s.events(ctx, id); err != nil {
		return session, err
	}
	session.Runs, err = s.runs(ctx, `WHERE organization = $1 ORDER BY created_at DESC, run_id LIMIT $2`, id[:], mostSessionRuns)
	slices.Reverse(session.Runs)
	return session, err
}

func (s *Hooks) events(ctx context.Context, id organization.ID) ([]messages.HookEvent, error) {
	events, err := Collect(ctx, s.db.reader, "read hook events", func(row Row) (event messages.HookEvent, err error) {
		err = row.Scan(&event.ID, IntoTime(&event.At), &event.Text, &event.Source, &event.Handled)
		return event, err
	}, `SELECT id, at, text, source, handled FROM hook_event WHERE organization = $1 ORDER BY id DESC LIMIT $2`, id[:], mostSessionEvents)
	slices.Reverse(events)
	return events, err
}

// HandleEvents marks the events up to the id as read by a heartbeat.
func (s *Hooks) HandleEvents(ctx context.Context, id organization.ID, upTo string) error {
	return Execute(ctx, s.db.writer, "handle hook events", `UPDATE hook_event SET handled = TRUE WHERE organization = $1 AND id <= $2 AND NOT handled`,
		id[:], upTo)
}

// separators returns the text before the placeholder of a field.
func separators(field int) string {
	if field == 0 {
		return "($"
	}
	return ", $"
}
