package drive

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"equity/features/drive/connection"
	"equity/organization"
	"equity/persistence"
)

// Syncs returns the progress of the configurations of the organization.
func (s *Store) Syncs(ctx context.Context, id organization.ID) (map[connection.SyncID]SyncState, error) {
	stored, err := persistence.Collect(ctx, s.db.Reader(), "read synchronizations", func(row persistence.Row) (one SyncState, err error) {
		err = row.Scan(
			persistence.IntoBytes(one.Configuration[:]), &one.PageToken, &one.Scope, persistence.IntoTime(&one.NextAt),
			persistence.IntoTime(&one.LastSyncAt), &one.Error,
		)
		return one, err
	}, `SELECT configuration, page_token, scope, next_at, last_sync_at, error FROM drive_sync WHERE organization = $1`, id[:])
	all := map[connection.SyncID]SyncState{}
	for _, one := range stored {
		all[one.Configuration] = one
	}
	return all, err
}

// SetSync stores the progress of a configuration.
func (s *Store) SetSync(ctx context.Context, id organization.ID, one SyncState) error {
	return setSync(ctx, s.db.Writer(), id, one)
}

func setSync(ctx context.Context, on executor, id organization.ID, one SyncState) error {
	return persistence.Execute(ctx, on, "store synchronization", `INSERT INTO drive_sync
		(configuration, organization, page_token, scope, next_at, last_sync_at, error) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (configuration) DO UPDATE SET page_token = excluded.page_token, scope = excluded.scope, next_at = excluded.next_at,
		last_sync_at = excluded.last_sync_at, error = excluded.error`,
		one.Configuration[:], id[:], one.PageToken, one.Scope, persistence.OptionalMicros(one.NextAt), persistence.OptionalMicros(one.LastSyncAt), one.Error)
}

// Forget removes the progress and the files of a configuration, or of all configurations of the organization if it is zero. Runs with
// work are cancelled.
func (s *Store) Forget(ctx context.Context, id organization.ID, configuration connection.SyncID, now time.Time) error {
	where, arguments := `organization = $1`, []any{id[:]}
	if !configuration.IsZero() {
		where, arguments = `organization = $1 AND configuration = $2`, []any{id[:], configuration[:]}
	}
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"drive_file", "drive_sync"} {
			if err := persistence.Execute(ctx, tx, "forget synchronization", `DELETE FROM `+table+` WHERE `+where, arguments...); err != nil {
				return err
			}
		}
		cancel := fmt.Sprintf(`UPDATE drive_run SET status = '%s', completed_at = %d, resume_at = NULL WHERE status IN ('%s', '%s') AND `,
			RunCancelled, persistence.Micros(now), RunRunning, RunPartial)
		return persistence.Execute(ctx, tx, "cancel runs", cancel+where, arguments...)
	})
}

const runColumns = `id, organization, configuration, status, error, processed, added, updated, skipped, failed,
	triggered_at, started_at, completed_at, resume_at, progress`

// Trigger stores a run, unless the configuration has one with work. That one continues at once.
func (s *Store) Trigger(ctx context.Context, run Run) (Run, error) {
	arguments, err := runArguments(&run)
	if err != nil {
		return run, err
	}
	added, err := persistence.Affect(ctx, s.db.Writer(), "trigger run", `INSERT INTO drive_run (`+runColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING`, arguments...)
	if err != nil || added {
		return run, err
	}
	err = persistence.Execute(ctx, s.db.Writer(), "resume run", `UPDATE drive_run SET resume_at = NULL, status = $2 WHERE configuration = $1 AND status = $3`,
		run.Configuration[:], RunRunning, RunPartial)
	if err != nil {
		return run, err
	}
	found, ok, err := s.run(ctx, `WHERE configuration = $1 AND status IN ('running', 'partial')`, run.Configuration[:])
	if err != nil || !ok {
		return run, err // it ended in between, and has the state of the drive
	}
	return found, nil
}

// OpenRuns returns the runs of the organization with work, the earliest first.
func (s *Store) OpenRuns(ctx context.Context, id organization.ID) ([]Run, error) {
	return s.runs(ctx, `WHERE organization = $1 AND status IN ('running', 'partial') ORDER BY triggered_at, id`, id[:])
}

// Run returns a run, or false.
func (s *Store) Run(ctx context.Context, run [16]byte) (Run, bool, error) {
	return s.run(ctx, `WHERE id = $1`, run[:])
}

// History returns at most limit runs of the organization, the latest first. A zero configuration selects those of all configurations.
func (s *Store) History(
	ctx context.Context, id organization.ID, configuration connection.SyncID, limit int,
) ([]Run, error) {
	if configuration.IsZero() {
		return s.runs(ctx, `WHERE organization = $1 ORDER BY triggered_at DESC, id DESC LIMIT $2`, id[:], limit)
	}
	return s.runs(ctx, `WHERE organization = $1 AND configuration = $3 ORDER BY triggered_at DESC, id DESC LIMIT $2`, id[:], limit, configuration[:])
}

// SaveRun stores the state of a run with the files that it examined, and the progress of the configuration unless it is nil, in one
// transaction. It returns false if the run was cancelled.
func (s *Store) SaveRun(
	ctx context.Context, run *Run, files []CopiedFile, sync *SyncState,
) (saved bool, err error) {
	arguments, err := runArguments(run)
	if err != nil {
		return false, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		saved, err = persistence.Affect(ctx, tx, "store run", `UPDATE drive_run SET status = $4, error = $5, processed = $6, added = $7, updated = $8,
			skipped = $9, failed = $10, triggered_at = $11, started_at = $12, completed_at = $13, resume_at = $14, progress = $15
			WHERE id = $1 AND organization = $2 AND configuration = $3 AND status IN ('running', 'partial')`, arguments...)
		if err != nil || !saved {
			return err
		}
		for i := range files {
			if err := setFile(ctx, tx, run, &files[i]); err != nil {
				return err
			}
		}
		if sync == nil {
			return nil
		}
		return setSync(ctx, tx, run.Organization, *sync)
	})
	return saved, err
}
