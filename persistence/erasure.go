package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"equity/messages"
)

// Erase removes an account and the personal data of its user outside the journals. Holdings and events remain, with ids
// and with the names printed on certificates.
func (u *Users) Erase(ctx context.Context, user User) error {
	entity, email := user.Entity[:], messages.CanonicalEmail(user.Email)
	quoted, err := json.Marshal(user.Email) // in the encoding of particulars
	if err != nil {
		return fmt.Errorf("erase: %w", err)
	}
	addressed := strings.ToLower(string(quoted))
	files, err := u.filesNaming(ctx, user)
	if err != nil {
		return err
	}
	changes := u.departures.changes(user.ID)
	for _, step := range []struct {
		statement string
		argument  any
	}{
		// The entities as which the user joined organizations. The following statements use these rows.
		{`INSERT INTO person (entity, user_id) SELECT entity, id FROM users WHERE id = $1 ON CONFLICT DO NOTHING`, user.ID[:]},
		{`DELETE FROM profile WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]},
		{`DELETE FROM profile_file WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]}, // the sweeper deletes the bytes
		{ // imported files of organizations, which may contain the address
			`DELETE FROM particulars WHERE field LIKE 'import:%' AND organization IN (
					SELECT organization FROM particulars WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)
					UNION SELECT organization FROM stake WHERE entity IN (SELECT entity FROM person WHERE user_id = $1))`, user.ID[:],
		},
		{`DELETE FROM particulars WHERE field LIKE 'import:%' AND organization IN
				(SELECT organization FROM particulars WHERE field = 'email' AND lower(value) = $1)`, addressed},
		{ // mail to the addresses in particulars
			`DELETE FROM outbox WHERE lower('"' || recipient || '"') IN (SELECT lower(value) FROM particulars
				WHERE field = 'email' AND entity IN (SELECT entity FROM person WHERE user_id = $1))`, user.ID[:],
		},
		{ // invitations that are not sent yet
			`DELETE FROM sealed_value WHERE address <> '' AND lower('"' || address || '"') IN (SELECT lower(value) FROM particulars
				WHERE field = 'email' AND entity IN (SELECT entity FROM person WHERE user_id = $1))`, user.ID[:],
		},
		{`DELETE FROM particulars WHERE entity IN (SELECT entity FROM person WHERE user_id = $1)`, user.ID[:]},
		{ // also of invited members who never joined
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
		{`DELETE FROM sealed_value WHERE lower(address) = $1`, strings.ToLower(user.Email)},
		{`DELETE FROM agent_account_usage WHERE account = $1`, user.ID[:]},
		{`DELETE FROM onboarding WHERE user_id IS NULL AND email = $1`, strings.ToLower(user.Email)},
		{`UPDATE document_view SET email = '' WHERE lower(email) = $1`, strings.ToLower(user.Email)},
		{`DELETE FROM users WHERE id = $1`, user.ID[:]}, // cascades to codes, factors, identities and invitations
	} {
		changes = append(changes, change{"erase", step.statement, []any{step.argument}, nil})
	}
	for _, file := range files {
		changes = append(changes, change{"erase file", `DELETE FROM particulars WHERE organization = $1 AND field = $2`, []any{file.organization, file.field}, nil})
	}
	err = u.db.together(ctx, append(changes, answersOf(user, u.db.engine)...)...)
	if err != nil || u.db.engine != SQLite {
		return err
	}
	// The write-ahead log still contains the erased data. If it is being read, it is truncated later.
	_, err = u.db.writer.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return during("empty the log", err)
}
