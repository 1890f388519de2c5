package http

import (
	"context"
	"iter"

	"equity/captable"
	"equity/organization"
)

// valuationHandlers maps operation ids to the handlers of valuations.
func (s *Server) valuationHandlers() map[string]Handler {
	valuations := noun[captable.Valuation]{
		server: s, parameter: "valuation",
		key: func(valuation *captable.Valuation) (captable.ValuationID, uint64) {
			return valuation.ID, valuation.Version
		},
		all: (*Call).valuations,
		one: func(c *Call, id captable.ValuationID) (*captable.Valuation, bool) {
			return c.View.State.Table().Valuation(id)
		},
		show: (*Call).showValuation,
	}
	return map[string]Handler{
		"putValuation":   s.putValuation,
		"listValuations": valuations.list,
		"getValuation":   valuations.get,
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

func (c *Call) showValuation(valuation *captable.Valuation) any {
	shown := c.View.State.Table().ValuationOn(valuation, c.through())
	record := valuationRecord{Valuation: shown, Organization: c.Organization}
	if quoted := valuation.PricePerShare; quoted != nil && *quoted != *shown.PricePerShare {
		record.Quoted = quoted
	}
	return record
}

// putValuation creates a valuation, or replaces the one with the id in the body.
func (s *Server) putValuation(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.PutValuation](c)
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, command.ID, func(valuation *captable.Valuation) shown {
		result := shown{record: c.showValuation(valuation), version: valuation.Version}
		if command.ID.IsZero() {
			result.location = "/valuation/" + valuation.ID.String()
		}
		return result
	})
}

// valuations lists the valuations that match the request.
func (c *Call) valuations() iter.Seq[*captable.Valuation] {
	security := queryID[captable.Security](c, "security")
	return only(c.View.State.Table().Valuations(), func(valuation *captable.Valuation) bool {
		return c.matches(valuation, security)
	})
}

// matches reports whether the valuation matches the requested security and is in force on the requested
// day. Absent filters match.
func (c *Call) matches(valuation *captable.Valuation, security captable.SecurityID) bool {
	if !security.IsZero() && valuation.Security != security {
		return false
	}
	if c.Query("asOf") == "" {
		return true
	}
	day := c.AsOf()
	return valuation.EffectiveDate <= day && (valuation.ExpiresOn.IsZero() || day < valuation.ExpiresOn)
}
