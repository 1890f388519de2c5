package member

import (
	"context"
	"strings"
	"time"

	"equity/http/api"
	"equity/http/letter"
	"equity/membership"
	"equity/messages"
)

func (s invitations) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"inviteMembers":     s.inviteMembers,
		"readInvitation":    answering(s.readInvitation),
		"acceptInvitation":  answering(s.acceptInvitation),
		"declineInvitation": answering(s.declineInvitation),

		"listReceivedInvitations":   s.listReceivedInvitations,
		"acceptReceivedInvitation":  s.acceptReceivedInvitation,
		"declineReceivedInvitation": s.declineReceivedInvitation,

		"listWaitingClaims":    s.listWaitingClaims,
		"readAddressChange":    answering(s.readAddressChange),
		"confirmAddressChange": answering(s.confirmAddressChange),
	}
}

func (s invitations) inviteMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[membership.Invitation](c)
	if err != nil {
		return api.Answer{}, err
	}
	request, err := s.request(c, nil)
	if err != nil {
		return api.Answer{}, err
	}
	people, reply, err := s.Memberships.Invite(ctx, request, input)
	if err != nil {
		return api.Answer{}, err
	}
	answer := api.Answer{Record: struct {
		Results []membership.Invited `json:"results"`
	}{people}, Replayed: reply.Replayed}
	if c.DryRun() {
		return s.Preview(c, reply, answer.Record), nil
	}
	return answer, nil
}

// Letters writes the mails of invitations with links to the pages of the server.
type Letters struct{ *letter.Letters }

// Invitation returns the mail of an invitation.
func (l Letters) Invitation(m membership.InvitationMail) (messages.Mail, error) {
	return l.Letter(m.At, "member", m.To, letter.Named("Invitation to", m.Organization), struct {
		Name, Organization, Roles, Message, Link string
		Days                                     int
	}{
		m.From, m.Organization, strings.Join(m.Roles, ", "), m.Message, l.PageLink(api.InvitationPath, "token", m.Token),
		int(m.Valid / (24 * time.Hour)),
	})
}

// Readdressed returns the mail to the former address of a holder.
func (l Letters) Readdressed(m membership.ReaddressedMail) (messages.Mail, error) {
	return l.Letter(m.At, "address", m.To, "Your address at "+m.Organization+" was changed", struct {
		Organization, Holder, Author, New, Link string
		Days                                    int
	}{
		m.Organization, m.Holder, m.Author, m.New, l.PageLink(api.AddressPath, "token", m.Token), int(m.Wait / (24 * time.Hour)),
	})
}
