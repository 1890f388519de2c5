package http

import (
	"context"

	"equity/captable"
)

// dividedRecord is the result of ending a holding: To belongs to the new holder, Balance is the
// remainder.
type dividedRecord struct {
	From    instrumentRecord  `json:"from"`
	To      *instrumentRecord `json:"to,omitempty"`
	Balance *instrumentRecord `json:"balance,omitempty"`
}

// divide carries out a command that ends the holding in the path. A new holder's holding is the
// created record.
func (s *Server) divide(
	ctx context.Context, c *Call, id captable.InstrumentID, command captable.CommandOf[captable.EndedInstrument],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(ended captable.EndedInstrument) shown {
		h := c.holders()
		result := dividedRecord{From: h.instrument(ended.From, c.AsOf())}
		answer := shown{version: ended.From.Version}
		if ended.To != nil {
			result.To = new(h.instrument(ended.To, c.AsOf()))
			answer.location = "/holding/" + ended.To.ID.String()
		}
		if ended.Balance != nil {
			result.Balance = new(h.instrument(ended.Balance, c.AsOf()))
		}
		answer.record = result
		return answer
	})
}

func (s *Server) cancelHolding(ctx context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return s.cancelOptionHolding(ctx, c, id)
	}
	cancel := about("holding", func(command *captable.CancelInstrument, id captable.InstrumentID) { command.ID = id }, s.divide)
	return cancel(ctx, c)
}
