package http

import (
	"context"

	"equity/captable"
	"equity/messages"
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
	return s.alter(ctx, c, command, captable.Configuration{}, func(reply messages.Reply) (shown, error) {
		configuration, err := touched[captable.Configuration](reply)
		return shown{record: configuration, version: reply.Sequence}, err
	})
}
