package membership

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Limits of invitations. One request may contain up to 50 addresses.
const (
	invitesPerHour = 20 // requests of a user
	inviteWindow   = time.Hour
)

// Invitation is the input of [Service.Invite].
type Invitation struct {
	Emails  []string `json:"emails"`
	Roles   []string `json:"roles"`
	Message string   `json:"message"`
}

// Invited is the result for one address.
type Invited struct {
	Email   string                `json:"email"`
	Outcome string                `json:"outcome"`
	Member  organization.MemberID `json:"member,omitzero"`

	invite organization.Invite
	// limited reports that the daily limit of the address is reached.
	limited bool
}

// InvitationMail is the content of a mail to an invited person.
type InvitationMail struct {
	At       time.Time
	To, From string
	// Organization is the name of the organization.
	Organization string
	Roles        []string
	// Message may be empty. Token is sufficient to answer the invitation.
	Message, Token string
	// Valid is the time for which the invitation can be answered.
	Valid time.Duration
}

// Invite invites addresses. The mails are sent if the change is stored.
func (s *Service) Invite(ctx context.Context, r Request, input Invitation) ([]Invited, messages.Reply, error) {
	if err := input.repeated().Err(); err != nil {
		return nil, messages.Reply{}, err
	}
	limited := map[string]bool{}
	if !r.Command.DryRun {
		err := s.limit(ctx, "member invitation "+r.Command.By, invitesPerHour, inviteWindow)
		if err != nil {
			return nil, messages.Reply{}, err
		}
		if limited, err = s.atDailyLimit(ctx, r, input.Emails); err != nil {
			return nil, messages.Reply{}, err
		}
	}
	var reply messages.Reply
	people, err := withMembers(ctx, s, r.Command.Organization, func(view *messages.View) (people []Invited, err error) {
		people, reply, err = s.invite(ctx, r, view, input, limited)
		return people, err
	})
	return people, reply, err
}

// repeated returns a fault for each duplicate address.
func (i Invitation) repeated() fault.Fields {
	var faults fault.Fields
	seen := map[string]bool{}
	for at, email := range i.Emails {
		if seen[messages.CanonicalEmail(email)] {
			faults.Add("/emails/"+strconv.Itoa(at), "duplicate", "List each address once.")
		}
		seen[messages.CanonicalEmail(email)] = true
	}
	return faults
}

// atDailyLimit returns the addresses that reached a daily limit. It counts the invitations of all
// organizations, because anyone can create organizations.
func (s *Service) atDailyLimit(ctx context.Context, r Request, emails []string) (map[string]bool, error) {
	limited := map[string]bool{}
	for _, email := range emails {
		wait, err := messages.ChosenMail{
			Kind: messages.MailInvitation, Recipient: email, Sender: r.Command.By, Network: r.Network, Organization: r.Command.Organization,
		}.Take(ctx, s.Throttle)
		if err != nil {
			return nil, messages.Unreachable("The store", err)
		}
		limited[messages.CanonicalEmail(email)] = wait > 0
	}
	return limited, nil
}

// invite invites the addresses. It depends on the members of the view.
func (s *Service) invite(
	ctx context.Context, r Request, view *messages.View, input Invitation, limited map[string]bool,
) ([]Invited, messages.Reply, error) {
	people, err := s.findInvited(ctx, view, input.Emails, limited)
	if err != nil {
		return nil, messages.Reply{}, err
	}
	command, err := s.invitation(ctx, r, view, input, people)
	if err != nil {
		return nil, messages.Reply{}, err
	}
	reply, err := s.Organizations.Do(ctx, command)
	if err != nil {
		return nil, reply, messages.Wrap(ctx, "invite to "+command.Organization.String(), err)
	}
	after, err := s.Organizations.View(ctx, command.Organization)
	if err != nil {
		return nil, reply, err
	}
	setOutcomes(after.State, people, reply, command.At)
	return people, reply, nil
}

