package drive

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"equity/features/drive/connection"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
)

// mostFiles bounds the parameters of a query.
const mostFiles = 500

const fileColumns = `external_id, parent, name, folder, document, fingerprint, run, queued, gone`

func setFile(ctx context.Context, on executor, run *Run, f *CopiedFile) error {
	return persistence.Execute(ctx, on, "store file of the drive", `INSERT INTO drive_file (configuration, organization, `+fileColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (configuration, external_id) DO UPDATE SET parent = excluded.parent,
		name = excluded.name, folder = excluded.folder, document = excluded.document, fingerprint = excluded.fingerprint, run = excluded.run,
		queued = excluded.queued, gone = excluded.gone`,
		run.Configuration[:], run.Organization[:], f.ExternalID, f.Parent, f.Name, f.Folder, f.Document[:], f.Fingerprint, f.Run[:],
		f.Queued, f.Gone)
}

// Files returns the files with the external ids, by these.
func (s *Store) Files(
	ctx context.Context, configuration connection.SyncID, external []string,
) (map[string]CopiedFile, error) {
	found := map[string]CopiedFile{}
	for len(external) > 0 {
		part := external[:min(len(external), mostFiles)]
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
func (s *Store) Children(ctx context.Context, configuration connection.SyncID, parent string) ([]CopiedFile, error) {
	return s.files(ctx, `WHERE configuration = $1 AND parent = $2 ORDER BY external_id`, configuration[:], parent)
}

// NextFolder returns the next folder to be listed, or false.
func (s *Store) NextFolder(ctx context.Context, configuration connection.SyncID) (CopiedFile, bool, error) {
	return persistence.First(ctx, s.db.Reader(), "find next folder of the drive", scanFile,
		`SELECT `+fileColumns+` FROM drive_file WHERE configuration = $1 AND queued > 0 ORDER BY queued LIMIT 1`, configuration[:])
}

// MarkGone marks the files that a complete listing did not find. Parent limits them to those in one folder, unless it is empty.
func (s *Store) MarkGone(ctx context.Context, configuration connection.SyncID, run [16]byte, parent string) error {
	return persistence.Execute(ctx, s.db.Writer(), "mark files of the drive", `UPDATE drive_file SET gone = TRUE
		WHERE configuration = $1 AND run <> $2 AND ($3 = '' OR parent = $3)`, configuration[:], run[:], parent)
}

// Gone returns at most limit files that are no longer in the drive, and folders if there are no such files.
func (s *Store) Gone(ctx context.Context, configuration connection.SyncID, limit int) ([]CopiedFile, error) {
	return s.files(ctx, `WHERE configuration = $1 AND gone ORDER BY folder, external_id LIMIT $2`, configuration[:], limit)
}

// ForgetFiles removes files in the transaction that stores the counts of the run. It returns false if the run was cancelled.
func (s *Store) ForgetFiles(ctx context.Context, run *Run, external []string) (saved bool, err error) {
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		saved, err = persistence.Affect(ctx, tx, "store run", `UPDATE drive_run SET processed = $2, updated = $3, failed = $4
			WHERE id = $1 AND status IN ('running', 'partial')`, run.ID[:], run.Processed, run.Updated, run.Failed)
		if err != nil || !saved {
			return err
		}
		for _, id := range external {
			err := persistence.Execute(ctx, tx, "forget file of the drive", `DELETE FROM drive_file WHERE configuration = $1 AND external_id = $2`,
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
func (s *Store) Claimed(
	ctx context.Context, id organization.ID, configuration connection.SyncID, external string,
) (claimed []document.ItemID, err error) {
	files, err := s.files(ctx, `WHERE organization = $1 AND external_id = $2 AND configuration <> $3`, id[:], external, configuration[:])
	for i := range files {
		claimed = append(claimed, files[i].Document)
	}
	return claimed, err
}

func (s *Store) files(ctx context.Context, where string, arguments ...any) ([]CopiedFile, error) {
	return persistence.Collect(ctx, s.db.Reader(), "read files of the drive", scanFile, `SELECT `+fileColumns+` FROM drive_file `+where, arguments...)
}

func scanFile(row persistence.Row) (f CopiedFile, err error) {
	err = row.Scan(
		&f.ExternalID, &f.Parent, &f.Name, &f.Folder, persistence.IntoBytes(f.Document[:]), &f.Fingerprint, persistence.IntoBytes(f.Run[:]), &f.Queued, &f.Gone,
	)
	return f, err
}

func runArguments(r *Run) ([]any, error) {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return nil, fmt.Errorf("store run: %w", err)
	}
	return []any{
		r.ID[:], r.Organization[:], r.Configuration[:], r.Status, r.Error, r.Processed, r.Added, r.Updated, r.Skipped, r.Failed,
		persistence.Micros(r.TriggeredAt), persistence.OptionalMicros(r.StartedAt), persistence.OptionalMicros(r.CompletedAt), persistence.OptionalMicros(r.ResumeAt), string(progress),
	}, nil
}

func (s *Store) runs(ctx context.Context, where string, arguments ...any) ([]Run, error) {
	return persistence.Collect(ctx, s.db.Reader(), "read runs", scanRun, `SELECT `+runColumns+` FROM drive_run `+where, arguments...)
}

func (s *Store) run(ctx context.Context, where string, arguments ...any) (Run, bool, error) {
	return persistence.First(ctx, s.db.Reader(), "read run", scanRun, `SELECT `+runColumns+` FROM drive_run `+where, arguments...)
}

func scanRun(row persistence.Row) (r Run, err error) {
	var progress string
	err = row.Scan(persistence.IntoBytes(r.ID[:]), persistence.IntoBytes(r.Organization[:]), persistence.IntoBytes(r.Configuration[:]), &r.Status, &r.Error, &r.Processed, &r.Added,
		&r.Updated, &r.Skipped, &r.Failed, persistence.IntoTime(&r.TriggeredAt), persistence.IntoTime(&r.StartedAt), persistence.IntoTime(&r.CompletedAt),
		persistence.IntoTime(&r.ResumeAt), &progress)
	if err == nil {
		err = json.Unmarshal([]byte(progress), &r.Progress)
	}
	return r, err
}
