package persistence

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// Identity identifies a user at an identity provider.
type Identity = messages.Identity

// ByIdentity returns the user with the linked identity, or an error with code userNotFound.
func (u *Users) ByIdentity(ctx context.Context, i Identity) (User, error) {
	return u.holder(ctx, signedIdentity(), `SELECT `+signedIdentity().all()+` FROM identity WHERE issuer = $1 AND subject = $2`, i.Issuer, i.Subject)
}

// holder returns the user of the row that a query selects, or an error with code userNotFound if the row is missing or was altered.
func (u *Users) holder(ctx context.Context, t signedTable, query string, arguments ...any) (User, error) {
	row, found, err := u.db.rows.find(ctx, u.db.reader, t, query, arguments...)
	if err != nil {
		return User{}, err
	}
	if !found {
		return User{}, errUserNotFound()
	}
	return u.one(ctx, `id = $1`, row.bytes("user_id"))
}

// IdentitiesOf returns the linked identities of a user in the order of linking.
func (u *Users) IdentitiesOf(ctx context.Context, id organization.UserID) ([]Identity, error) {
	return Collect(ctx, u.db.reader, "list identities", func(row Row) (i Identity, err error) {
		err = row.Scan(&i.Issuer, &i.Subject)
		return i, err
	}, `SELECT issuer, subject FROM identity WHERE user_id = $1 ORDER BY created_at, issuer`, id[:])
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
		[]any{i.Issuer, i.Subject, id[:], Micros(now), mac},
		errChangedMeanwhile(),
	}, err
}
