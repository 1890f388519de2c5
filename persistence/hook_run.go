package persistence

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
)

const runColumns = `run_id, organization, request, status, summary, delivered, reason, attempts, created_at, ended_at`

// runs returns the runs that the condition selects.
func (s *Hooks) runs(ctx context.Context, where string, arguments ...any) ([]messages.HookRun, error) {
	return Collect(ctx, s.db.reader, "read hook runs", func(row Row) (run messages.HookRun, err error) {
		err = row.Scan(&run.RunID, IntoBytes(run.Organization[:]), intoJSON{&run.HookAgent}, &run.Status, &run.Summary, &run.Delivered, &run.Reason,
			&run.Attempts, IntoTime(&run.CreatedAt), IntoTime(&run.EndedAt))
		return run, err
	}, `SELECT `+runColumns+` FROM hook_run `+where, arguments...)
}

// Due returns the oldest runs that have not ended and are not leased, in order of their creation.
func (s *Hooks) Due(ctx context.Context, id organization.ID, now time.Time, limit int) ([]messages.HookRun, error) {
	return s.runs(ctx, `WHERE organization = $1 AND ended_at IS NULL AND leased_until <= $2 ORDER BY created_at, run_id LIMIT $3`,
		id[:], Micros(now), limit)
}

// Open reports whether a run of the organization has not ended.
func (s *Hooks) Open(ctx context.Context, id organization.ID) (bool, error) {
	return exists(ctx, s.db.reader, `SELECT 1 FROM hook_run WHERE organization = $1 AND ended_at IS NULL LIMIT 1`, id[:])
}

// Lease starts an attempt of a run. It reports false if the run has ended, or if another server has leased it.
func (s *Hooks) Lease(ctx context.Context, runID string, now, until time.Time) (bool, error) {
	return Affect(ctx, s.db.writer, "lease hook run", `UPDATE hook_run SET status = $2, attempts = attempts + 1, leased_until = $4
		WHERE run_id = $1 AND ended_at IS NULL AND leased_until <= $3`, runID, messages.HookRunning, Micros(now), Micros(until))
}

// Renew extends the lease of a run that has not ended.
func (s *Hooks) Renew(ctx context.Context, runID string, until time.Time) error {
	return Execute(ctx, s.db.writer, "renew hook run", `UPDATE hook_run SET leased_until = $2 WHERE run_id = $1 AND ended_at IS NULL`,
		runID, Micros(until))
}

// Return ends the lease of a run without a result.
func (s *Hooks) Return(ctx context.Context, runID string) error {
	return Execute(ctx, s.db.writer, "return hook run", `UPDATE hook_run SET status = $2, leased_until = 0 WHERE run_id = $1 AND ended_at IS NULL`,
		runID, messages.HookQueued)
}

// Finish stores the end of a run with the event of its summary. It reports false if the run has ended already; then nothing is stored.
func (s *Hooks) Finish(ctx context.Context, run messages.HookRun, end messages.HookOutcome, now time.Time) (ended bool, err error) {
	changes := []change{
		{"finish hook run", `UPDATE hook_run SET status = $2, summary = $3, delivered = $4, reason = $5, ended_at = $6
			WHERE run_id = $1 AND ended_at IS NULL`, []any{
			run.RunID, end.Status, messages.HookText(end.HookResult), end.Delivered, end.Reason, Micros(now),
		}, errMoved},
		{"add hook event", `INSERT INTO hook_event (id, organization, at, text, source, handled) VALUES ($1, $2, $3, $4, $5, FALSE)`, []any{
			end.Event, run.Organization[:], Micros(now), messages.HookSummary(run.Name, end.HookResult), "run:" + run.RunID,
		}, nil},
	}
	if run.WakeMode == messages.HookNow {
		changes = append(changes, change{
			"request heartbeat", `INSERT INTO hook_heartbeat (organization, requested_at) VALUES ($1, $2)` + onHeartbeat,
			[]any{run.Organization[:], Micros(now)},
			nil,
		})
	}
	err = s.db.together(ctx, changes...)
	if errors.Is(err, errMoved) {
		return false, nil
	}
	return err == nil, err
}

// Recover makes the runs due that have not ended. If this process is the only owner of the store, it also ends their leases: the
// processes that held them have ended. The alarms lose their leases in any case: the leases of the runs keep servers apart.
func (s *Hooks) Recover(ctx context.Context, now time.Time) error {
	if s.db.owns() {
		if err := Execute(ctx, s.db.writer, "release hook runs", `UPDATE hook_run SET leased_until = 0 WHERE ended_at IS NULL AND leased_until > 0`); err != nil {
			return err
		}
	}
	return Execute(ctx, s.db.writer, "arm hook runs", `INSERT INTO alarm (organization, consumer, due_at, leased_until, first_sequence, last_sequence, generation)
		SELECT DISTINCT organization, CAST($1 AS TEXT), CAST($2 AS BIGINT), 0, 0, 0, CAST($2 AS BIGINT) FROM hook_run WHERE ended_at IS NULL
		ON CONFLICT (organization, consumer) DO UPDATE SET leased_until = 0,
			due_at = CASE WHEN alarm.due_at < excluded.due_at THEN alarm.due_at ELSE excluded.due_at END`+raised, messages.HookConsumer, Micros(now))
}
