package http

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Limits of invitations. One request may contain up to 50 addresses.
const (
	memberInvitesPerHour = 20
	memberInviteWindow   = time.Hour
	invitesToAnAddress   = 10 // per day, from all organizations
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
	// spared reports that the daily limit of the address is reached.
	spared bool
}

func (s *Server) inviteMembers(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[inviteMembers](c)
	if err != nil {
		return Answer{}, err
	}
	if err := wrongFields(wish.repeated()); err != nil {
		return Answer{}, err
	}
	spared := map[string]bool{}
	if !c.DryRun() {
		if err := s.patience(ctx, "member invitation "+c.By(), memberInvitesPerHour, memberInviteWindow); err != nil {
			return Answer{}, err
		}
		if spared, err = s.spare(ctx, wish.Emails); err != nil {
			return Answer{}, err
		}
	}
	return s.entering(ctx, c, func() (Answer, error) { return s.invite(ctx, c, wish, spared) })
}

// repeated returns a fault for each duplicate address.
func (i inviteMembers) repeated() captable.Faults {
	var faults captable.Faults
	seen := map[string]bool{}
	for at, email := range i.Emails {
		if seen[canonical(email)] {
			faults.Add("/emails/"+strconv.Itoa(at), "duplicate", "The address is listed twice.")
		}
		seen[canonical(email)] = true
	}
	return faults
}

// spare returns the addresses that reached the daily limit. It counts the invitations of all
// organizations, because anyone can create organizations.
func (s *Server) spare(ctx context.Context, emails []string) (map[string]bool, error) {
	spared := map[string]bool{}
	for _, email := range emails {
		wait, err := s.throttle.Take(ctx, "member invitation to "+canonical(email), invitesToAnAddress, invitationWindow)
		if err != nil {
			return nil, unavailable(err)
		}
		spared[canonical(email)] = wait > 0
	}
	return spared, nil
}

// invite invites the addresses. It depends on the members of the call's view.
func (s *Server) invite(ctx context.Context, c *Call, wish inviteMembers, spared map[string]bool) (Answer, error) {
	people, err := s.addressed(ctx, c, wish.Emails, spared)
	if err != nil {
		return Answer{}, err
	}
	command, err := s.invitation(ctx, c, wish, people)
	if err != nil {
		return Answer{}, err
	}
	reply, err := s.decide(ctx, c, command)
	if err != nil {
		return Answer{}, err
	}
	now, err := s.view(ctx, c.Organization)
	if err != nil {
		return Answer{}, err
	}
	outcomes(c, now.State, people, reply)
	answer := Answer{Record: struct {
		Results []invited `json:"results"`
	}{people}, Replayed: reply.Replayed}
	if c.DryRun() {
		return s.preview(c, reply, answer.Record), nil
	}
	return answer, nil
}

// addressed finds the members with these addresses.
func (s *Server) addressed(ctx context.Context, c *Call, emails []string, spared map[string]bool) ([]invited, error) {
	people := make([]invited, len(emails))
	for i, email := range emails {
		email = strings.TrimSpace(email)
		entity, err := s.knownHere(ctx, c, email)
		if err != nil {
			return nil, err
		}
		local, _, _ := strings.Cut(email, "@")
		people[i] = invited{
			Email: email, invite: organization.Invite{Entity: entity, Fresh: fresh[captable.Entity](s), Name: local}, spared: spared[canonical(email)],
		}
	}
	return people, nil
}

// invitation returns the command with the mails that are sent if it succeeds.
func (s *Server) invitation(ctx context.Context, c *Call, wish inviteMembers, people []invited) (messages.Command, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return messages.Command{}, err
	}
	body := organization.InviteMembers{Roles: wish.Roles}
	var mails []messages.Caused
	var particulars []messages.Particular
	for i := range people {
		one := &people[i]
		if one.spared {
			continue
		}
		token, hash, err := s.invitationToken(c.Organization)
		if err != nil {
			return messages.Command{}, err
		}
		mail, err := s.memberMail(c, account, one, wish, token)
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
	command, err := c.command(body, nil)
	command.Mails, command.Particulars, command.MembersAsOf = mails, particulars, c.View.Sequence
	return command, err
}

// memberMail returns the mail of an invitation.
func (s *Server) memberMail(c *Call, by messages.User, to *invited, wish inviteMembers, token string) (messages.Mail, error) {
	name := c.View.State.Profile().Name
	return s.letter(c, "member", to.Email, "Invitation to "+name, struct {
		Name, Organization, Roles, Message, Link string
		Days                                     int
	}{
		fullName(by), name, strings.Join(wish.Roles, ", "), strings.TrimSpace(wish.Message), s.pageLink(invitationPath, "token", token),
		int(organization.InvitationValid / (24 * time.Hour)),
	})
}

// outcomes sets the result for each address, from the organization after the change.
func outcomes(c *Call, now *organization.State, people []invited, reply messages.Reply) {
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
		if one.spared {
			one.Outcome = organization.InviteTooMany
		}
	}
}