// findInvited finds the members with these addresses.
func (s *Service) findInvited(ctx context.Context, view *messages.View, emails []string, limited map[string]bool) ([]Invited, error) {
	people := make([]Invited, len(emails))
	for i, email := range emails {
		email = strings.TrimSpace(email)
		entity, err := s.findByAddress(ctx, view, email)
		if err != nil {
			return nil, err
		}
		local, _, _ := strings.Cut(email, "@")
		people[i] = Invited{
			Email: email, invite: organization.Invite{Entity: entity, Fresh: captable.ID[captable.Entity](s.NewID()), Name: local},
			limited: limited[messages.CanonicalEmail(email)],
		}
	}
	return people, nil
}

// invitation returns the command with the mails that are sent if it succeeds.
func (s *Service) invitation(
	ctx context.Context, r Request, view *messages.View, input Invitation, people []Invited,
) (messages.Command, error) {
	by, err := s.userOf(ctx, r.User)
	if err != nil {
		return messages.Command{}, err
	}
	command := r.Command
	body := organization.InviteMembers{Roles: input.Roles}
	for i := range people {
		one := &people[i]
		if one.limited {
			continue
		}
		token, hash, err := newToken(s.Random, command.Organization, one.Email)
		if err != nil {
			return messages.Command{}, err
		}
		mail, err := s.Letters.Invitation(InvitationMail{
			At: command.At, To: one.Email, From: by.FullName(), Organization: view.State.Profile().Name, Roles: input.Roles,
			Message: strings.TrimSpace(input.Message), Token: token, Valid: organization.InvitationValid,
		})
		if err != nil {
			return messages.Command{}, err
		}
		one.invite.Hash = hash
		if command, err = command.Draws(one.invite.Fresh, hash); err != nil {
			return messages.Command{}, err
		}
		body.Invites = append(body.Invites, one.invite)
		command.Mails = append(command.Mails, messages.EventMail{Cause: hash, Mail: mail})
		if one.invite.Entity.IsZero() {
			text, err := json.Marshal(one.Email)
			if err != nil {
				return messages.Command{}, fmt.Errorf("email: %w", err)
			}
			command.Particulars = append(command.Particulars, messages.Particular{Entity: one.invite.Fresh, Field: fieldEmail, Value: text})
		}
	}
	command.Body, command.MembersAsOf = body, view.Sequence
	return command, nil
}

// userOf returns the account of the caller. The account may be erased before its session ends.
func (s *Service) userOf(ctx context.Context, user organization.UserID) (messages.User, error) {
	found, err := s.Accounts.ByID(ctx, user)
	if fault.Is(err, fault.UserNotFound) {
		return found, fault.Refuse(fault.Unauthorized, "Sign in first.")
	}
	return found, messages.Unavailable(ctx, "find account", err)
}

// setOutcomes sets the result for each address, from the organization after the change.
func setOutcomes(after *organization.State, people []Invited, reply messages.Reply, at time.Time) {
	added := map[captable.EntityID]organization.MemberID{}
	sent := map[captable.EntityID]bool{}
	for _, event := range reply.Events {
		switch e := event.(type) {
		case organization.MemberAdded:
			added[e.Member.Entity] = e.Member.ID
			sent[e.Member.Entity] = true
		case organization.MemberInvited:
			if member, ok := after.Member(e.ID); ok {
				sent[member.Entity] = true
			}
		}
	}
	for i := range people {
		one := &people[i]
		one.Outcome = organization.InviteSent
		if member, ok := after.MemberOf(one.invite.Entity); ok && !one.invite.Entity.IsZero() {
			one.Member = member.ID
			if !sent[member.Entity] {
				one.Outcome = after.Invitable(member, at)
			}
		}
		if id, ok := added[one.invite.Fresh]; ok {
			one.Member = id
		}
		if one.limited {
			one.Outcome = organization.InviteTooMany
		}
	}
}
