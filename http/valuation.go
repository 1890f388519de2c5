package http

import (
	"context"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// valuationHandlers maps operation ids to the handlers of valuations.
func (s *Server) valuationHandlers() map[string]Handler {
	return map[string]Handler{
		"putValuation":   s.putValuation,
		"listValuations": s.listValuations,
		"getValuation":   s.getValuation,
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
	return s.alter(ctx, c, command, command.ID, func(reply messages.Reply) (shown, error) {
		valuation, err := touched[*captable.Valuation](reply)
		if err != nil {
			return shown{}, err
		}
		made := shown{record: c.showValuation(valuation), version: valuation.Version}
		if command.ID.IsZero() {
			made.location = "/valuation/" + valuation.ID.String()
		}
		return made, nil
	})
}

func (s *Server) listValuations(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		security := queryID[captable.Security](c, "security")
		id := func(valuation *captable.Valuation) [16]byte { return valuation.ID }
		found := paged(c, id, only(c.View.State.Table().Valuations(), func(valuation *captable.Valuation) bool {
			return c.asks(valuation, security)
		}))
		return shownPage(found, c.showValuation), nil
	})
}

// asks reports whether the valuation matches the requested security and is in force on the requested
// day. Absent filters match.
func (c *Call) asks(valuation *captable.Valuation, security captable.SecurityID) bool {
	if !security.IsZero() && valuation.Security != security {
		return false
	}
	if c.Query("asOf") == "" {
		return true
	}
	day := c.AsOf()
	return valuation.EffectiveDate <= day && (valuation.ExpiresOn.IsZero() || day < valuation.ExpiresOn)
}

func (s *Server) getValuation(_ context.Context, c *Call) (Answer, error) {
	valuation, ok := c.View.State.Table().Valuation(pathID[captable.Valuation](c, "valuation"))
	if !ok {
		return Answer{}, errNotFound()
	}
	return c.readOn(c.showValuation(valuation), valuation.Version), nil // a split may take effect tomorrow
}
