package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
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
func (s shareholdings) end(
	ctx context.Context, c *api.Call, id captable.ShareholdingID, command captable.CommandOf[captable.EndedShares],
) (api.Answer, error) {
	return api.Change(ctx, s.Kernel, c, command, id, func(shares captable.EndedShares) api.Result {
		return api.Result{Record: holdersOf(c).ended(shares), Version: shares.From.Version}
	})
}

// transferShareholding transfers shares. The new holder's shareholding is the created record.
func (s shareholdings) transferShareholding(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.TransferShareholding](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, command.Shareholding, func(shares captable.EndedShares) api.Result {
		result := holdersOf(c).ended(shares)
		to := result.Results[0] // a transfer has one new holder
		return api.Result{
			Record: transferRecord{result.From, to, result.Balance}, Version: result.From.Version,
			Location: "/shareholding/" + to.ID.String(),
		}
	})
}
