package account

import (
	"context"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// claim links an account to the members that organizations entered with its verified e-mail address.
// Errors do not prevent the sign-in; the next sign-in tries again.
func (s *base) claim(ctx context.Context, c *api.Call, account messages.User) {
	if account.EmailVerifiedAt.IsZero() || account.MustChangePassword {
		return
	}
	ctx = messages.WithoutChanges(ctx) // the caller did not request this change
	known, err := s.Index.KnownBy(ctx, account.Email)
	if err != nil {
		s.Log.Warn("holders not found", "request", c.ID, "cause", err)
		return
	}
	for _, one := range known {
		if err := s.claimOne(ctx, c, account, one); err != nil {
			s.Log.Warn("holder not claimed", "request", c.ID, "organization", one.Organization.String(), "cause", err)
		}
	}
}

// claimOne links the account to the member with its verified address. It does not change an entity
// that belongs to another account, or an organization of which the account is a member already.
func (s *base) claimOne(ctx context.Context, c *api.Call, account messages.User, one messages.Known) error {
	view, err := s.View(ctx, one.Organization)
	if err != nil {
		return err
	}
	member, ok := view.State.MemberOf(one.Entity)
	_, already := view.State.MemberBy(account.ID)
	if !ok || already || !member.User.IsZero() || member.Status != organization.StatusRegistered {
		return nil
	}
	if person, err := s.Person(ctx, one.Entity); err != nil || !person.IsZero() && person != account.ID {
		return err
	}
	_, err = s.Organizations.Do(ctx, messages.Command{
		Organization: one.Organization, By: account.ID.String(), At: c.At,
		Body: organization.ClaimMember{Entity: one.Entity, User: account.ID},
	})
	return err
}
