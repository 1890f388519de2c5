package api

import (
	"context"

	"equity/captable"
	"equity/membership"
)

// Standing holds the caller's rights to the profile of an entity.
type Standing struct {
	Entity captable.EntityID
	membership.ProfileRights
}

// stand determines the caller's rights to the entity in the path. An invisible entity is answered like
// an unknown one.
func (s *Kernel) stand(ctx context.Context, c *Call, entity captable.EntityID) error {
	rights, err := s.Rights.OnProfile(ctx, c.Caller.User, entity)
	if err != nil {
		return err
	}
	c.Subject = Standing{entity, rights}
	if !rights.Own && !rights.View && !rights.Update {
		return NotFound()
	}
	return nil
}

// MayUpdateSubject requires the caller's own profile, or permission to edit the member.
func MayUpdateSubject(c *Call) bool { return c.Subject.Own || c.Subject.Update }

// maySeeSubject succeeds if stand found an entity that the caller may see.
func maySeeSubject(c *Call) bool { return !c.Subject.Entity.IsZero() }
