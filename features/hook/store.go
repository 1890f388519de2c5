package hook

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
	"time"

	"equity/hooks"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// Store stores accepted hooks: the events of main sessions and the requested runs.
type Store struct{ db *persistence.Database }

// NewStore returns the Store of db.
func NewStore(db *persistence.Database) *Store { return &Store{db: db} }

// The names in the store, which never change: the subject of the log of calls, and the signed table of the tokens.
const (
	callsOfHooks = "hook"
	tokenTable   = "hook_token"
)

// repetitionAge is the time in which a repetition of a hook has no effect.
const repetitionAge = 24 * time.Hour

// alarmLease is the time in which other servers leave the alarm of new runs to this one.
const alarmLease = time.Second

// Accept counts and stores the hooks in one transaction, and returns a receipt for each. It does not store hooks beyond the limits of
// their organization, or repetitions within 24 hours. A repetition counts as a hook without a run.
func (s *Store) Accept(ctx context.Context, accepted []Hook, windows []messages.CallWindow) ([]Receipt, error) {
	if len(accepted) == 0 {
		return nil, nil
	}
	var receipts []Receipt
	err := s.db.Decided(ctx, func(ctx context.Context) ([]persistence.Statement, error) {
		a := &acceptance{hooks: accepted, known: map[repeatable]string{}}
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
	hooks    []Hook
	receipts []Receipt
	known    map[repeatable]string // the answers of hooks that were stored before
}

// repeatable is a hook that the sender can repeat.
type repeatable struct {
	organization organization.ID
	repetition   [32]byte
}

func repeatableOf(h *Hook) (key repeatable, ok bool) {
	key = repeatable{h.Source().Organization, h.Repetition()}
	return key, key.repetition != [32]byte{}
}

// find reads the answers of the hooks that were stored before.
func (a *acceptance) find(ctx context.Context, db *persistence.Database) error {
	for i := range a.hooks {
		h := &a.hooks[i]
		key, ok := repeatableOf(h)
		if _, found := a.known[key]; !ok || found {
			continue
		}
		answer, found, err := persistence.First(ctx, db.Reader(), "find repetition", persistence.Value[string],
			`SELECT answer FROM hook_repetition WHERE organization = $1 AND repetition = $2 AND created_at > $3`,
			key.organization[:], key.repetition[:], persistence.Micros(h.At.Add(-repetitionAge)))
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
func (a *acceptance) count(
	ctx context.Context, db *persistence.Database, windows []messages.CallWindow,
) (changes []persistence.Statement, err error) {
	var of []organization.ID
	for i := range a.hooks {
		of = append(of, a.hooks[i].Source().Organization)
	}
	logs, err := persistence.CallLogs(ctx, db, callsOfHooks, of...)
	if err != nil {
		return nil, err
	}
	answers := maps.Clone(a.known)
	for i := range a.hooks {
		h := &a.hooks[i]
		key, repeatable := repeatableOf(h)
		receipt, kind := Receipt{ID: h.ID}, h.Kind()
		if answer, found := answers[key]; found && repeatable {
			receipt, kind = Receipt{ID: answer, Repeated: true}, callWake
		}
		log := logs[of[i]]
		if limit, full := errors.AsType[*messages.CallLimitError](log.Admit(kind, h.At, windows)); full {
			receipt.Refused = limit
		} else if repeatable {
			answers[key] = receipt.ID
		}
		receipt.Counted = log.Calls
		a.receipts = append(a.receipts, receipt)
	}
	for _, in := range slices.SortedFunc(maps.Keys(logs), compareIDs) { // servers use the same order, which prevents a deadlock
		if !logs[in].Changed {
			continue
		}
		counted, err := logs[in].Replaced(a.hooks[0].At)
		if err != nil {
			return nil, err
		}
		changes = append(changes, counted)
	}
	return changes, nil
}

// claims returns the changes that claim the identities of the stored hooks.
func (a *acceptance) claims() (claims []persistence.Statement) {
	stored := map[repeatable]*Hook{}
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
		claims = append(claims, persistence.Statement{
			Operation: "claim", Text: `INSERT INTO hook_repetition (organization, repetition, answer, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (organization, repetition) DO UPDATE SET answer = excluded.answer, created_at = excluded.created_at
			WHERE hook_repetition.created_at <= $5`,
			Arguments: []any{key.organization[:], key.repetition[:], h.ID, persistence.Micros(h.At), persistence.Micros(h.At.Add(-repetitionAge))},
			Refused:   persistence.ErrMoved,
		})
	}
	return claims
}

func compareIDs(x, y organization.ID) int { return bytes.Compare(x[:], y[:]) }

// store returns the changes that store the admitted hooks that are no repetitions.
func (a *acceptance) store() ([]persistence.Statement, error) {
	var events, runs, beats [][]any
	var alarms []persistence.WakeAlarm
	beaten, armed := map[organization.ID]bool{}, map[organization.ID]bool{}
	for i := range a.hooks {
		h := &a.hooks[i]
		id, at := h.Source().Organization, persistence.Micros(h.At)
		switch {
		case !a.receipts[i].Stored():
		case h.Agent != nil:
			request, err := json.Marshal(h.Agent) //nolint:gosec // the session key names a conversation and is no secret
			if err != nil {
				return nil, err
			}
			runs = append(runs, []any{h.ID, id[:], request, queued, "", false, "", 0, 0, at})
			if !armed[id] {
				armed[id] = true
				alarms = append(alarms, persistence.WakeAlarm{
					Organization: id, Consumer: ConsumerName, Due: h.At, Leased: h.At.Add(alarmLease),
				})
			}
		default:
			events = append(events, []any{h.ID, id[:], at, h.Wake.Text, "wake", false})
			if h.Wake.Mode == hooks.Now && !beaten[id] {
				beaten[id] = true
				beats = append(beats, []any{id[:], at})
			}
		}
	}
	slices.SortFunc(beats, func(x, y []any) int { // as the alarms
		left, _ := x[0].([]byte)
		right, _ := y[0].([]byte)
		return bytes.Compare(left, right)
	})
	return slices.Concat(
		inserted(`hook_event (id, organization, at, text, source, handled)`, events, ``),
		inserted(`hook_run (run_id, organization, request, status, summary, delivered, reason, attempts, leased_until, created_at)`, runs, ``),
		inserted(`hook_heartbeat (organization, requested_at)`, beats, onHeartbeat),
		persistence.Raise(alarms...),
	), nil
}

const onHeartbeat = ` ON CONFLICT (organization) DO UPDATE SET requested_at = excluded.requested_at`

// inserted returns the statement that adds rows to the columns of a table; none without rows.
func inserted(columns string, rows [][]any, conflict string) []persistence.Statement {
	return persistence.Inserted("insert hooks", `INSERT INTO `+columns+` VALUES `, rows, conflict)
}

// AddToken stores the hash of a token. A repetition has no effect.
func (s *Store) AddToken(ctx context.Context, source hooks.Source, hash [32]byte, now time.Time) error {
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		added, err := persistence.Affect(ctx, tx, "add hook token", `INSERT INTO hook_token (hash, organization, id, created_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (hash) DO NOTHING`, hash[:], source.Organization[:], source.Token[:], persistence.Micros(now))
		if err != nil || !added {
			return err
		}
		return persistence.SignRow(ctx, s.db, tx, tokenTable, hash[:])
	})
}

// RemoveToken removes the hash of a token.
func (s *Store) RemoveToken(ctx context.Context, source hooks.Source) error {
	return persistence.Execute(ctx, s.db.Writer(), "remove hook token", `DELETE FROM hook_token WHERE organization = $1 AND id = $2`,
		source.Organization[:], source.Token[:])
}

// Source returns the organization of the token with the SHA-256, or false if no valid token has it.
func (s *Store) Source(ctx context.Context, hash [32]byte) (source hooks.Source, ok bool, err error) {
	column, ok, err := persistence.FindSigned(ctx, s.db, tokenTable, `hash = $1`, hash[:])
	if !ok {
		return source, false, err
	}
	copy(source.Organization[:], column("organization"))
	copy(source.Token[:], column("id"))
	return source, true, nil
}

// Forget removes ended runs and events from before the given time, and expired repetitions.
func (s *Store) Forget(ctx context.Context, before, now time.Time) error {
	runs := persistence.Execute(ctx, s.db.Writer(), "forget hook runs", `DELETE FROM hook_run WHERE created_at < $1 AND ended_at IS NOT NULL`, persistence.Micros(before))
	events := persistence.Execute(ctx, s.db.Writer(), "forget hook events", `DELETE FROM hook_event WHERE at < $1`, persistence.Micros(before))
	repetitions := persistence.Execute(ctx, s.db.Writer(), "forget hook repetitions", `DELETE FROM hook_repetition WHERE created_at < $1`,
		persistence.Micros(now.Add(-repetitionAge)))
	return errors.Join(runs, events, repetitions)
}

// The numbers of records in a session.
const (
	mostSessionEvents = 200
	mostSessionRuns   = 100
)

// Session returns the latest events and runs of an organization, in order of their creation.
func (s *Store) Session(ctx context.Context, id organization.ID) (session Session, err error) {
	moment := func(row persistence.Row) (at time.Time, err error) {
		err = row.Scan(persistence.IntoTime(&at))
		return at, err
	}
	session.HeartbeatRequestedAt, _, err = persistence.First(ctx, s.db.Reader(), "read heartbeat", moment,
		`SELECT requested_at FROM hook_heartbeat WHERE organization = $1`, id[:])
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

func (s *Store) events(ctx context.Context, id organization.ID) ([]Event, error) {
	events, err := persistence.Collect(ctx, s.db.Reader(), "read hook events", func(row persistence.Row) (event Event, err error) {
		err = row.Scan(&event.ID, persistence.IntoTime(&event.At), &event.Text, &event.Source, &event.Handled)
		return event, err
	}, `SELECT id, at, text, source, handled FROM hook_event WHERE organization = $1 ORDER BY id DESC LIMIT $2`, id[:], mostSessionEvents)
	slices.Reverse(events)
	return events, err
}

// HandleEvents marks the events up to the id as read by a heartbeat.
func (s *Store) HandleEvents(ctx context.Context, id organization.ID, upTo string) error {
	return persistence.Execute(ctx, s.db.Writer(), "handle hook events", `UPDATE hook_event SET handled = TRUE WHERE organization = $1 AND id <= $2 AND NOT handled`,
		id[:], upTo)
}
