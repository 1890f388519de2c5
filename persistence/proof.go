package persistence

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// Credentials of an account are proven when a reader of its mail is known to have chosen them. The password of a new
// registration is chosen before the address is confirmed, so these credentials are unproven.

// ConfirmRegistration confirms an address with a code. If the code is used in the registering browser, the credentials are
// proven. Otherwise they are invalidated if c.TakeOver is set, and remain unproven if it is not. An invalid code is an error with
// code invalidEmailVerificationCode.
func (u *Users) ConfirmRegistration(ctx context.Context, c messages.Confirmation) (user User, proof messages.Proof, err error) {
	var id organization.UserID
	refused := false
	err = u.db.Transact(ctx, func(tx *sql.Tx) error {
		var err error
		if id, err = u.verifications.use(ctx, tx, c); err != nil || id.IsZero() {
			refused = err == nil
			return err // the attempt is counted, so the transaction commits
		}
		if proof, err = u.registrarOrTakeover(ctx, tx, id, c); err != nil {
			return err
		}
		return u.confirmEmail(ctx, tx, id, c.At)
	})
	if err == nil && refused {
		err = errVerificationInvalid()
	}
	if err != nil {
		return User{}, messages.Unproven, err
	}
	user, err = u.ByID(ctx, id)
	return user, proof, err
}

// registrarOrTakeover proves the credentials if the browser registered the account. Otherwise, if requested, it invalidates
// them and requires a new password.
func (u *Users) registrarOrTakeover(
	ctx context.Context, tx *sql.Tx, id organization.UserID, c messages.Confirmation,
) (messages.Proof, error) {
	var registrar []byte
	var proven sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT registrar_hash, proven_at FROM users WHERE id = $1`, id[:]).Scan(&registrar, &proven)
	if err != nil {
		return messages.Unproven, fmt.Errorf("read registration: %w", err)
	}
	if proven.Valid {
		return messages.Unproven, nil
	}
	if c.Browser != "" && subtle.ConstantTimeCompare(registrar, hashed(c.Browser)) == 1 {
		err := Execute(ctx, tx, "prove registration",
			`UPDATE users SET proven_at = $2, registrar_hash = NULL WHERE id = $1`, id[:], Micros(c.At))
		return messages.ProvenByBrowser, err
	}
	if !c.TakeOver {
		return messages.Unproven, nil
	}
	if err := u.endUnproven(ctx, tx, id, c.At, endFactor); err != nil {
		return messages.Unproven, err
	}
	err = Execute(ctx, tx, "require password", `UPDATE users SET must_change_password = TRUE WHERE id = $1`, id[:])
	return messages.TakenOver, err
}

// TakeOver assigns an account with unproven credentials to the user identified by an identity provider: it invalidates the
// credentials, verifies the address, links the identity and sends the mail. It returns an error with code conflict if the
// credentials were proven meanwhile or the identity is already linked. The caller ends the sessions.
func (u *Users) TakeOver(ctx context.Context, t messages.TakeOver, mail Mail) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		taken, err := u.proveHolder(ctx, tx, t.User, t.At, endFactor)
		if err != nil {
			return err
		}
		if !taken {
			return errChangedMeanwhile()
		}
		// The names and the acceptance of terms of an unverified account may come from another person.
		err = Execute(ctx, tx, "rename account", `UPDATE users SET first_name = $2, last_name = $3, username = $4, accepted_terms_at = NULL
			WHERE id = $1 AND email_verified_at IS NULL`, t.User[:], t.FirstName, t.LastName, t.Username)
		if err != nil {
			return err
		}
		if err := u.confirmEmail(ctx, tx, t.User, t.At); err != nil {
			return err
		}
		linked, err := u.linked(t.User, t.Identity, t.At)
		if err != nil {
			return err
		}
		if err := apply(ctx, tx, linked); err != nil {
			return err
		}
		return u.db.enqueue(ctx, tx, mail)
	})
}

// proveHolder marks the account as proven. It invalidates unproven credentials and reports whether it did.
func (u *Users) proveHolder(ctx context.Context, tx *sql.Tx, id organization.UserID, now time.Time, factor secondFactor) (bool, error) {
	unproven, err := exists(ctx, tx, `SELECT 1 FROM users WHERE id = $1 AND proven_at IS NULL`, id[:])
	if err != nil || !unproven {
		return false, err
	}
	return true, u.endUnproven(ctx, tx, id, now, factor)
}

// secondFactor is the fate of an enabled second factor when the unproven credentials of an account end. A reader of the mail alone
// keeps it, because its owner may be another person than the reader.
type secondFactor bool

const (
	keepFactor secondFactor = false
	endFactor  secondFactor = true
)

// endUnproven removes the credentials of an account, because another person may have set them, and marks the account as
// proven. The caller ends the sessions, which may be in another store. The recovery codes end with their second factor.
func (u *Users) endUnproven(ctx context.Context, tx *sql.Tx, id organization.UserID, now time.Time, factor secondFactor) error {
	err := u.changeUser(ctx, tx, id, `UPDATE users SET password_hash = '', must_change_password = FALSE,
		proven_at = $2, registrar_hash = NULL WHERE id = $1`, Micros(now))
	failed := Execute(ctx, tx, "end unproven factor", `DELETE FROM two_factor WHERE user_id = $1 AND ($2 OR enabled_at IS NULL)`, id[:], bool(factor))
	err = errors.Join(err, failed)
	for _, statement := range []string{
		`DELETE FROM identity WHERE user_id = $1`,
		`DELETE FROM temporary_password WHERE user_id = $1`,
		`DELETE FROM magic_link WHERE user_id = $1`,
		endTokens,
	} {
		failed := Execute(ctx, tx, "end unproven credentials", statement, id[:])
		err = errors.Join(err, failed)
	}
	return err
}
