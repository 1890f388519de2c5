package http

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// standing holds the caller's rights to the profile of an entity.
type standing struct {
	entity captable.EntityID
	// own reports that the profile is the caller's.
	own bool
	// view and update report the rights that result from memberships of the entity.
	view, update bool
}

// stand determines the caller's rights to the entity in the path. An invisible entity is answered like
// an unknown one. Organizations can access the profile of a person who joined as this entity and is
// still a member, and the profiles of holders without an account.
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

// mayUpdateSubject requires the caller's own profile, or that of a member whom they may edit.
func mayUpdateSubject(c *Call) bool { return c.subject.own || c.subject.update }

// maySeeSubject succeeds if stand found an entity that the caller may see.
func maySeeSubject(c *Call) bool { return !c.subject.entity.IsZero() }
