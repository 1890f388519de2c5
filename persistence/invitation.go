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
	return once(ctx, f.db, o, func(ctx context.Context) (messages.Invitation, []change, error) {
		made, err := f.repeated(ctx, requested, cooldown)
		if err != nil {
			return requested, nil, err
		}
		enqueued, err := f.db.enqueued(mail)
		return made, []change{{"invite", `INSERT INTO invitation (id, user_id, email, email_canonical, message, sent_at, times)
			VALUES ($1, $2, $3, $4, $5, $6, 1) ON CONFLICT (user_id, email_canonical) DO UPDATE
				SET message = excluded.message, sent_at = excluded.sent_at, times = invitation.times + 1
			WHERE invitation.times = $7`, []any{
			made.ID[:], made.User[:], made.Email, messages.CanonicalEmail(made.Email), made.Message, micros(made.SentAt), made.Times - 1,
		}, errMoved}, enqueued}, err
	})
}

// repeated returns the requested invitation, with the id and the number of an earlier one to the address.
func (f *Referrals) repeated(ctx context.Context, made messages.Invitation, cooldown time.Duration) (messages.Invitation, error) {
	address := messages.CanonicalEmail(made.Email)
	var id []byte
	var email string
	var at int64
	err := f.db.reader.QueryRowContext(ctx, `SELECT id, email, sent_at, times FROM invitation WHERE user_id = $1 AND email_canonical = $2`,
		made.User[:], address).Scan(&id, &email, &at, &made.Times)
	switch {
	case err == nil:
		if sent := moment(at); sent.After(made.SentAt.Add(-cooldown)) && !sent.After(made.SentAt.Add(futureMargin)) {
			return made, errInvitationRecent()
		}
		made.ID, made.Email = messages.InvitationID(id), email
	case !errors.Is(err, sql.ErrNoRows):
		return made, fmt.Errorf("read invitation: %w", err)
	}
	made.Times++
	var registered, joined int
	err = f.db.reader.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(invited.email_verified_at) FROM users AS invited
		JOIN referral ON referral.newcomer = invited.entity JOIN users AS self ON self.entity = referral.referrer
		WHERE invited.email_canonical = $2 AND self.id = $1`, made.User[:], address).Scan(&registered, &joined)
	made.Registered, made.Joined = registered > 0, joined > 0
	return made, during("read invitation", err)
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
