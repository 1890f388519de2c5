package http

import (
	"context"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// account reads the caller's own account.
func (s *Server) account(ctx context.Context, c *Call) (messages.User, error) {
	account, err := s.accounts.ByID(ctx, c.Caller.User)
	if isUnknownUser(err) { // the account is gone, the session is not yet
		return messages.User{}, errUnauthorized()
	}
	return account, unavailable(doing(ctx, "find account", err))
}

// person tells whose an entity is: the account that was made with it, or the one that became a member of any organization
// as it; the zero id for nobody's.
func (s *Server) person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	found, err := s.index.Person(ctx, entity)
	return found, unavailable(doing(ctx, "find person", err))
}

// controls tells whether the caller may act as an entity: it is their own; or nobody's, and they act for it.
func (s *Server) controls(ctx context.Context, c *Call, entity captable.EntityID) (bool, error) {
	person, err := s.person(ctx, entity)
	if err != nil || !person.IsZero() {
		return person == c.Caller.User, err
	}
	return s.actsFor(ctx, c, entity)
}

// mayEnlist refuses a caller who names, as a new member, an entity that they do not act for. A person is nobody's to name:
// people are invited, or claim what is entered by their address.
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
		err = wrongField("/entity", "unknownReference", "There is no such entity without an account among those whose memberships you may edit.")
	}
	return err
}

// actsFor tells whether an entity that is nobody's is an organization, whose entity has its id, and the caller may edit its
// details; or a holder, and they may edit the members of an organization it belongs to.
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

// pathEntity gives the entity in the path once the caller may act as it. Another one is answered like one that does
// not exist.
func (s *Server) pathEntity(ctx context.Context, c *Call) (captable.EntityID, error) {
	entity := pathID[captable.Entity](c, "entity")
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = errNotFound()
	}
	return entity, err
}

// mayAct refuses a caller who may not act as an entity that the body names.
func (s *Server) mayAct(ctx context.Context, c *Call, entity captable.EntityID) error {
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = errNotTheirs()
	}
	return err
}

// once is the promise that a repeated request has one effect, for what lies beside the journals.
func (c *Call) once() messages.Once {
	key := c.idempotencyKey()
	if key == "" {
		return messages.Once{At: c.At}
	}
	return messages.Once{Key: key, Fingerprint: c.fingerprint(), At: c.At}
}
