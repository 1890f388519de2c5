package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

func (s shareholdings) getShareholdingConfig(_ context.Context, c *api.Call) (api.Answer, error) {
	table := c.View.State.Table()
	return c.Read(c.ReadableFiles().ShownConfiguration(table.Configuration()), table.ConfigurationVersion()), nil
}

// replaceShareholdingConfig replaces the settings. Their version is the sequence of the event that
// changed them.
func (s shareholdings) replaceShareholdingConfig(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.Configure](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, captable.Configuration{}, func(configuration captable.Configuration) api.Result {
		return api.Result{Record: c.ReadableFiles().ShownConfiguration(configuration)}
	})
}
