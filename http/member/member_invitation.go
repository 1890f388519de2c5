package member

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Limits of invitations. One request may contain up to 50 addresses.
const (
	memberInvitesPerHour = 20
	memberInviteWindow   = time.Hour
	invitesToAnAddress   = 10 // per day, from all organizations
	addressWindow        = 24 * time.Hour
)

// inviteMembers is the request body of an invitation.
type inviteMembers struct {
	Emails  []string `json:"emails"`
	Roles   []string `json:"roles"`
	Message string   `json:"message"`
}

// invited is the result for one address.
type invited struct {
	Email   string                `json:"email"`
	Outcome string                `json:"outcome"`
	Member  organization.MemberID `json:"member,omitzero"`

	invite organization.Invite
	// limited reports that the daily limit of the address is reached.
	limited bool
}

func (s invitations) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"inviteMembers":     s.inviteMembers,
		"readInvitation":    s.readInvitation,
		"acceptInvitation":  s.acceptInvitation,
		"declineInvitation": s.declineInvitation,
	}
}

func (s invitations) inviteMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[inviteMembers](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := api.WrongFields(input.repeated()); err != nil {
		return api.Answer{}, err
	}
	limited := map[string]bool{}
	if !c.DryRun() {
		if err := s.Throttle(ctx, "member invitation "+c.By(), memberInvitesPerHour, memberInviteWindow); err != nil {
			return api.Answer{}, err
		}
		if limited, err = s.atDailyLimit(ctx, input.Emails); err != nil {
			return api.Answer{}, err
		}
	}
	return s.entering(ctx, c, func() (api.Answer, error) { return s.invite(ctx, c, input, limited) })
}

// repeated returns a fault for each duplicate address.
func (i inviteMembers) repeated() fault.Fields {
	var faults fault.Fields
	seen := map[string]bool{}
	for at, email := range i.Emails {
		if seen[messages.CanonicalEmail(email)] {
			faults.Add("/emails/"+strconv.Itoa(at), "duplicate", "The address is listed twice.")
		}
		seen[messages.CanonicalEmail(email)] = true
	}
	return faults
}

// atDailyLimit returns the addresses that reached the daily limit. It counts the invitations of all
// organizations, because anyone can create organizations.
func (s invitations) atDailyLimit(ctx context.Context, emails []string) (map[string]bool, error) {
	limited := map[string]bool{}
	for _, email := range emails {
		wait, err := s.Throttles.Take(ctx, "member invitation to "+messages.CanonicalEmail(email), invitesToAnAddress, addressWindow)
		if err != nil {
			return nil, api.Unavailable(err)
		}
		limited[messages.CanonicalEmail(email)] = wait > 0
	}
	return limited, nil
}

// invite invites the addresses. It depends on the members of the call's view.
func (s invitations) invite(ctx context.Context, c *api.Call, input inviteMembers, limited map[string]bool) (api.Answer, error) {
	people, err := s.addressed(ctx, c, input.Emails, limited)
	if err != nil {
		return api.Answer{}, err
	}
	command, err := s.invitation(ctx, c, input, people)
	if err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Do(ctx, c, command)
	if err != nil {
		return api.Answer{}, err
	}
	now, err := s.View(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	outcomes(c, now.State, people, reply)
	answer := api.Answer{Record: struct {
		Results []invited `json:"results"`
	}{people}, Replayed: reply.Replayed}
	if c.DryRun() {
		return s.Preview(c, reply, answer.Record), nil
	}
	return answer, nil
}

// addressed finds the members with these addresses.
func (s invitations) addressed(ctx context.Context, c *api.Call, emails []string, limited map[string]bool) ([]invited, error) {
	people := make([]invited, len(emails))
	for i, email := range emails {
		email = strings.TrimSpace(email)
		entity, err := s.knownHere(ctx, c, email)
		if err != nil {
			return nil, err
		}
		local, _, _ := strings.Cut(email, "@")
		people[i] = invited{
			Email: email, invite: organization.Invite{Entity: entity, Fresh: captable.ID[captable.Entity](s.NewID()), Name: local}, limited: limited[messages.CanonicalEmail(email)],
		}
	}
	return people, nil
}

// invitation returns the command with the mails that are sent if it succeeds.
func (s invitations) invitation(ctx context.Context, c *api.Call, input inviteMembers, people []invited) (messages.Command, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return messages.Command{}, err
	}
	body := organization.InviteMembers{Roles: input.Roles}
	var mails []messages.Caused
	var particulars []messages.Particular
	for i := range people {
		one := &people[i]
		if one.limited {
			continue
		}
		token, hash, err := s.invitationToken(c.Organization)
		if err != nil {
			return messages.Command{}, err
		}
		mail, err := s.memberMail(c, account, one, input, token)
		if err != nil {
			return messages.Command{}, err
		}
		one.invite.Hash = hash
		body.Invites = append(body.Invites, one.invite)
		mails = append(mails, messages.Caused{Cause: hash, Mail: mail})
		if one.invite.Entity.IsZero() {
			text, err := json.Marshal(one.Email)
			if err != nil {
				return messages.Command{}, fmt.Errorf("email: %w", err)
			}
			particulars = append(particulars, messages.Particular{Entity: one.invite.Fresh, Field: "email", Value: text})
		}
	}
	command, err := c.Command(body, nil)
	command.Mails, command.Particulars, command.MembersAsOf = mails, particulars, c.View.Sequence
	return command, err
}

// memberMail returns the mail of an invitation.
func (s invitations) memberMail(c *api.Call, by messages.User, to *invited, input inviteMembers, token string) (messages.Mail, error) {
	name := c.View.State.Profile().Name
	return s.Letters.Letter(c.At, "member", to.Email, "Invitation to "+name, struct {
		Name, Organization, Roles, Message, Link string
		Days                                     int
	}{
		by.FullName(), name, strings.Join(input.Roles, ", "), strings.TrimSpace(input.Message), s.Letters.PageLink(api.InvitationPath, "token", token),
		int(organization.InvitationValid / (24 * time.Hour)),
	})
}

// outcomes sets the result for each address, from the organization after the change.
func outcomes(c *api.Call, now *organization.State, people []invited, reply messages.Reply) {
	added := map[organization.MemberID]captable.EntityID{}
	sent := map[captable.EntityID]bool{}
	for _, event := range reply.Events {
		switch e := event.(type) {
		case organization.MemberAdded:
			added[e.Member.ID] = e.Member.Entity
			sent[e.Member.Entity] = true
		case organization.MemberInvited:
			if member, ok := now.Member(e.ID); ok {
				sent[member.Entity] = true
			}
		}
	}
	for i := range people {
		one := &people[i]
		one.Outcome = organization.InviteSent
		if member, ok := now.MemberOf(one.invite.Entity); ok && !one.invite.Entity.IsZero() {
			one.Member = member.ID
			if !sent[member.Entity] {
				one.Outcome = now.Invitable(member, c.At)
			}
		}
		for id, entity := range added {
			if entity == one.invite.Fresh {
				one.Member = id
			}
		}
		if one.limited {
			one.Outcome = organization.InviteTooMany
		}
	}
}
