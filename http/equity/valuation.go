package equity

import (
	"context"
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of valuations.
func (s valuations) operations() map[string]api.Handler {
	valuations := api.Noun[captable.Valuation]{
		Kernel: s.Kernel, Parameter: "valuation",
		Key: func(valuation *captable.Valuation) (captable.ValuationID, uint64) {
			return valuation.ID, valuation.Version
		},
		All: valuationsOf,
		One: func(c *api.Call, id captable.ValuationID) (*captable.Valuation, bool) {
			return c.View.State.Table().Valuation(id)
		},
		Show: showValuation,
	}
	return map[string]api.Handler{
		"putValuation":   s.putValuation,
		"listValuations": valuations.List,
		"getValuation":   valuations.Get,
	}
}

// valuationRecord is the JSON form of a valuation. Its price refers to shares of the requested day.
type valuationRecord struct {
	*captable.Valuation
	Organization organization.ID `json:"organization"`
	// Quoted is the stated price, which refers to shares of the effective date; nil if no split took
	// effect since.
	Quoted *captable.Money `json:"quotedPricePerShare,omitempty"`
}

func showValuation(c *api.Call, valuation *captable.Valuation) any {
	shown := c.View.State.Table().ValuationOn(valuation, through(c))
	if !c.ReadableFiles().Shows(shown.Document) {
		without := *shown
		without.Document = ""
		shown = &without
	}
	record := valuationRecord{Valuation: shown, Organization: c.Organization}
	if quoted := valuation.PricePerShare; quoted != nil && *quoted != *shown.PricePerShare {
		record.Quoted = quoted
	}
	return record
}

// putValuation creates a valuation, or replaces the one with the id in the body.
func (s valuations) putValuation(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[captable.PutValuation](c)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, command.ID, func(valuation *captable.Valuation) api.Result {
		result := api.Result{Record: showValuation(c, valuation), Version: valuation.Version}
		if command.ID.IsZero() {
			result.Location = "/valuation/" + valuation.ID.String()
		}
		return result
	})
}

// valuations lists the valuations that match the request.
func valuationsOf(c *api.Call) iter.Seq[*captable.Valuation] {
	security := api.QueryID[captable.Security](c, "security")
	return api.Only(c.View.State.Table().Valuations(), func(valuation *captable.Valuation) bool {
		return matches(c, valuation, security)
	})
}

// matches reports whether the valuation matches the requested security and is in force on the requested
// day. Absent filters match.
func matches(c *api.Call, valuation *captable.Valuation, security captable.SecurityID) bool {
	if !security.IsZero() && valuation.Security != security {
		return false
	}
	if c.Query("asOf") == "" {
		return true
	}
	day := c.AsOf()
	return valuation.EffectiveDate <= day && (valuation.ExpiresOn.IsZero() || day < valuation.ExpiresOn)
}
