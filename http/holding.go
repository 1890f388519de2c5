package http

import (
	"context"
	"encoding/json"
	"iter"

	"equity/captable"
	"equity/organization"
)

// holdingHandlers maps operation ids to the handlers of holdings.
func (s *Server) holdingHandlers() map[string]Handler {
	return map[string]Handler{
		"createHolding":   s.createHolding,
		"listHoldings":    s.listHoldings,
		"listOwnHoldings": s.listOwnHoldings,
		"getHolding":      s.getHolding,
		"amendHolding":    s.amendHolding,
		"correctHolding":  s.correctHolding,
		"voidHolding":     s.voidHolding,
		"acceptHolding":   s.acceptHolding,
		"transferHolding": about("holding", func(command *captable.TransferInstrument, id captable.InstrumentID) { command.ID = id }, s.divide),
		"cancelHolding":   s.cancelHolding,
		"repayHolding":    s.repayHolding,
		"convertHolding":  about("holding", func(command *captable.ConvertInstrument, id captable.InstrumentID) { command.ID = id }, s.convertInstrument),
		"exerciseHolding": about("holding", func(command *captable.ExerciseWarrant, id captable.InstrumentID) { command.ID = id }, s.exerciseWarrant),
	}
}

// holdingKinds maps each kind of holding to the handler that creates it.
func (s *Server) holdingKinds() map[captable.InstrumentKind]Handler {
	return map[captable.InstrumentKind]Handler{
		kindOption:           s.grantOption,
		captable.KindNote:    s.issueInstrument,
		captable.KindSAFE:    s.issueInstrument,
		captable.KindCustom:  s.issueInstrument,
		captable.KindWarrant: s.issueInstrument,
	}
}

// createHolding dispatches on the kind in the body.
func (s *Server) createHolding(ctx context.Context, c *Call) (Answer, error) {
	issue, known := s.holdingKinds()[kindOf(c.Body)]
	if !known { // the contract allows known kinds only
		return Answer{}, wrongField("/kind", "required", "Choose one of the kinds of holding.")
	}
	return issue(ctx, c)
}

// kindOf returns the kind of holding in a body; empty if absent.
func kindOf(body []byte) captable.InstrumentKind {
	var named struct {
		Kind captable.InstrumentKind `json:"kind"`
	}
	_ = json.Unmarshal(body, &named)
	return named.Kind
}

// instrumentRecord is the JSON form of a convertible or a warrant, with its holder and the amount
// owed.
type instrumentRecord struct {
	*captable.Instrument
	Organization    organization.ID   `json:"organization"`
	Member          captable.MemberID `json:"member,omitzero"`
	AccruedInterest *captable.Decimal `json:"accruedInterest,omitempty"`
	Balance         *captable.Decimal `json:"balance,omitempty"`
	Left            *captable.Decimal `json:"left,omitempty"`
}

// instrument returns a convertible or a warrant with its figures at the end of the day.
func (h holders) instrument(held *captable.Instrument, day captable.Date) instrumentRecord {
	record := instrumentRecord{Instrument: held.Lapsing(day), Organization: h.organization}
	if member, ok := h.state.MemberOf(held.Entity); ok {
		record.Member = member.ID
	}
	if held.Account != nil {
		balance, interest := held.Balance(day)
		record.Balance, record.AccruedInterest = &balance, &interest
	} else if !held.Quantity.IsZero() {
		left := held.LeftOn(max(day, held.IssueDate))
		record.Left = &left
	}
	return record
}

func (s *Server) issueInstrument(ctx context.Context, c *Call) (Answer, error) {
	command, err := decodeOnly[captable.IssueInstrument](c, "organization")
	if err != nil {
		return Answer{}, err
	}
	return alter(ctx, s, c, command, nil, func(held *captable.Instrument) shown {
		return shown{c.holders().instrument(held, c.AsOf()), held.Version, "/holding/" + held.ID.String()}
	})
}

func (s *Server) listHoldings(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(held *captable.Instrument) [16]byte { return held.ID }
		found := paged(c, id, shaped(c.instruments(), c.wantedInstrument))
		return shownPage(found, func(held *captable.Instrument) any { return c.holders().instrument(held, c.AsOf()) }), nil
	})
}

// instruments lists the instruments after the cursor that the caller may see.
func (c *Call) instruments() iter.Seq[*captable.Instrument] {
	return only(c.View.State.Table().InstrumentsAfter(captable.InstrumentID(c.After())), func(held *captable.Instrument) bool {
		return c.Can(organization.ViewCapTable) || held.Entity == c.Member.Entity
	})
}

// wantedInstrument returns the instrument as of the requested day, and whether it matches the filters
// of the request.
func (c *Call) wantedInstrument(held *captable.Instrument) (*captable.Instrument, bool) {
	if entity := queryID[captable.Entity](c, "entity"); !entity.IsZero() && held.Entity != entity {
		return nil, false
	}
	if kind := c.Query("kind"); kind != "" && kind != string(held.Kind) {
		return nil, false
	}
	held, issued := c.instrumentAsked(held)
	if !issued {
		return nil, false
	}
	status := c.Query("status")
	return held, status == "" || status == string(held.Status)
}

// instrumentAsked returns the instrument as of the requested day or today, and whether it existed then.
func (c *Call) instrumentAsked(held *captable.Instrument) (*captable.Instrument, bool) {
	if c.Query("asOf") == "" {
		return held.Lapsing(c.AsOf()), true
	}
	return held.On(c.AsOf())
}

func (s *Server) getHolding(_ context.Context, c *Call) (Answer, error) {
	if id, is := c.optionInPath(); is {
		return c.readOption(id)
	}
	held, ok := c.View.State.Table().Instrument(pathID[captable.Instrument](c, "holding"))
	if ok {
		held, ok = c.instrumentAsked(held)
	}
	if !ok {
		return Answer{}, errNotFound()
	}
	return c.read(c.holders().instrument(held, c.AsOf()), held.Version), nil
}
