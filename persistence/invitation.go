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

// Invite sends an invitation to an address, or sends it again. It returns an error with code recentInvitation if the user sent it
// within the cooldown.
func (f *Referrals) Invite(
	ctx context.Context, o Once, requested messages.Invitation, mail Mail, cooldown time.Duration,
) (messages.Invitation, bool, error) {
	return once(ctx, f.db, o, func(tx *sql.Tx) (messages.Invitation, error) {
		sent, err := affect(ctx, tx, "invite", `INSERT INTO invitation
			(id, user_id, email, email_canonical, message, sent_at, times) VALUES ($1, $2, $3, $4, $5, $6, 1)
			ON CONFLICT (user_id, email_canonical) DO UPDATE
				SET message = excluded.message, sent_at = excluded.sent_at, times = invitation.times + 1
			WHERE invitation.sent_at <= $7 OR invitation.sent_at > $8`,
			requested.ID[:], requested.User[:], requested.Email, messages.CanonicalEmail(requested.Email), requested.Message, micros(requested.SentAt),
			micros(requested.SentAt.Add(-cooldown)), micros(requested.SentAt.Add(futureMargin)))
		if err != nil {
			return requested, err
		}
		if !sent {
			return requested, errInvitationRecent()
		}
		if err := f.db.enqueue(ctx, tx, mail); err != nil {
			return requested, err
		}
		return scanInvitation(tx.QueryRowContext(ctx, invitations+` AND invitation.email_canonical = $2`,
			requested.User[:], messages.CanonicalEmail(requested.Email)))
	})
}

// invitations selects the invitations of a user. Registrations are reported only if they used the user's code.
const invitations = `SELECT invitation.id, invitation.user_id, invitation.email, invitation.message, invitation.sent_at,
		invitation.times, referral.newcomer IS NOT NULL, referral.newcomer IS NOT NULL AND invited.email_verified_at IS NOT NULL
	FROM invitation JOIN users AS self ON self.id = invitation.user_id
	LEFT JOIN users AS invited ON invited.email_canonical = invitation.email_canonical
	LEFT JOIN referral ON referral.newcomer = invited.entity AND referral.referrer = self.entity
	WHERE invitation.user_id = $1`

// Invitations returns at most limit invitations of a user, most recently sent first.
func (f *Referrals) Invitations(ctx context.Context, user organization.UserID, limit int) (found []messages.Invitation, err error) {
	rows, err := f.db.reader.QueryContext(ctx,
		invitations+` ORDER BY invitation.sent_at DESC, invitation.id LIMIT $2`, user[:], limit)
	if err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		one, err := scanInvitation(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, during("list invitations", rows.Err())
}

func scanInvitation(row scanner) (messages.Invitation, error) {
	var one messages.Invitation
	var id, user []byte
	var at int64
	err := row.Scan(&id, &user, &one.Email, &one.Message, &at, &one.Times, &one.Registered, &one.Joined)
	if err != nil {
		return one, fmt.Errorf("read invitation: %w", err)
	}
	one.ID, one.User, one.SentAt = messages.InvitationID(id), organization.UserID(user), moment(at)
	return one, nil
}
