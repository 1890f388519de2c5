package http

import (
	"context"

	"equity/captable"
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

// ended returns the JSON form of an ended shareholding.
func (h holders) ended(shares captable.EndedShares) endingRecord {
	result := endingRecord{From: h.show(shares.From), Results: []shareholdingRecord{}, CashFraction: shares.CashFraction}
	for _, held := range shares.Results {
		result.Results = append(result.Results, h.show(held))
	}
	if shares.Balance != nil {
		result.Balance = new(h.show(shares.Balance))
	}
	return result
}

// end carries out a command that ends the shareholding in the path.
func (s *Server) end(
	ctx context.Context, c *Call, id captable.ShareholdingID, command captable.CommandOf[captable.EndedShares],
) (Answer, error) {
	return alter(ctx, s, c, command, id, func(shares captable.EndedShares) shown {
		return shown{record: c.holders().ended(shares), version: shares.From.Version}
	})
}

// transferShareholding transfers shares. The new holder's shareholding is the created record.
func (s *Server) transferShareholding(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.TransferShareholding](c)
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, command.Shareholding, func(shares captable.EndedShares) shown {
		result := c.holders().ended(shares)
		to := result.Results[0] // a transfer has one new holder
		return shown{transferRecord{result.From, to, result.Balance}, result.From.Version, "/shareholding/" + to.ID.String()}
	})
}
