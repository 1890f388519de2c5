package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
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

const profileColumns = `particulars, version, updated_at`

// ByEntity returns the profile of an entity, or an empty one with Version 0.
func (p *Profiles) ByEntity(ctx context.Context, entity captable.EntityID) (messages.Profile, error) {
	return scanProfile(entity, p.db.reader.QueryRowContext(ctx, `SELECT `+profileColumns+` FROM profile WHERE entity = $1`, entity[:]))
}

// Amend applies edit to a profile in one transaction and increments its version. It returns an error with code stale if the
// version differs from a non-nil expected version, or the error of edit.
func (p *Profiles) Amend(
	ctx context.Context, entity captable.EntityID, expected *uint64, now time.Time,
	edit func(profile.Particulars) (profile.Particulars, error),
) (amended messages.Profile, err error) {
	err = p.db.Transact(ctx, func(tx *sql.Tx) error {
		amended, err = amendProfile(ctx, tx, entity, expected, now, edit)
		return err
	})
	return amended, err
}

// amendProfile applies edit to a profile within a transaction.
func amendProfile(
	ctx context.Context, tx *sql.Tx, entity captable.EntityID, expected *uint64, now time.Time,
	edit func(profile.Particulars) (profile.Particulars, error),
) (messages.Profile, error) {
	amended, err := scanProfile(entity, tx.QueryRowContext(ctx, `INSERT INTO profile (entity, `+profileColumns+`) VALUES ($1, '{}', 1, $2)
		ON CONFLICT (entity) DO UPDATE SET version = profile.version + 1, updated_at = excluded.updated_at
		RETURNING `+profileColumns, entity[:], micros(now)))
	if err != nil {
		return amended, err
	}
	if expected != nil && *expected != amended.Version-1 {
		return amended, fault.Refuse(fault.Stale, "The record was changed since it was read.")
	}
	if amended.Particulars, err = edit(amended.Particulars); err != nil {
		return amended, err
	}
	text, err := json.Marshal(amended.Particulars)
	if err != nil {
		return amended, fmt.Errorf("amend profile: %w", err)
	}
	_, err = affect(ctx, tx, "amend profile", `UPDATE profile SET particulars = $2 WHERE entity = $1`, entity[:], string(text))
	return amended, err
}

func scanProfile(entity captable.EntityID, row scanner) (messages.Profile, error) {
	found := messages.Profile{Entity: entity}
	var text string
	var version, updated int64
	err := row.Scan(&text, &version, &updated)
	if errors.Is(err, sql.ErrNoRows) {
		return found, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &found.Particulars)
	}
	if err != nil {
		return found, fmt.Errorf("read profile: %w", err)
	}
	found.Version, found.UpdatedAt = uint64(version), moment(updated) //nolint:gosec // it counts up from 1
	return found, nil
}
