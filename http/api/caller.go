package api

import (
	"context"
	"slices"

	"equity/account"
	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Account returns the caller's account.
func (s *Kernel) Account(ctx context.Context, c *Call) (messages.User, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if IsUnknownUser(err) { // the account was erased before its session ended
		return messages.User{}, Unauthorized()
	}
	return account, Unavailable(Wrap(ctx, "find account", err))
}

// Person returns the owner of an entity: the account created with it, or the account that became a
// member of an organization as this entity. It returns the zero ID for an entity without an account.
func (s *Kernel) Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	found, err := s.index.Person(ctx, entity)
	return found, Unavailable(Wrap(ctx, "find person", err))
}

// MayEnlist refuses a new member whose entity the caller does not act for. Entities of people with an
// account cannot be named: people are invited, or claim the membership with their address.
func (s *Kernel) MayEnlist(ctx context.Context, c *Call, entity captable.EntityID) error {
	person, err := s.Person(ctx, entity)
	if err != nil {
		return err
	}
	theirs := false
	if person.IsZero() {
		theirs, err = s.ActsFor(ctx, c, entity)
	}
	if err == nil && !theirs {
		err = WrongField("/entity", "unknownReference", "Name an entity that has no account and whose memberships you may edit.")
	}
	return err
}

// ActsFor reports whether the caller acts for an entity without an account. For an organization's own
// entity, the caller must be allowed to edit its details; for a holder, the members of an organization
// to which the holder belongs.
func (s *Kernel) ActsFor(ctx context.Context, c *Call, entity captable.EntityID) (bool, error) {
	homes, err := s.Homes(ctx, c)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(homes, func(home *Call) bool {
		if captable.EntityID(home.Organization) == entity {
			return home.Permissions.Has(organization.EditOrganizationDetails)
		}
		_, ok := home.View.State.MemberOf(entity)
		return ok && home.Permissions.Has(organization.EditMembers)
	}), nil
}

// AccountByID finds accounts.
type AccountByID interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// AccountCaller returns the caller for the use cases of accounts.
func AccountCaller(c *Call) account.Caller {
	return account.Caller{
		User: c.Caller.User, Session: c.Caller.Session, MustChangePassword: c.Caller.MustChangePassword,
		Network: c.Caller.Network(), Request: c.ID, At: c.At,
	}
}
