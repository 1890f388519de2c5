package member

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/http/api"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// kindMember is the kind of members in the index of records.
const kindMember = "member"

// receivedInvitation is the JSON form of an invitation in the list of its recipient. It has no token.
type receivedInvitation struct {
	ID           organization.MemberID `json:"id"`
	Organization invitedTo             `json:"organization"`
	Roles        []string              `json:"roles"`
	Inviter      string                `json:"inviter,omitempty"`
	SentAt       captable.Instant      `json:"sentAt"`
	ExpiresAt    captable.Instant      `json:"expiresAt"`
	WaitsUntil   captable.Instant      `json:"waitsUntil,omitzero"`
}

// listReceivedInvitations returns the open invitations to the caller's verified address.
func (s invitations) listReceivedInvitations(ctx context.Context, c *api.Call) (api.Answer, error) {
	page, err := membership.InboxOf(s.Memberships).List(ctx, membership.ReceivedQuery{
		User: c.Caller.User, At: c.At, After: c.After(), Limit: c.Limit(), Reaches: c.Reaches,
	})
	if err != nil {
		return api.Answer{}, err
	}
	found := api.Page[receivedInvitation]{Data: []receivedInvitation{}}
	for _, one := range page.Data {
		found.Data = append(found.Data, receivedInvitation{
			one.Member, invitedTo{one.Organization, one.Name}, one.Roles, one.Inviter, one.SentAt, one.ExpiresAt, one.WaitsUntil,
		})
	}
	if !page.Next.IsZero() {
		found.NextCursor = api.Cursor{Sequence: api.SinceEver, After: page.Next}.String()
	}
	return api.Answer{Record: found, Private: true}, nil
}

// acceptReceivedInvitation makes the caller a member.
func (s invitations) acceptReceivedInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	answer, err := s.received(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	joined, err := membership.InboxOf(s.Memberships).Accept(ctx, answer, commandIn(c))
	return api.Answer{Private: true, Record: joinedOrganization(joined)}, err
}

// declineReceivedInvitation declines the invitation.
func (s invitations) declineReceivedInvitation(ctx context.Context, c *api.Call) (api.Answer, error) {
	answer, err := s.received(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Status: http.StatusNoContent, Private: true}, membership.InboxOf(s.Memberships).Decline(ctx, answer, commandIn(c))
}

// received returns the answer of the caller to the invitation in the path.
func (s invitations) received(ctx context.Context, c *api.Call) (membership.ReceivedAnswer, error) {
	id := api.PathID[captable.MemberKind](c, "invitation")
	home, kind, err := s.Locator.Locate(ctx, id)
	if err != nil {
		return membership.ReceivedAnswer{}, api.Unavailable(err)
	}
	if kind != kindMember {
		return membership.ReceivedAnswer{}, api.NotFound()
	}
	return membership.ReceivedAnswer{User: c.Caller.User, Organization: home, Member: id, At: c.At}, nil
}

// commandIn returns a function that begins the change of an organization that the path does not name.
func commandIn(c *api.Call) func(organization.ID) (messages.Command, error) {
	return func(id organization.ID) (messages.Command, error) {
		c.Organization = id
		return c.Command(nil, nil)
	}
}
