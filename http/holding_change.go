package http

import (
	"context"

	"equity/captable"
)

// changeHolding carries out a command for the holding in the path.
func (s *Server) changeHolding(ctx context.Context, c *Call, command captable.CommandOf[*captable.Instrument]) (Answer, error) {
	return alter(ctx, s, c, command, pathID[captable.Instrument](c, "holding"), func(held *captable.Instrument) shown {
		return shown{record: c.holders().instrument(held, c.AsOf()), version: held.Version}
	})
}

func (s *Server) amendHolding(ctx context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return s.changeOption(ctx, c, id, captable.AmendGrant{ID: id, Patch: c.Body})
	}
	return s.changeHolding(ctx, c, captable.AmendInstrument{ID: pathID[captable.Instrument](c, "holding"), Patch: c.Body})
}

func (s *Server) correctHolding(ctx context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return s.correctGrant(ctx, c, id)
	}
	command, err := decodeOnly[captable.CorrectInstrument](c, "kind")
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}

// voidHolding reads the reason from the body, or from the query for clients that cannot send a body
// with DELETE.
func (s *Server) voidHolding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.VoidInstrument](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	if command.Reason == "" {
		command.Reason = c.Query("reason")
	}
	if id, is := c.optionInPath(); is {
		return s.changeOption(ctx, c, id, captable.VoidGrant{ID: id, Reason: command.Reason})
	}
	return s.changeHolding(ctx, c, command)
}

func (s *Server) acceptHolding(ctx context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return s.acceptGrant(ctx, c, id)
	}
	command, err := decode[captable.AcceptInstrument](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}

func (s *Server) repayHolding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.RepayInstrument](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Instrument](c, "holding")
	return s.changeHolding(ctx, c, command)
}
