package http

import (
	"context"
	"errors"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// dividedRecord is the result of ending a holding: To belongs to the new holder, Balance is the
// remainder.
type dividedRecord struct {
	From    instrumentRecord  `json:"from"`
	To      *instrumentRecord `json:"to,omitempty"`
	Balance *instrumentRecord `json:"balance,omitempty"`
}

var errNoDivision = errors.New("the change ended no holding")

// divided returns the result of a command from its event and the records just after it.
func (h holders) divided(reply messages.Reply, day captable.Date) (dividedRecord, error) {
	records := map[captable.InstrumentID]*instrumentRecord{}
	for _, record := range reply.Records {
		if held, ok := record.(*captable.Instrument); ok {
			records[held.ID] = new(h.instrument(held, day))
		}
	}
	for _, happened := range reply.Events {
		table, _ := happened.(organization.TableEvent)
		event, ok := table.Event.(captable.InstrumentEnded)
		if !ok || records[event.ID] == nil {
			continue
		}
		made := dividedRecord{From: *records[event.ID]}
		if event.Result != nil {
			made.To = records[event.Result.ID]
		}
		if event.Balance != nil {
			made.Balance = records[event.Balance.ID]
		}
		return made, nil
	}
	return dividedRecord{}, errNoDivision
}

// divide carries out a command that ends the holding in the path. A new holder's holding is the
// created record.
func (s *Server) divide(ctx context.Context, c *Call, id captable.InstrumentID, command captable.Command) (Answer, error) {
	return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) {
		made, err := s.holdersNow(ctx, c).divided(reply, c.AsOf())
		if err != nil {
			return shown{}, err
		}
		answer := shown{record: made, version: made.From.Version}
		if made.To != nil {
			answer.location = "/holding/" + made.To.ID.String()
		}
		return answer, nil
	})
}

func (s *Server) cancelHolding(ctx context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return s.cancelOptionHolding(ctx, c, id)
	}
	cancel := about("holding", func(command *captable.CancelInstrument, id captable.InstrumentID) { command.ID = id }, s.divide)
	return cancel(ctx, c)
}
