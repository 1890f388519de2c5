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

// controls tells whether the caller may act as an entity: it is their own; or it is an organization, whose entity has
// its id, and they may edit its details; or it is a holder without an account, and they may edit the members of an
// organization it belongs to.
func (s *Server) controls(ctx context.Context, c *Call, entity captable.EntityID) (bool, error) {
	return s.anywhere(ctx, c, entity, actsAs)
}

// mayEnlist refuses a caller who names, as a new member, an entity that they have nothing to do with: whoever edits the
// members of an organization may act as those without an account. They name what they control, or somebody whose
// membership elsewhere they may edit.
func (s *Server) mayEnlist(ctx context.Context, c *Call, entity captable.EntityID) error {
	theirs, err := s.anywhere(ctx, c, entity, enlists)
	if err == nil && !theirs {
		err = wrongField("/entity", "unknownReference", "There is no such entity among those whose memberships you may edit.")
	}
	return err
}

// anywhere tells whether an entity is the caller's own, by their account or by a membership that they claimed, or their
// permissions in one of their organizations allow it.
func (s *Server) anywhere(
	ctx context.Context, c *Call, entity captable.EntityID,
	allows func(*organization.State, organization.Permissions, captable.EntityID) bool,
) (bool, error) {
	account, err := s.account(ctx, c)
	if err != nil || account.Entity == entity {
		return err == nil, err
	}
	homes, err := s.homes(ctx, c)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(homes, func(home *Call) bool {
		return home.Member.Entity == entity || allows(home.View.State, home.Permissions, entity)
	}), nil
}

// actsAs tells whether the permissions in an organization let somebody act as the entity.
func actsAs(state *organization.State, permissions organization.Permissions, entity captable.EntityID) bool {
	if captable.EntityID(state.ID()) == entity {
		return permissions.Has(organization.EditOrganizationDetails)
	}
	member, ok := state.MemberOf(entity)
	return ok && member.User.IsZero() && permissions.Has(organization.EditMembers)
}

// enlists tells whether the permissions in an organization let somebody name the entity as a member of another.
func enlists(state *organization.State, permissions organization.Permissions, entity captable.EntityID) bool {
	if captable.EntityID(state.ID()) == entity {
		return permissions.Has(organization.EditOrganizationDetails)
	}
	member, ok := state.MemberOf(entity)
	return ok && member.Status != organization.StatusRemoved && permissions.Has(organization.EditMembers)
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
