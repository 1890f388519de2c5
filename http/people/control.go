package people

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// pathEntity returns the entity of the path if the caller may act as it. Other entities are answered
// like unknown ones.
func (s *base) pathEntity(ctx context.Context, c *api.Call) (captable.EntityID, error) {
	entity := api.PathID[captable.Entity](c, "entity")
	controls, err := s.Rights.Controls(ctx, api.MembershipCaller(c), entity)
	if err == nil && !controls {
		err = api.NotFound()
	}
	return entity, err
}

// mayAct refuses an entity in the body that the caller may not act as.
func (s *base) mayAct(ctx context.Context, c *api.Call, entity captable.EntityID) error {
	controls, err := s.Rights.Controls(ctx, api.MembershipCaller(c), entity)
	if err == nil && !controls {
		err = api.NotTheirs()
	}
	return err
}
