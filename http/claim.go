package http

import (
	"context"

	"equity/messages"
	"equity/organization"
)

// claim links an account to the members that organizations entered with its verified e-mail address.
// Errors do not prevent the sign-in; the next sign-in tries again.
func (s *Server) claim(ctx context.Context, c *Call, account messages.User) {
	if account.EmailVerifiedAt.IsZero() || account.MustChangePassword {
		return
	}
	ctx = messages.WithoutChanges(ctx) // the caller did not request this change
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

// letIn links the caller to a member that was entered for their address after they signed in, and
// returns that member if it exists.
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

// claimOne links the account to the member with its verified address. It does not change an entity
// that belongs to another account, or an organization of which the account is a member already.
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
