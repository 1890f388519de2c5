package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// mostDriveFiles bounds the parameters of a query.
const mostDriveFiles = 500

const driveFileColumns = `external_id, parent, name, folder, document, fingerprint, run, queued, gone`

func setDriveFile(ctx context.Context, on executor, run *messages.DriveRun, f *messages.DriveFile) error {
	return execute(ctx, on, "store file of the drive", `INSERT INTO drive_file (configuration, organization, `+driveFileColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (configuration, external_id) DO UPDATE SET parent = excluded.parent,
		name = excluded.name, folder = excluded.folder, document = excluded.document, fingerprint = excluded.fingerprint, run = excluded.run,
		queued = excluded.queued, gone = excluded.gone`,
		run.Configuration[:], run.Organization[:], f.ExternalID, f.Parent, f.Name, f.Folder, f.Document[:], f.Fingerprint, f.Run[:],
		f.Queued, f.Gone)
}

// Files returns the files with the external ids, by these.
func (s *DriveSyncs) Files(
	ctx context.Context, configuration organization.SyncID, external []string,
) (map[string]messages.DriveFile, error) {
	found := map[string]messages.DriveFile{}
	for len(external) > 0 {
		part := external[:min(len(external), mostDriveFiles)]
		external = external[len(part):]
		arguments, places := []any{configuration[:]}, make([]string, 0, len(part))
		for _, id := range part {
			arguments = append(arguments, id)
			places = append(places, "$"+strconv.Itoa(len(arguments)))
		}
		files, err := s.files(ctx, `WHERE configuration = $1 AND external_id IN (`+strings.Join(places, ", ")+`)`, arguments...)
		if err != nil {
			return nil, err
		}
		for i := range files {
			found[files[i].ExternalID] = files[i]
		}
	}
	return found, nil
}

// Children returns the files in a folder of the drive.
func (s *DriveSyncs) Children(ctx context.Context, configuration organization.SyncID, parent string) ([]messages.DriveFile, error) {
	return s.files(ctx, `WHERE configuration = $1 AND parent = $2 ORDER BY external_id`, configuration[:], parent)
}

// NextFolder returns the next folder to be listed, or false.
func (s *DriveSyncs) NextFolder(ctx context.Context, configuration organization.SyncID) (messages.DriveFile, bool, error) {
	return first(ctx, s.db.reader, "find next folder of the drive", scanDriveFile,
		`SELECT `+driveFileColumns+` FROM drive_file WHERE configuration = $1 AND queued > 0 ORDER BY queued LIMIT 1`, configuration[:])
}

// MarkGone marks the files that a complete listing did not find. Parent limits them to those in one folder, unless it is empty.
func (s *DriveSyncs) MarkGone(ctx context.Context, configuration organization.SyncID, run [16]byte, parent string) error {
	return execute(ctx, s.db.writer, "mark files of the drive", `UPDATE drive_file SET gone = TRUE
		WHERE configuration = $1 AND run <> $2 AND ($3 = '' OR parent = $3)`, configuration[:], run[:], parent)
}

// Gone returns at most limit files that are no longer in the drive, and folders if there are no such files.
func (s *DriveSyncs) Gone(ctx context.Context, configuration organization.SyncID, limit int) ([]messages.DriveFile, error) {
	return s.files(ctx, `WHERE configuration = $1 AND gone ORDER BY folder, external_id LIMIT $2`, configuration[:], limit)
}

// ForgetFiles removes files in the transaction that stores the counts of the run. It returns false if the run was cancelled.
func (s *DriveSyncs) ForgetFiles(ctx context.Context, run *messages.DriveRun, external []string) (saved bool, err error) {
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		saved, err = affect(ctx, tx, "store run", `UPDATE drive_run SET processed = $2, updated = $3, failed = $4
			WHERE id = $1 AND status IN ('running', 'partial')`, run.ID[:], run.Processed, run.Updated, run.Failed)
		if err != nil || !saved {
			return err
		}
		for _, id := range external {
			err := execute(ctx, tx, "forget file of the drive", `DELETE FROM drive_file WHERE configuration = $1 AND external_id = $2`,
				run.Configuration[:], id)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return saved, err
}

// Claimed returns the copies of a file that other configurations made.
func (s *DriveSyncs) Claimed(
	ctx context.Context, id organization.ID, configuration organization.SyncID, external string,
) (claimed []document.ItemID, err error) {
	files, err := s.files(ctx, `WHERE organization = $1 AND external_id = $2 AND configuration <> $3`, id[:], external, configuration[:])
	for i := range files {
		claimed = append(claimed, files[i].Document)
	}
	return claimed, err
}

func (s *DriveSyncs) files(ctx context.Context, where string, arguments ...any) ([]messages.DriveFile, error) {
	return collect(ctx, s.db.reader, "read files of the drive", scanDriveFile, `SELECT `+driveFileColumns+` FROM drive_file `+where, arguments...)
}

func scanDriveFile(row scanner) (f messages.DriveFile, err error) {
	err = row.Scan(
		&f.ExternalID, &f.Parent, &f.Name, &f.Folder, intoBytes(f.Document[:]), &f.Fingerprint, intoBytes(f.Run[:]), &f.Queued, &f.Gone,
	)
	return f, err
}

func driveRunArguments(r *messages.DriveRun) ([]any, error) {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return nil, fmt.Errorf("store run: %w", err)
	}
	return []any{
		r.ID[:], r.Organization[:], r.Configuration[:], r.Status, r.Error, r.Processed, r.Added, r.Updated, r.Skipped, r.Failed,
		micros(r.TriggeredAt), optionalMicros(r.StartedAt), optionalMicros(r.CompletedAt), optionalMicros(r.ResumeAt), string(progress),
	}, nil
}

func (s *DriveSyncs) runs(ctx context.Context, where string, arguments ...any) ([]messages.DriveRun, error) {
	return collect(ctx, s.db.reader, "read runs", scanDriveRun, `SELECT `+driveRunColumns+` FROM drive_run `+where, arguments...)
}

func (s *DriveSyncs) run(ctx context.Context, where string, arguments ...any) (messages.DriveRun, bool, error) {
	return first(ctx, s.db.reader, "read run", scanDriveRun, `SELECT `+driveRunColumns+` FROM drive_run `+where, arguments...)
}

func scanDriveRun(row scanner) (r messages.DriveRun, err error) {
	err = row.Scan(intoBytes(r.ID[:]), intoBytes(r.Organization[:]), intoBytes(r.Configuration[:]), &r.Status, &r.Error, &r.Processed, &r.Added,
		&r.Updated, &r.Skipped, &r.Failed, intoTime(&r.TriggeredAt), intoTime(&r.StartedAt), intoTime(&r.CompletedAt),
		intoTime(&r.ResumeAt),
		intoJSON{&r.Progress})
	return r, err
}
