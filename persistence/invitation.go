package persistence

import (
	"context"
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
			made.ID[:], made.User[:], made.Email, messages.CanonicalEmail(made.Email), made.Message, Micros(made.SentAt), made.Times - 1,
		}, errMoved}, enqueued}, err
	})
}

// repeated returns the requested invitation, with the id and the number of an earlier one to the address.
func (f *Referrals) repeated(ctx context.Context, made messages.Invitation, cooldown time.Duration) (messages.Invitation, error) {
	address := messages.CanonicalEmail(made.Email)
	var sent time.Time
	found, err := scanRow(f.db.reader.QueryRowContext(ctx, `SELECT id, email, sent_at, times FROM invitation WHERE user_id = $1 AND email_canonical = $2`,
		made.User[:], address), "read invitation", IntoBytes(made.ID[:]), &made.Email, IntoTime(&sent), &made.Times)
	if err != nil {
		return made, err
	}
	if found && sent.After(made.SentAt.Add(-cooldown)) && !sent.After(made.SentAt.Add(futureMargin)) {
		return made, errInvitationRecent()
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

// Invitations returns a page of the invitations of a user, most recently sent first. Their keys have the time when they were last sent.
func (f *Referrals) Invitations(ctx context.Context, user organization.UserID, page messages.PageQuery) ([]messages.Invitation, error) {
	at, id := latestBefore(page.After)
	return Collect(ctx, f.db.reader, "list invitations", scanInvitation, invitations+` AND (invitation.sent_at, invitation.id) < ($2, $3)
		ORDER BY invitation.sent_at DESC, invitation.id DESC LIMIT $4`, user[:], at, id, page.Limit)
}

func scanInvitation(row Row) (i messages.Invitation, err error) {
	err = row.Scan(IntoBytes(i.ID[:]), IntoBytes(i.User[:]), &i.Email, &i.Message, IntoTime(&i.SentAt), &i.Times, &i.Registered, &i.Joined)
	return i, err
}
