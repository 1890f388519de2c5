package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// changeHolding carries out a command for the holding in the path.
func (s holdings) changeHolding(ctx context.Context, c *api.Call, command captable.CommandOf[*captable.Instrument]) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, api.PathID[captable.Instrument](c, "holding"), func(held *captable.Instrument) api.Result {
		return api.Result{Record: holdersOf(c).instrument(held, c.AsOf()), Version: held.Version}
	})
}

func (s holdings) amendHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	if id, is := optionInPath(c); is {
		return s.changeOption(ctx, c, id, captable.AmendGrant{ID: id, Patch: c.Body})
	}
	return s.changeHolding(ctx, c, captable.AmendInstrument{ID: api.PathID[captable.Instrument](c, "holding"), Patch: c.Body})
}

func (s holdings) correctHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	if id, is := optionInPath(c); is {
		return s.correctGrant(ctx, c, id)
	}
	command, err := api.DecodeOnly[captable.CorrectInstrument](c, "kind")
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}

// voidHolding reads the reason from the body, or from the query for clients that cannot send a body
// with DELETE.
func (s holdings) voidHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.VoidInstrument](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Instrument](c, "holding")
	if command.Reason == "" {
		command.Reason = c.Query("reason")
	}
	if id, is := optionInPath(c); is {
		return s.changeOption(ctx, c, id, captable.VoidGrant{ID: id, Reason: command.Reason})
	}
	return s.changeHolding(ctx, c, command)
}

func (s holdings) acceptHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	if id, is := optionInPath(c); is {
		return s.acceptGrant(ctx, c, id)
	}
	command, err := api.Decode[captable.AcceptInstrument](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}

func (s holdings) repayHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.RepayInstrument](c)
	if err != nil {
		return api.Answer{}, err
	}
	command.ID = api.PathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}
