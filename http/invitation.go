package http

import (
	"context"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
)

// codeInvitationRecent refuses an invitation before the cooldown of the previous one has passed.
const codeInvitationRecent captable.Code = "recentInvitation"

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

func (s *Server) listInvitations(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.beside.Referrals.Invitations(ctx, c.Caller.User, mostListed)
	return Answer{Record: listed(found, showInvitation), Private: true}, unavailable(doing(ctx, "list invitations", err))
}

// invitationFacts are the data of the mail template.
type invitationFacts struct{ Name, Message, Link string }

// sendInvitation mails the caller's referral code. The mail and the invitation are stored in one
// transaction, so neither exists without the other. Each address has a cooldown.
func (s *Server) sendInvitation(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Email   string `json:"email"`
		Message string `json:"message"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.patience(ctx, "invitation user "+c.By(), invitationsPerDay, invitationWindow); err != nil {
		return Answer{}, err
	}
	code, err := s.referralCode(ctx, c, account.Entity)
	if err != nil {
		return Answer{}, err
	}
	message := strings.TrimSpace(wish.Message)
	to := strings.TrimSpace(wish.Email)
	mail, err := s.letter(c, "invitation", to, "You are invited to Equity", invitationFacts{fullName(account), message, s.invitationLink(code)})
	if err != nil {
		return Answer{}, err
	}
	made, replayed, err := s.beside.Referrals.Invite(ctx, c.once(), messages.Invitation{
		ID: fresh[messages.Invitation](s), User: account.ID, Email: to, Message: message, SentAt: c.At,
	}, mail, invitationCooldown)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "invite", err))
	}
	answer := created(showInvitation(made), "/invitation", "")
	answer.Replayed, answer.Private = replayed, true
	return answer, nil
}
