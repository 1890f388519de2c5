package http

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// A token names its organization and holds a secret: what the mail carries is all that it takes to answer.
const (
	invitationSecret = 32 // bytes
	organizationID   = 16
	answersPerHour   = 60
	answerWindow     = time.Hour
	byInvitation     = "system:invitation"
)

// invitationToken draws a token, and gives the hash that the organization keeps of it.
func (s *Server) invitationToken(id organization.ID) (string, organization.TokenHash, error) {
	content := make([]byte, organizationID+invitationSecret)
	copy(content, id[:])
	if _, err := io.ReadFull(s.random, content[organizationID:]); err != nil {
		return "", organization.TokenHash{}, fmt.Errorf("draw invitation: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(content), sha256.Sum256(content), nil
}

// invitationOf gives the organization that a token leads to, and the token's hash.
func (s *Server) invitationOf(ctx context.Context, token string) (organization.ID, organization.TokenHash, error) {
	content, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(content) != organizationID+invitationSecret {
		return organization.ID{}, organization.TokenHash{}, errInvitation()
	}
	id := organization.ID(content[:organizationID])
	if _, err := s.view(ctx, id); isNotFound(err) {
		return id, organization.TokenHash{}, errInvitation()
	} else if err != nil {
		return id, organization.TokenHash{}, err
	}
	return id, sha256.Sum256(content), nil
}

func errInvitation() error {
	return captable.Refuse(captable.CodeNotFound, "The invitation does not exist, was answered, or has expired.")
}

func isNotFound(err error) bool {
	refusal, ok := errors.AsType[*captable.Error](err)
	return ok && refusal.Code == captable.CodeNotFound
}

// answeredInvitation is the body of answering an invitation.
type answeredInvitation struct {
	Token string `json:"token"`
}

// openInvitation is what an invitation asks for, as its reader sees it.
type openInvitation struct {
	Organization named            `json:"organization"`
	Roles        []string         `json:"roles"`
	ExpiresAt    captable.Instant `json:"expiresAt"`
}

// readInvitation tells whoever has the token what it would make of them.
func (s *Server) readInvitation(ctx context.Context, c *Call) (Answer, error) {
	hash, err := s.answering(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	member, err := view.State.Invited(hash, c.At)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Private: true, Record: openInvitation{
		named{captable.ID[any](c.Organization), view.State.Profile().Name}, member.Roles, member.Invitation.ExpiresAt,
	}}, nil
}

// acceptInvitation makes the caller a member. Their address is verified, or they would have no session; it need not be the
// one that the invitation went to, for whoever reads that mail may have an account by another.
func (s *Server) acceptInvitation(ctx context.Context, c *Call) (Answer, error) {
	hash, err := s.answering(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.mayComeInAs(ctx, c, hash); err != nil {
		return Answer{}, err
	}
	_, err = s.decideOn(ctx, c, organization.AcceptInvitation{Hash: hash, User: account.ID, Name: fullName(account)}, nil)
	if err != nil {
		return Answer{}, err
	}
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	member, ok := view.State.MemberBy(account.ID)
	if !ok {
		return Answer{}, fmt.Errorf("%s %s: %w", c.operation.id, c.Organization, errNoRecord)
	}
	return Answer{Private: true, Record: userOrganization{c.Organization, view.State.Profile().Name, member.Roles}}, nil
}

// mayComeInAs refuses who would become somebody else: a member who was here before is the person they were.
func (s *Server) mayComeInAs(ctx context.Context, c *Call, hash organization.TokenHash) error {
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return err
	}
	member, err := view.State.Invited(hash, c.At)
	if err != nil {
		return nil //nolint:nilerr // the organization says so, or knows that this is a repetition
	}
	person, err := s.person(ctx, member.Entity)
	if err == nil && !person.IsZero() && person != c.Caller.User {
		err = captable.Refuse(captable.CodeConflict, "The invitation is for somebody who was a member before, by another account.")
	}
	return err
}

// declineInvitation takes no account: who does not want to come in need not come in for it.
func (s *Server) declineInvitation(ctx context.Context, c *Call) (Answer, error) {
	hash, err := s.answering(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	_, err = s.organizations.Do(ctx, messages.Command{
		Organization: c.Organization, By: byInvitation, At: c.At, Body: organization.DeclineInvitation{Hash: hash},
	})
	return Answer{Status: http.StatusNoContent, Private: true}, doing(ctx, c.operation.id, err)
}

// answering reads the token of the body and enters its organization.
func (s *Server) answering(ctx context.Context, c *Call) (organization.TokenHash, error) {
	wish, err := decode[answeredInvitation](c)
	if err != nil {
		return organization.TokenHash{}, err
	}
	if err := s.patience(ctx, "invitation answer "+c.Caller.network(), answersPerHour, answerWindow); err != nil {
		return organization.TokenHash{}, err
	}
	id, hash, err := s.invitationOf(ctx, wish.Token)
	c.Organization = id
	return hash, err
}
