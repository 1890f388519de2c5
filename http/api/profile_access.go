package api

import (
	"context"

	"equity/captable"
	"equity/fault"
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
	rights, err := s.Rights.OnProfile(ctx, MembershipCaller(c), entity)
	if err != nil {
		return err
	}
	c.Subject = Standing{entity, rights}
	if !rights.Own && !rights.View && !rights.Update {
		return NotFound()
	}
	return nil
}

// ProfileFiles finds the profiles of files.
type ProfileFiles interface {
	// EntityOf returns the entity of the profile with the file, or an error with code resourceNotFound.
	EntityOf(ctx context.Context, file [16]byte) (captable.EntityID, error)
}

// standByFile determines the caller's rights to the profile with the file.
func (s *Kernel) standByFile(ctx context.Context, c *Call, file [16]byte) error {
	if s.profileFiles == nil {
		return NotFound()
	}
	entity, err := s.profileFiles.EntityOf(ctx, file)
	if fault.Is(err, fault.NotFound) {
		return NotFound()
	}
	if err != nil {
		return Unavailable(err)
	}
	return s.stand(ctx, c, entity)
}

// MayUpdateSubject requires the caller's own profile, or permission to edit the member.
func MayUpdateSubject(c *Call) bool { return c.Subject.Own || c.Subject.Update }

// maySeeSubject succeeds if stand found an entity that the caller may see.
func maySeeSubject(c *Call) bool { return !c.Subject.Entity.IsZero() }
