package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
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
func (s holdings) divide(
	ctx context.Context, c *api.Call, id captable.InstrumentID, command captable.CommandOf[captable.EndedInstrument],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(ended captable.EndedInstrument) api.Result {
		h := holdersOf(c)
		result := dividedRecord{From: h.instrument(ended.From, c.AsOf())}
		answer := api.Result{Version: ended.From.Version}
		if ended.To != nil {
			result.To = new(h.instrument(ended.To, c.AsOf()))
			answer.Location = "/holding/" + ended.To.ID.String()
		}
		if ended.Balance != nil {
			result.Balance = new(h.instrument(ended.Balance, c.AsOf()))
		}
		answer.Record = result
		return answer
	})
}

func (s holdings) cancelHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	if id, is := optionInPath(c); is {
		return s.cancelOptionHolding(ctx, c, id)
	}
	cancel := api.About("holding", func(command *captable.CancelInstrument, id captable.InstrumentID) { command.ID = id }, s.divide)
	return cancel(ctx, c)
}
