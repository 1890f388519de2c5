package http

import (
	"context"
	"errors"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// endingRecord is the result of ending a shareholding.
type endingRecord struct {
	From         shareholdingRecord   `json:"from"`
	Results      []shareholdingRecord `json:"results"`
	Balance      *shareholdingRecord  `json:"balance,omitempty"`
	CashFraction captable.Decimal     `json:"cashFraction,omitzero"`
}

// transferRecord is the result of a transfer to one new holder.
type transferRecord struct {
	From    shareholdingRecord  `json:"from"`
	To      shareholdingRecord  `json:"to"`
	Balance *shareholdingRecord `json:"balance,omitempty"`
}

var errNoEnding = errors.New("the change ended no shareholding")

// ending returns the result of a command from its event and the records just after it.
func (h holders) ending(reply messages.Reply) (endingRecord, error) {
	var event captable.Ending
	for _, happened := range reply.Events {
		if table, ok := happened.(organization.TableEvent); ok {
			event, _ = table.Event.(captable.Ending)
		}
	}
	records := map[captable.ShareholdingID]shareholdingRecord{}
	for _, record := range reply.Records {
		if held, ok := record.(*captable.Shareholding); ok {
			records[held.ID] = h.show(held)
		}
	}
	if len(event.From) != 1 || records[event.From[0]].Shareholding == nil {
		return endingRecord{}, errNoEnding
	}
	made := endingRecord{From: records[event.From[0]], Results: []shareholdingRecord{}, CashFraction: event.CashFraction}
	for _, issue := range event.Results {
		made.Results = append(made.Results, records[issue.ID])
	}
	if event.Balance != nil {
		balance := records[event.Balance.ID]
		made.Balance = &balance
	}
	return made, nil
}

// end carries out a command that ends the shareholding in the path.
func (s *Server) end(ctx context.Context, c *Call, id captable.ShareholdingID, command captable.Command) (Answer, error) {
	return s.alter(ctx, c, command, id, func(reply messages.Reply) (shown, error) {
		made, err := s.holdersNow(ctx, c).ending(reply)
		if err != nil {
			return shown{}, err
		}
		return shown{record: made, version: made.From.Version}, nil
	})
}

// transferShareholding transfers shares. The new holder's shareholding is the created record.
func (s *Server) transferShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.TransferShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	return s.alter(ctx, c, command, command.Shareholding, func(reply messages.Reply) (shown, error) {
		made, err := s.holdersNow(ctx, c).ending(reply)
		if err != nil {
			return shown{}, err
		}
		if len(made.Results) != 1 {
			return shown{}, errNoEnding
		}
		to := made.Results[0]
		return shown{transferRecord{made.From, to, made.Balance}, made.From.Version, "/shareholding/" + to.ID.String()}, nil
	})
}
