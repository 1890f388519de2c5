package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// SendTemporaryPassword stores a temporary password and sends its mail. The user's own password remains valid until the
// temporary one is used. It returns an error with code existingActiveTempPassword while an earlier one is valid. It uses
// one statement, so that only one of two concurrent requests sends a mail.
func (u *Users) SendTemporaryPassword(
	ctx context.Context, id organization.UserID, t messages.TemporaryPassword, mail Mail,
) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		stored, err := Affect(ctx, tx, "store temporary password", `INSERT INTO temporary_password (user_id, password_hash, expires_at)
			VALUES ($1, $2, $3) ON CONFLICT (user_id) DO UPDATE SET
				password_hash = excluded.password_hash, expires_at = excluded.expires_at
			WHERE temporary_password.expires_at <= $4 OR temporary_password.expires_at > $5`,
			id[:], hashed(t.Password), Micros(t.ExpiresAt), Micros(t.SentAt), Micros(t.ExpiresAt.Add(futureMargin)))
		if err != nil {
			return err
		}
		if !stored {
			return errTemporaryActive()
		}
		if err := u.db.rows.signRow(ctx, tx, signedTemporary(), id[:]); err != nil {
			return err
		}
		return u.db.enqueue(ctx, tx, mail)
	})
}

// IsTemporaryPassword reports whether the password is the user's valid temporary password, without using it up.
func (u *Users) IsTemporaryPassword(
	ctx context.Context, id organization.UserID, password string, now time.Time,
) (bool, error) {
	_, found, err := u.db.rows.find(ctx, u.db.reader, signedTemporary(), `SELECT `+signedTemporary().all()+` FROM temporary_password
		WHERE user_id = $1 AND password_hash = $2 AND expires_at > $3`, id[:], hashed(password), Micros(now))
	return found, err
}

// UseTemporaryPassword uses up the temporary password. It reports whether the password was valid; of two concurrent calls,
// one succeeds. It invalidates the earlier password and the API tokens and, if the credentials are unproven, all of them. Its use confirms
// the address, because the password was mailed. The caller ends the sessions.
func (u *Users) UseTemporaryPassword(
	ctx context.Context, id organization.UserID, password string, now time.Time,
) (used bool, err error) {
	err = u.db.Transact(ctx, func(tx *sql.Tx) error {
		_, used, err = u.db.rows.find(ctx, tx, signedTemporary(), `DELETE FROM temporary_password
			WHERE user_id = $1 AND password_hash = $2 AND expires_at > $3 RETURNING `+signedTemporary().all(), id[:], hashed(password), Micros(now))
		if !used {
			return err
		}
		if _, err = u.proveHolder(ctx, tx, id, now, keepFactor); err != nil {
			return err
		}
		err = u.changeUser(ctx, tx, id, `UPDATE users SET must_change_password = TRUE, password_hash = '' WHERE id = $1`)
		if err != nil {
			return fmt.Errorf("use temporary password: %w", err)
		}
		if err := Execute(ctx, tx, "end tokens", endTokens, id[:]); err != nil {
			return err
		}
		return u.confirmEmail(ctx, tx, id, now)
	})
	return used && err == nil, err
}

// ChangePassword replaces the hash of the user's password, sends a mail, and withdraws a valid temporary
// password. It returns an error with code conflict if the current hash is not was: of two concurrent changes, one
// succeeds. The caller revokes the user's sessions.
func (u *Users) ChangePassword(ctx context.Context, id organization.UserID, was, hash string, mail Mail) error {
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		changed := false
		err := u.db.rows.resign(ctx, tx, signedUser(), id[:], func() (err error) {
			changed, err = Affect(ctx, tx, "change password", `UPDATE users SET password_hash = $3, must_change_password = FALSE
				WHERE id = $1 AND password_hash = $2`, id[:], was, hash)
			return err
		})
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if !changed {
			return errChangedMeanwhile()
		}
		if err := Execute(ctx, tx, "withdraw temporary password", `DELETE FROM temporary_password WHERE user_id = $1`, id[:]); err != nil {
			return err
		}
		return u.db.enqueue(ctx, tx, mail)
	})
}

// EndTokens removes the API tokens and the grants of OAuth of the user.
func (u *Users) EndTokens(ctx context.Context, id organization.UserID) error {
	return Execute(ctx, u.db.writer, "end tokens", endTokens, id[:])
}
