package persistence

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// DriveSyncs stores the progress of synchronizations with cloud drives.
type DriveSyncs struct{ db *Database }

// NewDriveSyncs returns the DriveSyncs of db.
func NewDriveSyncs(db *Database) *DriveSyncs { return &DriveSyncs{db} }

// Syncs returns the progress of the configurations of the organization.
func (s *DriveSyncs) Syncs(ctx context.Context, id organization.ID) (map[organization.SyncID]messages.DriveSync, error) {
	all := map[organization.SyncID]messages.DriveSync{}
	err := each(ctx, s.db.reader, "read synchronizations", func(row scanner) error {
		var sync messages.DriveSync
		err := row.Scan(
			intoBytes(sync.Configuration[:]), &sync.PageToken, &sync.Scope, intoTime(&sync.NextAt), intoTime(&sync.LastSyncAt), &sync.Error,
		)
		all[sync.Configuration] = sync
		return err
	}, `SELECT configuration, page_token, scope, next_at, last_sync_at, error FROM drive_sync WHERE organization = $1`, id[:])
	return all, err
}

// SetSync stores the progress of a configuration.
func (s *DriveSyncs) SetSync(ctx context.Context, id organization.ID, one messages.DriveSync) error {
	return setDriveSync(ctx, s.db.writer, id, one)
}

func setDriveSync(ctx context.Context, on executor, id organization.ID, one messages.DriveSync) error {
	return execute(ctx, on, "store synchronization", `INSERT INTO drive_sync
		(configuration, organization, page_token, scope, next_at, last_sync_at, error) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (configuration) DO UPDATE SET page_token = excluded.page_token, scope = excluded.scope, next_at = excluded.next_at,
		last_sync_at = excluded.last_sync_at, error = excluded.error`,
		one.Configuration[:], id[:], one.PageToken, one.Scope, optionalMicros(one.NextAt), optionalMicros(one.LastSyncAt), one.Error)
}

// Forget removes the progress and the files of a configuration, or of all configurations of the organization if it is zero. Runs with
// work are cancelled.
func (s *DriveSyncs) Forget(ctx context.Context, id organization.ID, configuration organization.SyncID, now time.Time) error {
	where, arguments := `organization = $1`, []any{id[:]}
	if !configuration.IsZero() {
		where, arguments = `organization = $1 AND configuration = $2`, []any{id[:], configuration[:]}
	}
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"drive_file", "drive_sync"} {
			if err := execute(ctx, tx, "forget synchronization", `DELETE FROM `+table+` WHERE `+where, arguments...); err != nil {
				return err
			}
		}
		cancel := fmt.Sprintf(`UPDATE drive_run SET status = '%s', completed_at = %d, resume_at = NULL WHERE status IN ('%s', '%s') AND `,
			messages.DriveCancelled, micros(now), messages.DriveRunning, messages.DrivePartial)
		return execute(ctx, tx, "cancel runs", cancel+where, arguments...)
	})
}

const driveRunColumns = `id, organization, configuration, status, error, processed, added, updated, skipped, failed,
	triggered_at, started_at, completed_at, resume_at, progress`

// Trigger stores a run, unless the configuration has one with work. That one continues at once.
func (s *DriveSyncs) Trigger(ctx context.Context, run messages.DriveRun) (messages.DriveRun, error) {
	arguments, err := driveRunArguments(&run)
	if err != nil {
		return run, err
	}
	added, err := affect(ctx, s.db.writer, "trigger run", `INSERT INTO drive_run (`+driveRunColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING`, arguments...)
	if err != nil || added {
		return run, err
	}
	err = execute(ctx, s.db.writer, "resume run", `UPDATE drive_run SET resume_at = NULL, status = $2 WHERE configuration = $1 AND status = $3`,
		run.Configuration[:], messages.DriveRunning, messages.DrivePartial)
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
func (s *DriveSyncs) OpenRuns(ctx context.Context, id organization.ID) ([]messages.DriveRun, error) {
	return s.runs(ctx, `WHERE organization = $1 AND status IN ('running', 'partial') ORDER BY triggered_at, id`, id[:])
}

// Run returns a run, or false.
func (s *DriveSyncs) Run(ctx context.Context, run [16]byte) (messages.DriveRun, bool, error) {
	return s.run(ctx, `WHERE id = $1`, run[:])
}

// History returns at most limit runs of the organization, the latest first. A zero configuration selects those of all configurations.
func (s *DriveSyncs) History(
	ctx context.Context, id organization.ID, configuration organization.SyncID, limit int,
) ([]messages.DriveRun, error) {
	if configuration.IsZero() {
		return s.runs(ctx, `WHERE organization = $1 ORDER BY triggered_at DESC, id DESC LIMIT $2`, id[:], limit)
	}
	return s.runs(ctx, `WHERE organization = $1 AND configuration = $3 ORDER BY triggered_at DESC, id DESC LIMIT $2`, id[:], limit, configuration[:])
}

// SaveRun stores the state of a run with the files that it examined, and the progress of the configuration unless it is nil, in one
// transaction. It returns false if the run was cancelled.
func (s *DriveSyncs) SaveRun(
	ctx context.Context, run *messages.DriveRun, files []messages.DriveFile, sync *messages.DriveSync,
) (saved bool, err error) {
	arguments, err := driveRunArguments(run)
	if err != nil {
		return false, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		saved, err = affect(ctx, tx, "store run", `UPDATE drive_run SET status = $4, error = $5, processed = $6, added = $7, updated = $8,
			skipped = $9, failed = $10, triggered_at = $11, started_at = $12, completed_at = $13, resume_at = $14, progress = $15
			WHERE id = $1 AND organization = $2 AND configuration = $3 AND status IN ('running', 'partial')`, arguments...)
		if err != nil || !saved {
			return err
		}
		for i := range files {
			if err := setDriveFile(ctx, tx, run, &files[i]); err != nil {
				return err
			}
		}
		if sync == nil {
			return nil
		}
		return setDriveSync(ctx, tx, run.Organization, *sync)
	})
	return saved, err
}
