package api

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// Standing holds the caller's rights to the profile of an entity.
type Standing struct {
	Entity captable.EntityID
	// Own reports that the profile is the caller's.
	Own bool
	// view and update report the rights that result from memberships of the entity.
	view, update bool
}

// stand determines the caller's rights to the entity in the path. An invisible entity is answered like
// an unknown one. Organizations can access the profile of a person who joined as this entity and is
// still a member, and the profiles of holders without an account.
func (s *Kernel) stand(ctx context.Context, c *Call, entity captable.EntityID) error {
	person, err := s.Person(ctx, entity)
	if err != nil {
		return err
	}
	c.Subject = Standing{Entity: entity, Own: person == c.Caller.User}
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return Unavailable(Wrap(ctx, "list organizations", err))
	}
	for _, id := range ids {
		view, err := s.View(ctx, id)
		if IsDamaged(err) {
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
		c.Subject.update = c.Subject.update || permissions.Has(organization.EditMembers)
		c.Subject.view = c.Subject.view || permissions.Has(organization.ViewMembers)
	}
	if !c.Subject.Own && !c.Subject.view && !c.Subject.update {
		return NotFound()
	}
	return nil
}

// MayUpdateSubject requires the caller's own profile, or permission to edit the member.
func MayUpdateSubject(c *Call) bool { return c.Subject.Own || c.Subject.update }

// maySeeSubject succeeds if stand found an entity that the caller may see.
func maySeeSubject(c *Call) bool { return !c.Subject.Entity.IsZero() }
