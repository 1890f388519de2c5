package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"equity/messages"
	"equity/organization"
)

// Onboardings stores the descriptions of companies, and the organizations that are built from them.
type Onboardings struct{ db *Database }

// NewOnboardings returns the Onboardings of db.
func NewOnboardings(db *Database) *Onboardings { return &Onboardings{db} }

const onboardingColumns = `id, email, user_id, organization, status, work, revision, leased_until, leased_by, created_at, expires_at`

// Create stores a new onboarding. A replayed request returns the first one.
func (s *Onboardings) Create(
	ctx context.Context, o Once, created messages.Onboarding,
) (stored messages.Onboarding, replayed bool, err error) {
	return once(ctx, s.db, o, func(context.Context) (messages.Onboarding, []change, error) {
		work, err := json.Marshal(created.OnboardingWork)
		return created, []change{{"store onboarding", `INSERT INTO onboarding (` + onboardingColumns + `)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, []any{
			created.ID[:], strings.ToLower(created.Email), optionalID(created.User),
			optionalID(created.Organization), string(created.Status), string(work), int64(created.Revision), //nolint:gosec // a count
			Micros(created.LeasedUntil), created.LeasedBy, Micros(created.CreatedAt), Micros(created.ExpiresAt),
		}, nil}}, during("encode onboarding", err)
	})
}

// Find returns an onboarding, or [messages.ErrNoOnboarding].
func (s *Onboardings) Find(ctx context.Context, id messages.OnboardingID) (messages.Onboarding, error) {
	return s.first(ctx, `WHERE id = $1`, id[:])
}

// Latest returns the last onboarding of the user, else the last one of the address without a user, else [messages.ErrNoOnboarding].
func (s *Onboardings) Latest(ctx context.Context, user organization.UserID, email string, now time.Time) (messages.Onboarding, error) {
	return s.first(ctx, `WHERE user_id = $1 OR user_id IS NULL AND email = $2 AND email <> '' AND expires_at > $3
		ORDER BY CASE WHEN user_id IS NULL THEN 1 ELSE 0 END, created_at DESC, id LIMIT 1`, user[:], strings.ToLower(email), Micros(now))
}

func (s *Onboardings) first(ctx context.Context, where string, arguments ...any) (messages.Onboarding, error) {
	return one(ctx, s.db.reader, messages.ErrNoOnboarding, "find onboarding", func(row Row) (o messages.Onboarding, err error) {
		err = row.Scan(IntoBytes(o.ID[:]), &o.Email, IntoBytes(o.User[:]), IntoBytes(o.Organization[:]), &o.Status, intoJSON{&o.OnboardingWork},
			IntoCount(&o.Revision), IntoTime(&o.LeasedUntil), &o.LeasedBy, IntoTime(&o.CreatedAt), IntoTime(&o.ExpiresAt))
		return o, err
	}, `SELECT `+onboardingColumns+` FROM onboarding `+where, arguments...)
}

// Save replaces an onboarding of the same revision, and increments the revision. It reports whether no other change came first.
func (s *Onboardings) Save(ctx context.Context, changed messages.Onboarding) (bool, error) {
	work, err := json.Marshal(changed.OnboardingWork)
	if err != nil {
		return false, fmt.Errorf("encode onboarding: %w", err)
	}
	return Affect(ctx, s.db.writer, "store onboarding", `UPDATE onboarding SET user_id = $3, organization = $4, status = $5, work = $6,
		revision = revision + 1, leased_until = $7, leased_by = $8 WHERE id = $1 AND revision = $2`, changed.ID[:], int64(changed.Revision), //nolint:gosec // a count
		optionalID(changed.User), optionalID(changed.Organization), string(changed.Status), string(work), Micros(changed.LeasedUntil),
		changed.LeasedBy)
}

// Unfinished returns the analyses and builds without a lease at the time, unless they are older than the time for which an onboarding is valid.
func (s *Onboardings) Unfinished(ctx context.Context, now time.Time) ([]messages.OnboardingID, error) {
	return Collect(ctx, s.db.reader, "list onboardings", Identifier[messages.OnboardingID], `SELECT id FROM onboarding
		WHERE status IN ('created', 'analyzing', 'building') AND leased_until <= $1 AND expires_at > $1 ORDER BY created_at, id`, Micros(now))
}

// Release ends the leases of servers that have ended. It is called by a running server with its own id.
func (s *Onboardings) Release(ctx context.Context, self string) error {
	return Execute(ctx, s.db.writer, "release onboardings", `UPDATE onboarding SET leased_until = 0, leased_by = '', revision = revision + 1
		WHERE status IN ('created', 'analyzing', 'building') AND leased_until > 0 AND leased_by NOT IN ('', $1)
		AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = onboarding.leased_by)`, self)
}

// Attach stores the attachment, in place of an earlier one.
func (s *Onboardings) Attach(ctx context.Context, id messages.OnboardingID, file messages.OnboardingFile) error {
	return Execute(ctx, s.db.writer, "store attachment", `INSERT INTO onboarding_file (onboarding, name, content) VALUES ($1, $2, $3)
		ON CONFLICT (onboarding) DO UPDATE SET name = excluded.name, content = excluded.content`, id[:], file.Name, file.Content)
}

// Attachment returns the attachment.
func (s *Onboardings) Attachment(ctx context.Context, id messages.OnboardingID) (messages.OnboardingFile, error) {
	return one(ctx, s.db.reader, messages.ErrNoOnboarding, "read attachment", func(row Row) (file messages.OnboardingFile, err error) {
		err = row.Scan(&file.Name, &file.Content)
		return file, err
	}, `SELECT name, content FROM onboarding_file WHERE onboarding = $1`, id[:])
}

// Welcome remembers that the user completed or skipped the first steps.
func (s *Onboardings) Welcome(ctx context.Context, user organization.UserID) error {
	return Execute(ctx, s.db.writer, "store first steps", `INSERT INTO welcomed_user (user_id) VALUES ($1) ON CONFLICT (user_id) DO NOTHING`, user[:])
}

// Welcomed reports whether the user completed or skipped the first steps.
func (s *Onboardings) Welcomed(ctx context.Context, user organization.UserID) (bool, error) {
	return exists(ctx, s.db.reader, `SELECT 1 FROM welcomed_user WHERE user_id = $1`, user[:])
}

// Forget deletes the onboardings without a user that expired before the time, and the attachments of completed ones.
func (s *Onboardings) Forget(ctx context.Context, before time.Time) error {
	err := Execute(ctx, s.db.writer, "delete expired onboardings", `DELETE FROM onboarding WHERE user_id IS NULL AND expires_at < $1`, Micros(before))
	if err != nil {
		return err
	}
	return Execute(ctx, s.db.writer, "delete attachments",
		`DELETE FROM onboarding_file WHERE onboarding IN (SELECT id FROM onboarding WHERE status = 'complete')`)
}
