package people

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// controls reports whether the caller may act as an entity: their own, or one without an account for
// which they act.
func (s *base) controls(ctx context.Context, c *api.Call, entity captable.EntityID) (bool, error) {
	person, err := s.Person(ctx, entity)
	if err != nil || !person.IsZero() {
		return person == c.Caller.User, err
	}
	return s.ActsFor(ctx, c, entity)
}

// pathEntity returns the entity of the path if the caller may act as it. Other entities are answered
// like unknown ones.
func (s *base) pathEntity(ctx context.Context, c *api.Call) (captable.EntityID, error) {
	entity := api.PathID[captable.Entity](c, "entity")
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = api.NotFound()
	}
	return entity, err
}

// mayAct refuses an entity in the body that the caller may not act as.
func (s *base) mayAct(ctx context.Context, c *api.Call, entity captable.EntityID) error {
	theirs, err := s.controls(ctx, c, entity)
	if err == nil && !theirs {
		err = api.NotTheirs()
	}
	return err
}
