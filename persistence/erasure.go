package persistence

import (
	"context"
	"database/sql"
)

// Erase removes an account and what is personal about its user, wherever it lies beside the journals. What was held and what
// happened stays, with ids and the names that certificates were printed with.
func (u *Users) Erase(ctx context.Context, user User) error {
	entity, email := user.Entity[:], CanonicalEmail(user.Email)
	return u.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, step := range []struct {
			statement string
			argument  any
		}{
			{`DELETE FROM profile WHERE entity = $1`, entity},
			{ // files that organizations took in, and that may name them
				`DELETE FROM particulars WHERE field LIKE 'import:%' AND organization IN (SELECT organization FROM particulars WHERE entity = $1)`, entity,
			},
			{`DELETE FROM particulars WHERE entity = $1`, entity},
			{`DELETE FROM wallet WHERE entity = $1`, entity},
			{`DELETE FROM referral_code WHERE entity = $1`, entity},
			{`DELETE FROM reward_card WHERE entity = $1 AND revealed_at IS NULL`, entity},
			{`UPDATE referral_company SET contact_email = '', note = '' WHERE entity = $1`, entity},
			{`DELETE FROM invitation WHERE email_canonical = $1`, email},
			{`DELETE FROM outbox WHERE recipient = $1`, user.Email},
			{`DELETE FROM users WHERE id = $1`, user.ID[:]}, // and what refers to it: codes, factors, identities, invitations
		} {
			if _, err := affect(ctx, tx, "erase", step.statement, step.argument); err != nil {
				return err
			}
		}
		return nil
	})
}
