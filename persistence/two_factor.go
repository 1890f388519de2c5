package persistence

import (
	"context"
	"database/sql"

	"equity/messages"
	"equity/organization"
)

// TwoFactors stores second factors. Seeds are encrypted and bound to their user. Recovery codes
// are stored as hashes.
type TwoFactors struct {
	db      *Database
	secrets *Secrets
}

// NewTwoFactors returns the TwoFactors of db, which encrypts with secrets.
func NewTwoFactors(db *Database, secrets *Secrets) *TwoFactors {
	return &TwoFactors{db: db, secrets: secrets}
}

// seedOf returns the associated data of a user's seed.
func seedOf(id organization.UserID) []byte { return append([]byte("two factor seed "), id[:]...) }

// Propose stores a seed that is not yet enabled, replacing an earlier proposal. It returns an error with code conflict if
// two-factor authentication is enabled.
func (f *TwoFactors) Propose(ctx context.Context, id organization.UserID, seed []byte) error {
	sealed, err := f.secrets.Seal(seed, seedOf(id))
	if err != nil {
		return err
	}
	stored, err := Affect(ctx, f.db.writer, "propose two-factor seed", `INSERT INTO two_factor (user_id, seed, last_step) VALUES ($1, $2, 0)
		ON CONFLICT (user_id) DO UPDATE SET seed = excluded.seed, last_step = 0 WHERE two_factor.enabled_at IS NULL`,
		id[:], sealed)
	if err == nil && !stored {
		return errTwoFactorEnabled()
	}
	return err
}

// Find returns the user's second factor, enabled or proposed. Its Seed is nil if the user has none.
func (f *TwoFactors) Find(ctx context.Context, id organization.UserID) (messages.TwoFactor, error) {
	var sealed []byte
	var enabled sql.NullInt64
	found, err := scanRow(f.db.reader.QueryRowContext(ctx, `SELECT seed, enabled_at FROM two_factor WHERE user_id = $1`, id[:]),
		"read two-factor seed", &sealed, &enabled)
	if !found {
		return messages.TwoFactor{}, err
	}
	seed, err := f.secrets.Open(ctx, sealed, seedOf(id))
	return messages.TwoFactor{Seed: seed, Sealed: sealed, Enabled: enabled.Valid}, err
}

// Enable enables the found proposal with a code of the given step, stores the recovery codes and sends a mail. It returns an error
// with code conflict if a factor is already enabled or another seed was proposed meanwhile.
func (f *TwoFactors) Enable(
	ctx context.Context, id organization.UserID, proposed messages.TwoFactor, step int64, recovery []string, mail Mail,
) error {
	return f.db.Transact(ctx, func(tx *sql.Tx) error {
		enabled, err := Affect(ctx, tx, "enable two-factor", `UPDATE two_factor SET enabled_at = $2, last_step = $3
			WHERE user_id = $1 AND enabled_at IS NULL AND seed = $4`,
			id[:], Micros(mail.CreatedAt), step, proposed.Sealed)
		if err != nil {
			return err
		}
		if !enabled {
			return errChangedMeanwhile()
		}
		if err := f.replaceRecovery(ctx, tx, id, recovery); err != nil {
			return err
		}
		return f.db.enqueue(ctx, tx, mail)
	})
}

// Accept uses up the code of a time step and reports whether it was accepted. A step must be later than the last accepted
// one. It uses one statement, so that of two concurrent requests with the same code one succeeds.
func (f *TwoFactors) Accept(ctx context.Context, id organization.UserID, step int64) (bool, error) {
	return Affect(ctx, f.db.writer, "accept two-factor code", `UPDATE two_factor SET last_step = $2
		WHERE user_id = $1 AND last_step < $2 AND enabled_at IS NOT NULL`, id[:], step)
}

// Recover uses up a recovery code and reports whether it was valid.
func (f *TwoFactors) Recover(ctx context.Context, id organization.UserID, code string) (bool, error) {
	_, valid, err := f.db.rows.find(ctx, f.db.writer, signedRecovery(), `DELETE FROM recovery_code WHERE user_id = $1 AND code_hash = $2
		RETURNING `+signedRecovery().all(), id[:], recoveryHash(id, code))
	return valid, err
}

// Renew replaces the recovery codes.
func (f *TwoFactors) Renew(ctx context.Context, id organization.UserID, recovery []string, mail Mail) error {
	return f.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := f.replaceRecovery(ctx, tx, id, recovery); err != nil {
			return err
		}
		return f.db.enqueue(ctx, tx, mail)
	})
}

// Disable removes the seed and the recovery codes and sends a mail.
func (f *TwoFactors) Disable(ctx context.Context, id organization.UserID, mail Mail) error {
	return f.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`DELETE FROM recovery_code WHERE user_id = $1`, `DELETE FROM two_factor WHERE user_id = $1`,
		} {
			if err := Execute(ctx, tx, "disable two-factor", statement, id[:]); err != nil {
				return err
			}
		}
		return f.db.enqueue(ctx, tx, mail)
	})
}

func (f *TwoFactors) replaceRecovery(ctx context.Context, tx *sql.Tx, id organization.UserID, codes []string) error {
	if err := Execute(ctx, tx, "replace recovery codes", `DELETE FROM recovery_code WHERE user_id = $1`, id[:]); err != nil {
		return err
	}
	for _, code := range codes {
		err := Execute(ctx, tx, "replace recovery codes", `INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, $2)`, id[:], recoveryHash(id, code))
		if err != nil {
			return err
		}
		if err := f.db.rows.signRow(ctx, tx, signedRecovery(), id[:], recoveryHash(id, code)); err != nil {
			return err
		}
	}
	return nil
}

// recoveryHash includes the user, so that a reader of the table cannot search for the codes of all users at once.
func recoveryHash(id organization.UserID, code string) []byte {
	return hashed(id.String() + " " + code)
}
