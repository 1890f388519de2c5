package member

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// A token contains the organization's id and a secret. It is sufficient to answer the invitation.
const (
	invitationSecret = 32 // bytes
	organizationID   = 16
	answersPerHour   = 60
	answerWindow     = time.Hour
	byInvitation     = "system:invitation"
)

// invitationToken returns a random token and its hash, which the organization stores.
func (s invitations) invitationToken(id organization.ID) (string, organization.TokenHash, error) {
	content := make([]byte, organizationID+invitationSecret)
	copy(content, id[:])
	if _, err := io.ReadFull(s.Random, content[organizationID:]); err != nil {
		return "", organization.TokenHash{}, fmt.Errorf("draw invitation: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(content), sha256.Sum256(content), nil
}

// invitationOf returns the organization and the hash of a token.
func (s invitations) invitationOf(ctx context.Context, token string) (organization.ID, organization.TokenHash, error) {
	content, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(content) != organizationID+invitationSecret {
		return organization.ID{}, organization.TokenHash{}, errInvitation()
	}
	id := organization.ID(content[:organizationID])
	if _, err := s.View(ctx, id); api.IsNotFound(err) {
		return id, organization.TokenHash{}, errInvitation()
	} else if err != nil {
		return id, organization.TokenHash{}, err
	}
	return id, sha256.Sum256(content), nil
}

func errInvitation() error {
	return fault.Refuse(fault.NotFound, "The invitation does not exist, was answered, or has expired.")
}

// answeredInvitation is the request body for answering an invitation.
type answeredInvitation struct {
	Token string `json:"token"`
}

// invitedTo is the organization of an invitation.
type invitedTo struct {
	ID   organization.ID `json:"id"`
	Name string          `json:"name"`
}

// joinedOrganization is the organization that the caller joined.
type joinedOrganization struct {
	ID    organization.ID `json:"id"`
	Name  string          `json:"name"`
	Roles []string        `json:"roles"`
}

// openInvitation is the JSON form of an invitation for its recipient.
type openInvitation struct {
	Organization invitedTo        `json:"organization"`
	Roles        []string         `json:"roles"`
	ExpiresAt    captable.Instant `json:"expiresAt"`
}

// readInvitation returns the invitation of a token.
func (s invitations) readInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	hash, err := s.enterByToken(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	member, err := view.State.Invited(hash, c.At)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: openInvitation{
		invitedTo{c.Organization, view.State.Profile().Name}, member.Roles, member.Invitation.ExpiresAt,
	}}, nil
}

// acceptInvitation makes the caller a member. Their address is verified, because sessions require
// that. It may differ from the invited address: the recipient may have an account with another one.
func (s invitations) acceptInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	hash, err := s.enterByToken(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.checkReturningMember(ctx, c, hash); err != nil {
		return api.Answer{}, err
	}
	_, err = s.Decide(ctx, c, organization.AcceptInvitation{Hash: hash, User: account.ID, Name: account.FullName()}, nil)
	if err != nil {
		return api.Answer{}, err
	}
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	member, ok := view.State.MemberBy(account.ID)
	if !ok {
		return api.Answer{}, fmt.Errorf("%s %s: %w", c.OperationID(), c.Organization, errNoRecord)
	}
	return api.Answer{Private: true, Record: joinedOrganization{c.Organization, view.State.Profile().Name, member.Roles}}, nil
}

// checkReturningMember refuses a returning member with another account than before.
func (s invitations) checkReturningMember(ctx context.Context, c *api.Call, hash organization.TokenHash) error {
	view, err := s.View(ctx, c.Organization)
	if err != nil {
		return err
	}
	member, err := view.State.Invited(hash, c.At)
	if err != nil {
		return nil //nolint:nilerr // the organization refuses the command or recognizes a repetition
	}
	person, err := s.Person(ctx, member.Entity)
	if err == nil && !person.IsZero() && person != c.Caller.User {
		err = fault.Refuse(fault.Conflict, "The invited person was a member before. Accept the invitation with the account of that time.")
	}
	return err
}

// declineInvitation does not require an account.
func (s invitations) declineInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	hash, err := s.enterByToken(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	_, err = s.Organizations.Do(ctx, messages.Command{
		Organization: c.Organization, By: byInvitation, At: c.At, Body: organization.DeclineInvitation{Hash: hash},
	})
	return api.Answer{Status: http.StatusNoContent, Private: true}, api.Wrap(ctx, c.OperationID(), err)
}

// enterByToken reads the token in the body and enters its organization.
func (s invitations) enterByToken(ctx context.Context, c *api.Call) (organization.TokenHash, error) {
	input, err := api.Decode[answeredInvitation](c)
	if err != nil {
		return organization.TokenHash{}, err
	}
	if err := s.Throttle(ctx, "invitation answer "+c.Caller.Network(), answersPerHour, answerWindow); err != nil {
		return organization.TokenHash{}, err
	}
	id, hash, err := s.invitationOf(ctx, input.Token)
	c.Organization = id
	return hash, err
}
