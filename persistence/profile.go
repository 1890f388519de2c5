package persistence

import (
	"context"
	"encoding/json"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/people/profile"
)

// Profiles stores the profiles of entities.
type Profiles struct{ db *Database }

// NewProfiles returns the Profiles of db.
func NewProfiles(db *Database) *Profiles { return &Profiles{db: db} }

// ByEntity returns the profile of an entity, or an empty one with Version 0.
func (p *Profiles) ByEntity(ctx context.Context, entity captable.EntityID) (messages.Profile, error) {
	found := messages.Profile{Entity: entity}
	_, err := scanRow(p.db.reader.QueryRowContext(ctx, `SELECT particulars, version, updated_at FROM profile WHERE entity = $1`, entity[:]),
		"read profile", intoJSON{&found.Particulars}, IntoCount(&found.Version), IntoTime(&found.UpdatedAt))
	return found, err
}

// Amend applies edit to a profile and increments its version. It returns an error with code stale if the
// version differs from a non-nil expected version, or the error of edit, which is called again if the profile was changed meanwhile.
func (p *Profiles) Amend(
	ctx context.Context, entity captable.EntityID, expected *uint64, now time.Time,
	edit func(profile.Particulars) (profile.Particulars, error),
) (amended messages.Profile, err error) {
	err = p.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		known, err := p.ByEntity(ctx, entity)
		if err != nil {
			return nil, err
		}
		if expected != nil && *expected != known.Version {
			return nil, fault.StaleRecord()
		}
		if known.Particulars, err = edit(known.Particulars); err != nil {
			return nil, err
		}
		made, err := amendProfile(known, now)
		amended, amended.Version, amended.UpdatedAt = known, known.Version+1, moment(Micros(now))
		return []change{made}, err
	})
	return amended, err
}

// amendProfile returns the change that stores particulars, unless the profile has another version than the known one.
func amendProfile(known messages.Profile, now time.Time) (change, error) {
	text, err := json.Marshal(known.Particulars)
	return change{
		"amend profile", `INSERT INTO profile (entity, particulars, version, updated_at) VALUES ($1, $2, 1, $3) ON CONFLICT (entity) DO UPDATE
		SET particulars = excluded.particulars, version = profile.version + 1, updated_at = excluded.updated_at WHERE profile.version = $4`,
		[]any{known.Entity[:], string(text), Micros(now), int64(known.Version)}, //nolint:gosec // counts from 1
		errMoved,
	}, during("amend profile", err)
}
