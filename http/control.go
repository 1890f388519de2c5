package http

import (
	"context"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// account returns the caller's account.
func (s *Server) account(ctx context.Context, c *Call) (messages.User, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if isUnknownUser(err) { // the account was erased before its session ended
		return messages.User{}, errUnauthorized()
	}
	return account, unavailable(doing(ctx, "find account", err))
}

// person returns the owner of an entity: the account created with it, or the account that became a
// member of an organization as this entity. It returns the zero ID for an entity without an account.
func (s *Server) person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	found, err := s.index.Person(ctx, entity)
	return found, unavailable(doing(ctx, "find person", err))
}

// controls reports whether the caller may act as an entity: their own, or one without an account for
// which they act.
func (s *Server) controls(ctx context.Context, c *Call, entity captable.EntityID) (bool, error) {
	person, err := s.person(ctx, entity)
	if err != nil || !person.IsZero() {
		return person == c.Caller.User, err
	}
	return s.actsFor(ctx, c, entity)
}

// mayEnlist refuses a new member whose entity the caller does not act for. Entities of people with an
// account cannot be named: people are invited, or claim the membership with their address.
func (s *Server) mayEnlist(ctx context.Context, c *Call, entity captable.EntityID) error {
	person, err := s.person(ctx, entity)
	if err != nil {
		return err
	}
	theirs := false
	if person.IsZero() {
		theirs, err = s.actsFor(ctx, c, entity)
	}
	if err == nil && !theirs {
		err = wrongField("/entity", "unknownReference", "Name an entity that has no account and whose memberships you may edit.")
	}
	return err
}

// actsFor reports whether the caller acts for an entity without an account. For an organization's own
// entity, the caller must be allowed to edit its details; for a holder, the members of an organization
// to which the holder belongs.
func (s *Server) actsFor(ctx context.Context, c *Call, entity captable.EntityID) (bool, error) {
	homes, err := s.homes(ctx, c)
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

// pathEntity returns the entity of the path if the caller may act as it. Other entities are answered
// like unknown ones.
func (s *Server) pathEntity(ctx context.Context, c *Call) (captable.EntityID, error) {
	entity := pathID[captable.Entity](c, "entity")
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = errNotFound()
	}
	return entity, err
}

// mayAct refuses an entity in the body that the caller may not act as.
func (s *Server) mayAct(ctx context.Context, c *Call, entity captable.EntityID) error {
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = errNotTheirs()
	}
	return err
}

// once returns the idempotency data of a change outside the journals.
func (c *Call) once() messages.Once {
	key := c.idempotencyKey()
	if key == "" {
		return messages.Once{At: c.At}
	}
	return messages.Once{Key: key, Fingerprint: c.fingerprint(), At: c.At}
}
