package people

import (
	"context"
	"strings"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

// Limits of invitations per address and per user.
const (
	invitationCooldown = 24 * time.Hour
	invitationsPerDay  = 50
	invitationWindow   = 24 * time.Hour
)

// invitationRecord is the JSON form of an invitation.
type invitationRecord struct {
	ID      messages.InvitationID `json:"id"`
	Email   string                `json:"email"`
	Message string                `json:"message,omitempty"`
	Status  string                `json:"status"`
	SentAt  captable.Instant      `json:"sentAt"`
	Times   int                   `json:"times"`
}

func showInvitation(i messages.Invitation) invitationRecord {
	status := "sent"
	switch {
	case i.Joined:
		status = "joined"
	case i.Registered:
		status = "registered"
	}
	return invitationRecord{i.ID, i.Email, i.Message, status, captable.InstantOf(i.SentAt), i.Times}
}

func (s referrals) listInvitations(ctx context.Context, c *api.Call) (api.Answer, error) {
	read := func(page messages.PageQuery) ([]messages.Invitation, error) {
		found, err := s.Referrals.Invitations(ctx, c.Caller.User, page)
		return found, api.Wrap(ctx, "list invitations", err)
	}
	page, err := api.StoredPage(c, read, invitationKey, showInvitation)
	return api.Answer{Record: page, Private: true}, err
}

func invitationKey(i messages.Invitation) messages.RecordKey {
	return messages.RecordKey{At: i.SentAt, ID: i.ID}
}

// invitationFacts are the data of the mail template.
type invitationFacts struct{ Name, Message, Link string }

// sendInvitation mails the caller's referral code. The mail and the invitation are stored in one
// transaction, so neither exists without the other. Each address has a cooldown.
func (s referrals) sendInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[struct {
		Email   string `json:"email"`
		Message string `json:"message"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "invitation user "+c.By(), invitationsPerDay, invitationWindow); err != nil {
		return api.Answer{}, err
	}
	err = s.ThrottleMail(ctx, messages.ChosenMail{
		Kind: messages.MailInvitation, Recipient: strings.TrimSpace(input.Email), Sender: c.By(), Network: c.Caller.Network(),
	})
	if err != nil {
		return api.Answer{}, err
	}
	code, err := s.referralCode(ctx, c, account.Entity)
	if err != nil {
		return api.Answer{}, err
	}
	message := strings.TrimSpace(input.Message)
	to := strings.TrimSpace(input.Email)
	mail, err := s.Letters.Letter(
		c.At, "invitation", to, "You are invited to Equity", invitationFacts{account.FullName(), message, s.invitationLink(code)},
	)
	if err != nil {
		return api.Answer{}, err
	}
	invitation, replayed, err := s.Referrals.Invite(ctx, c.Once(), messages.Invitation{
		ID: captable.ID[messages.Invitation](s.NewID()), User: account.ID, Email: to, Message: message, SentAt: c.At,
	}, mail, invitationCooldown)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "invite", err))
	}
	answer := api.Created(showInvitation(invitation), "/invitation", "")
	answer.Replayed, answer.Private = replayed, true
	return answer, nil
}
