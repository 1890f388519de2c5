package member

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// maxAttempts bounds retries when the member list changes concurrently. Each retry means that another
// change succeeded.
const maxAttempts = 50

// entering runs a command that enters e-mail addresses. The journal holds no addresses, so the
// uniqueness of an address is checked against a view. The organization refuses the command if its
// members changed since that view; entering then repeats the check with a new view. Concurrent
// requests, also on several servers, therefore never create two members with one address.
func (s *base) entering(ctx context.Context, c *api.Call, enter func() (api.Answer, error)) (api.Answer, error) {
	for attempt := 1; ; attempt++ {
		now, err := s.View(ctx, c.Organization)
		if err != nil {
			return api.Answer{}, err
		}
		c.View = now
		answer, err := enter()
		if attempt == maxAttempts || !errors.Is(err, messages.ErrMembersChanged) {
			return answer, err
		}
	}
}

// freeFor refuses an address that belongs to another member. It reports whether the address belongs to
// the entity itself.
func (s *base) freeFor(ctx context.Context, c *api.Call, entity captable.EntityID, email string) (theirs bool, err error) {
	known, err := s.knownHere(ctx, c, email)
	if err != nil || known == entity {
		return known == entity, err
	}
	if member, ok := c.View.State.MemberOf(known); ok && member.Status != organization.StatusRemoved {
		return false, fault.Refuse(fault.Conflict, "This person is already a member.").With("member", member.ID.String())
	}
	return false, nil
}

// emailAmong returns the e-mail address of the particulars; empty if absent.
func emailAmong(particulars []messages.Particular) string {
	for _, p := range particulars {
		if p.Field == "email" {
			return email(p.Value)
		}
	}
	return ""
}

// email decodes the JSON value of an e-mail address; empty if absent.
func email(value json.RawMessage) (address string) {
	if json.Unmarshal(value, &address) != nil {
		return ""
	}
	return address
}

// knownHere returns the entity with this address in the organization; the zero ID if there is no such
// entity. Active members take precedence over removed ones. The account with the address counts only
// if it is a member, so that the answer does not reveal the existence of other accounts.
func (s *base) knownHere(ctx context.Context, c *api.Call, email string) (captable.EntityID, error) {
	if strings.TrimSpace(email) == "" {
		return captable.EntityID{}, nil
	}
	account, err := s.Accounts.ByEmail(ctx, email)
	if err != nil && !api.IsUnknownUser(err) {
		return captable.EntityID{}, api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	if member, ok := c.View.State.MemberBy(account.ID); ok && err == nil {
		return member.Entity, nil
	}
	known, err := s.Index.KnownBy(ctx, email)
	if err != nil {
		return captable.EntityID{}, api.Unavailable(api.Wrap(ctx, "find holders", err))
	}
	var found captable.EntityID
	for _, one := range known {
		if one.Organization != c.Organization {
			continue
		}
		member, ok := c.View.State.MemberOf(one.Entity)
		if ok && (found.IsZero() || member.Status != organization.StatusRemoved) {
			found = one.Entity
		}
	}
	return found, nil
}
