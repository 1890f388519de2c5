package http

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// standing is what the caller may do with the profile of an entity.
type standing struct {
	entity captable.EntityID
	// own says that it is the caller's.
	own bool
	// view and update say what memberships of the entity let the caller do.
	view, update bool
}

// stand finds the caller's standing towards the entity in the path. An entity that they may not even see is answered like one
// that does not exist. Organizations reach the profile of a person where that person came in as this entity, and is still
// there; and the profiles of holders who are nobody.
func (s *Server) stand(ctx context.Context, c *Call, entity captable.EntityID) error {
	person, err := s.person(ctx, entity)
	if err != nil {
		return err
	}
	c.subject = standing{entity: entity, own: person == c.Caller.User}
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return unavailable(doing(ctx, "list organizations", err))
	}
	for _, id := range ids {
		view, err := s.view(ctx, id)
		if isDamaged(err) {
			continue
		}
		if err != nil {
			return err
		}
		member, ok := view.State.MemberOf(entity)
		if !ok || member.Status == organization.StatusRemoved || member.User != person {
			continue
		}
		permissions, _ := view.State.Permissions(c.Caller.User)
		c.subject.update = c.subject.update || permissions.Has(organization.EditMembers)
		c.subject.view = c.subject.view || permissions.Has(organization.ViewMembers)
	}
	if !c.subject.own && !c.subject.view && !c.subject.update {
		return errNotFound()
	}
	return nil
}

// mayUpdateSubject wants the profile to be the caller's, or of a member whom they may edit.
func mayUpdateSubject(c *Call) bool { return c.subject.own || c.subject.update }

// maySeeSubject is known by then: stand lets nobody else in.
func maySeeSubject(c *Call) bool { return !c.subject.entity.IsZero() }
