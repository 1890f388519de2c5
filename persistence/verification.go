package persistence

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// maxVerificationAttempts is the number of wrong codes that an account's code tolerates. It applies to confirmations
// by address and code; a code without an address must be too long to guess.
const maxVerificationAttempts = 10

// Verification is a code sent to an address.
type Verification = messages.Verification

// VerifyEmail confirms the address with the code, uses the code up, and returns the user. The email may be empty if the
// code alone is long enough to identify its account. All failures are the same error with code
// invalidEmailVerificationCode, so that a caller without a code cannot detect registered addresses.
func (u *Users) VerifyEmail(ctx context.Context, email, code string, now time.Time) (User, error) {
	user, _, err := u.ConfirmRegistration(ctx, messages.Confirmation{Email: email, Code: code, At: now})
	return user, err
}

// RenewVerification replaces the user's code and sends the mail with the new one.
func (u *Users) RenewVerification(ctx context.Context, id organization.UserID, v Verification, mail Mail) error {
	changes, err := u.verification(id, v, mail)
	if err != nil {
		return err
	}
	return u.db.together(ctx, changes...)
}

// verification returns the changes that store the user's code instead of an earlier one, and send its mail.
func (u *Users) verification(id organization.UserID, v Verification, mail Mail) ([]change, error) {
	hash, expires := hashed(v.Code), Micros(v.ExpiresAt)
	mac, err := u.db.rows.mac(signedVerification(), id[:], hash, expires)
	if err != nil {
		return nil, err
	}
	enqueued, err := u.db.enqueued(mail)
	return []change{{
		"store verification", `INSERT INTO email_verification (user_id, code_hash, sent_at, expires_at, attempts, mac)
		VALUES ($1, $2, $3, $4, 0, $5) ON CONFLICT (user_id) DO UPDATE SET
			code_hash = excluded.code_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at, attempts = 0, mac = excluded.mac`,
		[]any{id[:], hash, Micros(v.SentAt), expires, mac},
		nil,
	}, enqueued}, err
}

// verifications stores the codes that confirm addresses, at most one for each account.
type verifications struct{ rows signer }

// use uses up the code of a confirmation. It returns the zero ID for an invalid code.
func (v verifications) use(ctx context.Context, tx *sql.Tx, c messages.Confirmation) (organization.UserID, error) {
	if c.Email == "" {
		return v.useByCode(ctx, tx, c.Code, c.At)
	}
	return v.useByEmail(ctx, tx, c.Email, c.Code, c.At)
}

// useByCode uses up a code and returns its user, or the zero id. It uses one statement, so
// that only one of several concurrent requests succeeds.
func (v verifications) useByCode(ctx context.Context, tx *sql.Tx, code string, now time.Time) (id organization.UserID, err error) {
	row, found, err := v.rows.find(ctx, tx, signedVerification(), `DELETE FROM email_verification WHERE code_hash = $1 AND expires_at > $2
		RETURNING `+signedVerification().all(), hashed(code), Micros(now))
	if found {
		copy(id[:], row.bytes("user_id"))
	}
	return id, err
}

// useByEmail counts an attempt and compares the account's code. It returns the zero id if the code does not match.
func (v verifications) useByEmail(
	ctx context.Context, tx *sql.Tx, email, code string, now time.Time,
) (id organization.UserID, err error) {
	row, found, err := v.rows.find(ctx, tx, signedVerification(), `UPDATE email_verification SET attempts = attempts + 1
		WHERE user_id = (SELECT id FROM users WHERE email_canonical = $1) AND expires_at > $2 AND attempts < $3
		RETURNING `+signedVerification().all(),
		messages.CanonicalEmail(email), Micros(now), maxVerificationAttempts)
	if found && bytes.Equal(row.bytes("code_hash"), hashed(code)) {
		copy(id[:], row.bytes("user_id"))
	}
	return id, err
}

func (u *Users) confirmEmail(ctx context.Context, tx *sql.Tx, id organization.UserID, now time.Time) error {
	if err := Execute(ctx, tx, "use verification", `DELETE FROM email_verification WHERE user_id = $1`, id[:]); err != nil {
		return err
	}
	err := u.changeUser(ctx, tx, id, `UPDATE users SET email_verified_at = COALESCE(email_verified_at, $2) WHERE id = $1`, Micros(now))
	if err != nil {
		return fmt.Errorf("confirm email: %w", err)
	}
	return earnCards(ctx, tx, id, now)
}
