package member

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/http/api"
	"equity/membership"
	"equity/organization"
)

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
	Email        string           `json:"email,omitempty"`
	FullName     string           `json:"fullName,omitempty"`
	Registered   bool             `json:"registered,omitempty"`
}

// readInvitation returns the invitation of a token.
func (s invitations) readInvitation(ctx context.Context, c *api.Call, answer membership.Answer) (api.Answer, error) {
	state, member, err := s.Memberships.Read(ctx, answer)
	if err != nil {
		return api.Answer{}, err
	}
	person, err := s.Memberships.Invited(ctx, state, member, answer.Token)
	return api.Answer{Private: true, Record: openInvitation{
		invitedTo{state.ID(), state.Profile().Name},
		member.Roles, member.Invitation.ExpiresAt, person.Email, person.Name,
		person.Registered,
	}}, err
}

// acceptInvitation makes the caller a member.
func (s invitations) acceptInvitation(ctx context.Context, c *api.Call, answer membership.Answer) (api.Answer, error) {
	joined, err := s.Memberships.Accept(ctx, c.Caller.User, answer, commandIn(c))
	return api.Answer{Private: true, Record: joinedOrganization(joined)}, err
}

// declineInvitation does not require an account.
func (s invitations) declineInvitation(ctx context.Context, c *api.Call, answer membership.Answer) (api.Answer, error) {
	return api.Answer{Status: http.StatusNoContent, Private: true}, s.Memberships.Decline(ctx, answer)
}

// answering returns a handler that decodes the answer to a mail: the token, and its network and time.
func answering(handle func(context.Context, *api.Call, membership.Answer) (api.Answer, error)) api.Handler {
	return func(ctx context.Context, c *api.Call) (api.Answer, error) {
		input, err := api.Decode[answeredInvitation](c)
		if err != nil {
			return api.Answer{}, err
		}
		return handle(ctx, c, membership.Answer{Token: input.Token, Network: c.Caller.Network(), At: c.At})
	}
}
