package http

import (
	"context"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
)

// codeInvitationRecent refuses to send an invitation so soon after the last one.
const codeInvitationRecent captable.Code = "recentInvitation"

// How often somebody may invite: one address, and in all.
const (
	invitationCooldown = 24 * time.Hour
	invitationsPerDay  = 50
	invitationWindow   = 24 * time.Hour
)

// invitationRecord is an invitation as it is answered.
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

// invitationFacts are what the mail says.
type invitationFacts struct{ Name, Message, Link string }

// sendInvitation sends a mail with the caller's code. The mail is stored with the invitation, in
// one transaction: none goes out without the other. The same address waits for the cooldown.
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
