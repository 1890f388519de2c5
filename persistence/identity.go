package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// Identity identifies a user at an identity provider.
type Identity = messages.Identity

// ByIdentity returns the user with the linked identity, or an error with code userNotFound.
func (u *Users) ByIdentity(ctx context.Context, i Identity) (User, error) {
	row := signedIdentity().row()
	err := u.db.reader.QueryRowContext(ctx, `SELECT `+signedIdentity().all()+` FROM identity WHERE issuer = $1 AND subject = $2`,
		i.Issuer, i.Subject).Scan(row.into()...)
	return u.holder(ctx, row, err)
}

// holder returns the user of a row that was read, or an error with code userNotFound if the row is missing or was altered.
func (u *Users) holder(ctx context.Context, row *signedRow, read error) (User, error) {
	switch {
	case errors.Is(read, sql.ErrNoRows):
		return User{}, errUserNotFound()
	case read != nil:
		return User{}, fmt.Errorf("read row of %s: %w", row.table.name, read)
	case !u.db.rows.authentic(row):
		return User{}, errUserNotFound()
	}
	return u.one(ctx, `id = $1`, row.bytes("user_id"))
}

// IdentitiesOf returns the linked identities of a user in the order of linking.
func (u *Users) IdentitiesOf(ctx context.Context, id organization.UserID) (found []Identity, err error) {
	rows, err := u.db.reader.QueryContext(ctx, `SELECT issuer, subject FROM identity WHERE user_id = $1 ORDER BY created_at, issuer`, id[:])
	if err != nil {
		return nil, fmt.Errorf("list identities: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Identity
		if err := rows.Scan(&i.Issuer, &i.Subject); err != nil {
			return nil, fmt.Errorf("list identities: %w", err)
		}
		found = append(found, i)
	}
	return found, during("list identities", rows.Err())
}

// LinkIdentity links an identity to a user with a verified address and sends a mail. It returns an error with code conflict
// if the identity is already linked, if the user has another identity of the same provider (the address may have been
// reassigned there), or if the address is no longer verified. All conditions are checked in the same transaction.
func (u *Users) LinkIdentity(
	ctx context.Context, id organization.UserID, i Identity, now time.Time, mail Mail,
) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		verified, err := exists(ctx, tx, `SELECT 1 FROM users WHERE id = $1 AND email_verified_at IS NOT NULL AND proven_at IS NOT NULL`, id[:])
		if err != nil {
			return err
		}
		another, err := exists(ctx, tx, `SELECT 1 FROM identity WHERE user_id = $1 AND issuer = $2`, id[:], i.Issuer)
		if err != nil {
			return err
		}
		if !verified || another {
			return errChangedMeanwhile()
		}
		linked, err := u.linked(id, i, now)
		if err != nil {
			return err
		}
		if err := apply(ctx, tx, linked); err != nil {
			return err
		}
		return u.db.enqueue(ctx, tx, mail)
	})
}

// RegisterIdentity adds a user with an identity. It has the errors of Register, and an error with code conflict
// if the identity is already linked.
func (u *Users) RegisterIdentity(ctx context.Context, user User, i Identity, addressLimit int) error {
	if err := u.refuseBlocked(ctx, user.Email); err != nil {
		return err
	}
	inserted, err := u.inserted(user)
	linked, failed := u.linked(user.ID, i, user.CreatedAt)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	return u.db.together(ctx, slices.Concat([]change{inserted}, countRegistration(user.RegisteredIP, addressLimit), []change{linked})...)
}

// linked returns the change that links an identity to a user.
func (u *Users) linked(id organization.UserID, i Identity, now time.Time) (change, error) {
	mac, err := u.db.rows.mac(signedIdentity(), i.Issuer, i.Subject, id[:])
	return change{
		"link identity", `INSERT INTO identity (issuer, subject, user_id, created_at, mac)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT (issuer, subject) DO NOTHING`,
		[]any{i.Issuer, i.Subject, id[:], micros(now), mac},
		errChangedMeanwhile(),
	}, err
}
