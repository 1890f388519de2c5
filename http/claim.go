package http

import (
	"context"

	"equity/messages"
	"equity/organization"
)

// claim gives an account what organizations entered for its verified address: it becomes the member that the holder is.
// Nobody is kept from signing in by it; what fails is tried at the next time.
func (s *Server) claim(ctx context.Context, c *Call, account messages.User) {
	if account.EmailVerifiedAt.IsZero() || account.MustChangePassword {
		return
	}
	ctx = messages.WithoutChanges(ctx) // it is no change that the caller asked for
	known, err := s.index.KnownBy(ctx, account.Email)
	if err != nil {
		s.log.Warn("holders not found", "request", c.ID, "cause", err)
		return
	}
	for _, one := range known {
		if err := s.claimOne(ctx, c, account, one); err != nil {
			s.log.Warn("holder not claimed", "request", c.ID, "organization", one.Organization.String(), "cause", err)
		}
	}
}

// letIn gives a stranger the membership that was entered for their address since they signed in, if there is one.
func (s *Server) letIn(ctx context.Context, c *Call) (*messages.View, *organization.Member, bool) {
	account, err := s.account(ctx, c)
	if err != nil {
		return nil, nil, false
	}
	s.claim(ctx, c, account)
	view, err := s.view(ctx, c.Organization)
	if err != nil {
		return nil, nil, false
	}
	member, ok := view.State.MemberBy(c.Caller.User)
	return view, member, ok
}

// claimOne makes an account the member whose address it has confirmed, unless the entity is
// somebody's already, or they are a member otherwise.
func (s *Server) claimOne(ctx context.Context, c *Call, account messages.User, one messages.Known) error {
	view, err := s.view(ctx, one.Organization)
	if err != nil {
		return err
	}
	member, ok := view.State.MemberOf(one.Entity)
	_, already := view.State.MemberBy(account.ID)
	if !ok || already || !member.User.IsZero() || member.Status != organization.StatusRegistered {
		return nil
	}
	if person, err := s.person(ctx, one.Entity); err != nil || !person.IsZero() && person != account.ID {
		return err
	}
	_, err = s.organizations.Do(ctx, messages.Command{
		Organization: one.Organization, By: account.ID.String(), At: c.At,
		Body: organization.ClaimMember{Entity: one.Entity, User: account.ID},
	})
	return err
}
