package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// User is a person with an account.
type User = messages.User

// Departure returns the statement with which a room notes that the account of a user is disabled or erased.
type Departure func(user organization.UserID) Statement

// Users stores the accounts.
type Users struct {
	db            *Database
	verifications verifications
	departures    departures
}

// NewUsers returns the Users of db. The statements of the departures are parts of the transactions that disable and erase accounts.
func NewUsers(db *Database, departures ...Departure) *Users {
	return &Users{db: db, verifications: verifications{db.rows}, departures: departures}
}

// departures are those of all rooms.
type departures []Departure

// changes returns the changes of the rooms when the account of the user is disabled or erased.
func (d departures) changes(user organization.UserID) (changes []change) {
	for _, departure := range d {
		added := departure(user)
		changes = append(changes, change{added.Operation, added.Text, added.Arguments, nil})
	}
	return changes
}

const userColumns = `id, entity, email, username, first_name, last_name, password_hash, email_verified_at,
	must_change_password, (SELECT enabled_at FROM two_factor WHERE user_id = users.id), accepted_terms_at, disabled_at,
	site_admin, registered_ip, created_at, proven_at`

// authority returns the signed columns of a user, which follow userColumns in a query.
func authority() string { return ", " + signedUser().of("users") }

// ByID returns a user, or an error with code userNotFound.
func (u *Users) ByID(ctx context.Context, id organization.UserID) (User, error) {
	return u.one(ctx, `id = $1`, id[:])
}

// ByEmail returns the user with the address in any spelling, or an error with code userNotFound.
func (u *Users) ByEmail(ctx context.Context, email string) (User, error) {
	return u.one(ctx, `email_canonical = $1`, messages.CanonicalEmail(email))
}

// ByEntity returns the user of the entity, or an error with code userNotFound.
func (u *Users) ByEntity(ctx context.Context, entity captable.EntityID) (User, error) {
	return u.one(ctx, `entity = $1`, entity[:])
}

// Create adds a user without verification, for the command line and the demo. It returns an error with code emailUnavailable
// if the address is registered.
func (u *Users) Create(ctx context.Context, user User) error {
	inserted, err := u.inserted(user)
	if err != nil {
		return err
	}
	return u.db.together(ctx, inserted)
}

// SetSiteAdmin sets whether the user is a site administrator. The caller revokes the user's sessions.
func (u *Users) SetSiteAdmin(ctx context.Context, id organization.UserID, admin bool) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		return u.changeUser(ctx, tx, id, `UPDATE users SET site_admin = $2 WHERE id = $1`, admin)
	})
}

// Disable disables the user's account as of the given time, or enables it if the time is zero. Disabling removes the user's API
// tokens. The caller revokes the user's sessions.
func (u *Users) Disable(ctx context.Context, id organization.UserID, at time.Time) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := u.changeUser(ctx, tx, id, `UPDATE users SET disabled_at = $2 WHERE id = $1`, OptionalMicros(at)); err != nil || at.IsZero() {
			return err
		}
		if err := Execute(ctx, tx, "end tokens", endTokens, id[:]); err != nil {
			return err
		}
		return apply(ctx, tx, u.departures.changes(id)...)
	})
}

// one returns the user that meets the condition, or an error with code userNotFound. A user whose row another program has changed is an error.
func (u *Users) one(ctx context.Context, condition string, argument any) (User, error) {
	row := signedUser().row()
	user, err := one(ctx, u.db.reader, errUserNotFound(), "read user", func(found Row) (User, error) { return scanUser(found, row.into()...) },
		`SELECT `+userColumns+authority()+` FROM users WHERE `+condition, argument)
	if err == nil && !u.db.rows.authentic(row) {
		return User{}, fmt.Errorf("user %s: %w", user.ID, errAltered)
	}
	return user, err
}

// changeUser runs a statement that changes the user $1, and signs the row. It returns an error with code userNotFound if the user does not
// exist.
func (u *Users) changeUser(ctx context.Context, tx *sql.Tx, id organization.UserID, statement string, arguments ...any) error {
	err := u.db.rows.resign(ctx, tx, signedUser(), id[:], func() error {
		return Execute(ctx, tx, "change user", statement, append([]any{id[:]}, arguments...)...)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return errUserNotFound()
	}
	return err
}

// inserted returns the change that adds a user. A user with a verified address also has proven credentials. The unique index on the address
// refuses the second of two concurrent registrations.
func (u *Users) inserted(user User) (change, error) {
	address := messages.CanonicalEmail(user.Email)
	mac, err := u.db.rows.mac(
		signedUser(), user.ID[:], user.Entity[:], address, user.PasswordHash, user.SiteAdmin, OptionalMicros(user.EmailVerifiedAt), nil,
	)
	return change{"insert user", `INSERT INTO users
		(id, entity, email, email_canonical, username, first_name, last_name, password_hash, email_verified_at,
			accepted_terms_at, site_admin, registered_ip, created_at, proven_at, mac)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $9, $14) ON CONFLICT (email_canonical) DO NOTHING`, []any{
		user.ID[:], user.Entity[:], user.Email, address, user.Username, user.FirstName, user.LastName,
		user.PasswordHash, OptionalMicros(user.EmailVerifiedAt), OptionalMicros(user.AcceptedTermsAt), user.SiteAdmin,
		user.RegisteredIP, Micros(user.CreatedAt), mac,
	}, errEmailUnavailable()}, err
}

// scanUser scans userColumns of a row, and more.
func scanUser(row Row, more ...any) (user User, err error) {
	err = row.Scan(append([]any{
		IntoBytes(user.ID[:]), IntoBytes(user.Entity[:]), &user.Email, &user.Username, &user.FirstName, &user.LastName, &user.PasswordHash,
		IntoTime(&user.EmailVerifiedAt), &user.MustChangePassword, IntoTime(&user.TwoFactorAt), IntoTime(&user.AcceptedTermsAt),
		IntoTime(&user.DisabledAt), &user.SiteAdmin, &user.RegisteredIP, IntoTime(&user.CreatedAt), IntoTime(&user.ProvenAt),
	}, more...)...)
	return user, err
}
