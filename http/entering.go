package http

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// mostEntering is how often an entering is begun anew because the members moved: each time somebody else's went through.
const mostEntering = 50

// entering carries out what enters addresses in the organization. The journal, which holds no addresses, cannot tell whose
// one is; so that is judged by a view here, and the organization refuses what was judged before its members moved.
// Then it is judged anew. So two callers at once, on whatever servers, never make two members of one address.
func (s *Server) entering(ctx context.Context, c *Call, enter func() (Answer, error)) (Answer, error) {
	for attempt := 1; ; attempt++ {
		now, err := s.view(ctx, c.Organization)
		if err != nil {
			return Answer{}, err
		}
		c.View = now
		answer, err := enter()
		if attempt == mostEntering || !errors.Is(err, messages.ErrMembersMoved) {
			return answer, err
		}
	}
}

// decideByMembers is decideOn for a command that was made by the members of the call's view; the particulars are stored
// with it.
func (s *Server) decideByMembers(
	ctx context.Context, c *Call, body organization.Command, about any, particulars ...messages.Particular,
) (messages.Reply, error) {
	command, err := c.command(body, about)
	if err != nil {
		return messages.Reply{}, err
	}
	command.Particulars, command.MembersAsOf = particulars, c.View.Sequence
	return s.decide(ctx, c, command)
}

// freeFor refuses an address that is of a member of the organization who is somebody else, and tells whether it is the
// entity's already.
func (s *Server) freeFor(ctx context.Context, c *Call, entity captable.EntityID, email string) (theirs bool, err error) {
	known, err := s.knownHere(ctx, c, email)
	if err != nil || known == entity {
		return known == entity, err
	}
	if member, ok := c.View.State.MemberOf(known); ok && member.Status != organization.StatusRemoved {
		return false, captable.Refuse(captable.CodeConflict, "This person is a member already.").With("member", member.ID.String())
	}
	return false, nil
}

// emailAmong gives the e-mail address among particulars; empty where there is none.
func emailAmong(particulars []messages.Particular) string {
	for _, p := range particulars {
		if p.Field == "email" {
			return email(p.Value)
		}
	}
	return ""
}

// email reads an address as particulars have it, in JSON; empty for none.
func email(value json.RawMessage) (address string) {
	if json.Unmarshal(value, &address) != nil {
		return ""
	}
	return address
}

// knownHere finds whom the organization knows by an address; the zero id for nobody. Of several, one who is still there
// goes before one who was removed. The account with the address counts only where it is a member already: whether
// there is one is told to nobody.
func (s *Server) knownHere(ctx context.Context, c *Call, email string) (captable.EntityID, error) {
	if strings.TrimSpace(email) == "" {
		return captable.EntityID{}, nil
	}
	account, err := s.accounts.ByEmail(ctx, email)
	if err != nil && !isUnknownUser(err) {
		return captable.EntityID{}, unavailable(doing(ctx, "find account", err))
	}
	if member, ok := c.View.State.MemberBy(account.ID); ok && err == nil {
		return member.Entity, nil
	}
	known, err := s.index.KnownBy(ctx, email)
	if err != nil {
		return captable.EntityID{}, unavailable(doing(ctx, "find holders", err))
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
