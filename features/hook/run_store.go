package hook

import (
	"context"
	"errors"
	"time"

	"equity/hooks"
	"equity/organization"
	"equity/persistence"
)

const runColumns = `run_id, organization, request, status, summary, delivered, reason, attempts, created_at, ended_at`

// runs returns the runs that the condition selects.
func (s *Store) runs(ctx context.Context, where string, arguments ...any) ([]Run, error) {
	return persistence.Collect(ctx, s.db.Reader(), "read hook runs", func(row persistence.Row) (run Run, err error) {
		err = row.Scan(&run.RunID, persistence.IntoBytes(run.Organization[:]), persistence.IntoJSON(&run.Agent), &run.Status, &run.Summary, &run.Delivered, &run.Reason,
			&run.Attempts, persistence.IntoTime(&run.CreatedAt), persistence.IntoTime(&run.EndedAt))
		return run, err
	}, `SELECT `+runColumns+` FROM hook_run `+where, arguments...)
}

// Due returns the oldest runs that have not ended and are not leased, in order of their creation.
func (s *Store) Due(ctx context.Context, id organization.ID, now time.Time, limit int) ([]Run, error) {
	return s.runs(ctx, `WHERE organization = $1 AND ended_at IS NULL AND leased_until <= $2 ORDER BY created_at, run_id LIMIT $3`,
		id[:], persistence.Micros(now), limit)
}

// Open reports whether a run of the organization has not ended.
func (s *Store) Open(ctx context.Context, id organization.ID) (bool, error) {
	_, open, err := persistence.First(ctx, s.db.Reader(), "find open run", persistence.Value[int],
		`SELECT 1 FROM hook_run WHERE organization = $1 AND ended_at IS NULL LIMIT 1`, id[:])
	return open, err
}

// Lease starts an attempt of a run. It reports false if the run has ended, or if another server has leased it.
func (s *Store) Lease(ctx context.Context, runID string, now, until time.Time) (bool, error) {
	return persistence.Affect(ctx, s.db.Writer(), "lease hook run", `UPDATE hook_run SET status = $2, attempts = attempts + 1, leased_until = $4
		WHERE run_id = $1 AND ended_at IS NULL AND leased_until <= $3`, runID, running, persistence.Micros(now), persistence.Micros(until))
}

// Renew extends the lease of a run that has not ended.
func (s *Store) Renew(ctx context.Context, runID string, until time.Time) error {
	return persistence.Execute(ctx, s.db.Writer(), "renew hook run", `UPDATE hook_run SET leased_until = $2 WHERE run_id = $1 AND ended_at IS NULL`,
		runID, persistence.Micros(until))
}

// Return ends the lease of a run without a result.
func (s *Store) Return(ctx context.Context, runID string) error {
	return persistence.Execute(ctx, s.db.Writer(), "return hook run", `UPDATE hook_run SET status = $2, leased_until = 0 WHERE run_id = $1 AND ended_at IS NULL`,
		runID, queued)
}

// Finish stores the end of a run with the event of its summary. It reports false if the run has ended already; then nothing is stored.
func (s *Store) Finish(ctx context.Context, run Run, end Outcome, now time.Time) (ended bool, err error) {
	changes := []persistence.Statement{
		{Operation: "finish hook run", Text: `UPDATE hook_run SET status = $2, summary = $3, delivered = $4, reason = $5, ended_at = $6
			WHERE run_id = $1 AND ended_at IS NULL`, Arguments: []any{
			run.RunID, end.Status, hooks.Text(end.Result), end.Delivered, end.Reason, persistence.Micros(now),
		}, Refused: persistence.ErrMoved},
		{Operation: "add hook event", Text: `INSERT INTO hook_event (id, organization, at, text, source, handled)
			VALUES ($1, $2, $3, $4, $5, FALSE)`, Arguments: []any{
			end.Event, run.Organization[:], persistence.Micros(now), hooks.Summary(run.Name, end.Result), "run:" + run.RunID,
		}},
	}
	if run.WakeMode == hooks.Now {
		changes = append(changes, persistence.Statement{
			Operation: "request heartbeat", Text: `INSERT INTO hook_heartbeat (organization, requested_at) VALUES ($1, $2)` + onHeartbeat,
			Arguments: []any{run.Organization[:], persistence.Micros(now)},
		})
	}
	err = s.db.Together(ctx, changes...)
	if errors.Is(err, persistence.ErrMoved) {
		return false, nil
	}
	return err == nil, err
}

// Recover makes the runs due that have not ended. If this process is the only owner of the store, it also ends their leases: the
// processes that held them have ended. The alarms lose their leases in any case: the leases of the runs keep servers apart.
func (s *Store) Recover(ctx context.Context, now time.Time) error {
	if s.db.Owns() {
		if err := persistence.Execute(ctx, s.db.Writer(), "release hook runs", `UPDATE hook_run SET leased_until = 0 WHERE ended_at IS NULL AND leased_until > 0`); err != nil {
			return err
		}
	}
	return s.db.Together(ctx, persistence.RaiseEach(ConsumerName, `FROM hook_run WHERE ended_at IS NULL`, now))
}
