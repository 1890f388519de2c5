package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// Erase removes an account and what is personal about its user, wherever it lies beside the journals. What was held and what
// happened stays, with ids and the names that certificates were printed with.
func (u *Users) Erase(ctx context.Context, user User) error {
	entity, email := user.Entity[:], CanonicalEmail(user.Email)
	quoted, err := json.Marshal(user.Email) // as particulars hold it
	if err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	addressed := strings.ToLower(string(quoted))
	files, err := u.filesNaming(ctx, user)
	if err != nil {
		return err
	}
	err = u.db.Transact(ctx, func(tx *sql.Tx) error {
		for _, step := range []struct {
			statement string
			argument  any
		}{
			// As whom they came into organizations, one way or the other: below, that is who they are.
			{`INSERT INTO person (entity, user_id) SELECT entity, id FROM users WHERE id = $1 ON CONFLICT DO NOTHING`, user.ID[:]},
			{`DELETE FROM profile WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]},
			{ // files that organizations took in, and that may name them
				`DELETE FROM particulars WHERE field LIKE 'import:%' AND organization IN (
					SELECT organization FROM particulars WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)
					UNION SELECT organization FROM stake WHERE entity IN (SELECT entity FROM person WHERE user_id = $1))`, user.ID[:],
			},
			{`DELETE FROM particulars WHERE field LIKE 'import:%' AND organization IN
				(SELECT organization FROM particulars WHERE field = 'email' AND lower(value) = $1)`, addressed},
			{ // mail to the addresses by which organizations know them
				`DELETE FROM outbox WHERE lower('"' || recipient || '"') IN (SELECT lower(value) FROM particulars
				WHERE field = 'email' AND entity IN (SELECT entity FROM person WHERE user_id = $1))`, user.ID[:],
			},
			{`DELETE FROM particulars WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]},
			{ // also where they were entered by their address and never came in
				`DELETE FROM particulars WHERE (organization, entity) IN
				(SELECT organization, entity FROM particulars WHERE field = 'email' AND lower(value) = $1)`, addressed,
			},
			{`DELETE FROM wallet WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]},
			{`DELETE FROM person WHERE user_id = $1`, user.ID[:]},
			{`DELETE FROM referral_code WHERE entity = $1`, entity},
			{`DELETE FROM reward_card WHERE entity = $1 AND revealed_at IS NULL`, entity},
			{`UPDATE referral_company SET contact_email = '', note = '' WHERE entity = $1`, entity},
			{`DELETE FROM invitation WHERE email_canonical = $1`, email},
			{`DELETE FROM outbox WHERE lower(recipient) = $1`, strings.ToLower(user.Email)},
			{`DELETE FROM users WHERE id = $1`, user.ID[:]}, // and what refers to it: codes, factors, identities, invitations
		} {
			if _, err := affect(ctx, tx, "erase", step.statement, step.argument); err != nil {
				return err
			}
		}
		for _, file := range files {
			_, err := affect(ctx, tx, "erase file", `DELETE FROM particulars WHERE organization = $1 AND field = $2`, file.organization, file.field)
			if err != nil {
				return err
			}
		}
		return u.forgetAnswersOf(ctx, tx, user)
	})
	if err != nil || u.db.engine != SQLite {
		return err
	}
	// The log ahead of the file still has what was there. Where somebody reads meanwhile it is emptied later.
	_, err = u.db.writer.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return during("empty the log", err)
}
