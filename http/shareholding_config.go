package http

import (
	"context"

	"equity/captable"
)

func (s *Server) getShareholdingConfig(_ context.Context, c *Call) (Answer, error) {
	table := c.View.State.Table()
	return c.read(table.Configuration(), table.ConfigurationVersion()), nil
}

// replaceShareholdingConfig replaces the settings. Their version is the sequence of the event that
// changed them.
func (s *Server) replaceShareholdingConfig(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.Configure](c)
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, captable.Configuration{}, func(configuration captable.Configuration) shown {
		return shown{record: configuration}
	})
}
