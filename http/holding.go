package http

import (
	"context"
	"encoding/json"
	"iter"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// holdingHandlers is the table of what holdings can be asked for.
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
		"convertHolding":  about("holding", func(command *captable.ConvertInstrument, id captable.InstrumentID) { command.ID = id }, s.giveShares(recordConversion)),
		"exerciseHolding": about("holding", func(command *captable.ExerciseWarrant, id captable.InstrumentID) { command.ID = id }, s.giveShares(recordExercise)),
	}
}

// holdingKinds is the table of how each kind of holding comes into being.
func (s *Server) holdingKinds() map[captable.InstrumentKind]Handler {
	return map[captable.InstrumentKind]Handler{
		kindOption:           s.grantOption,
		captable.KindNote:    s.issueInstrument,
		captable.KindSAFE:    s.issueInstrument,
		captable.KindCustom:  s.issueInstrument,
		captable.KindWarrant: s.issueInstrument,
	}
}

// createHolding leaves the body to the kind that it names.
func (s *Server) createHolding(ctx context.Context, c *Call) (Answer, error) {
	issue, known := s.holdingKinds()[kindOf(c.Body)]
	if !known { // the contract has said so
		return Answer{}, wrongField("/kind", "required", "A holding is of one of these kinds.")
	}
	return issue(ctx, c)
}

// kindOf reads what kind of holding a body is about; empty for none.
func kindOf(body []byte) captable.InstrumentKind {
	var named struct {
		Kind captable.InstrumentKind `json:"kind"`
	}
	_ = json.Unmarshal(body, &named)
	return named.Kind
}

// instrumentRecord is a convertible or a warrant with whose it is and what is owed.
type instrumentRecord struct {
	*captable.Instrument
	Organization    organization.ID   `json:"organization"`
	Member          captable.MemberID `json:"member,omitzero"`
	AccruedInterest *captable.Decimal `json:"accruedInterest,omitempty"`
	Balance         *captable.Decimal `json:"balance,omitempty"`
	Left            *captable.Decimal `json:"left,omitempty"`
}

// instrument shows a convertible or a warrant with its figures at the end of the day.
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
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		made, err := s.shownInstrument(ctx, c, reply)
		if record, ok := made.record.(instrumentRecord); ok {
			made.location = "/holding/" + record.ID.String()
		}
		return made, err
	})
}

// shownInstrument shows the instrument that a change is about, as of today.
func (s *Server) shownInstrument(ctx context.Context, c *Call, reply messages.Reply) (shown, error) {
	held, err := c.changedInstrument(reply)
	if err != nil {
		return shown{}, err
	}
	return shown{record: s.holdersNow(ctx, c).instrument(held, c.AsOf()), version: held.Version}, nil
}

// changedInstrument gives the holding of the path, or the new one where the path names
// none. Other ones may have been recorded as expired before it, to make room.
func (c *Call) changedInstrument(reply messages.Reply) (*captable.Instrument, error) {
	about := pathID[captable.Instrument](c, "holding")
	for _, record := range reply.Records {
		if held, ok := record.(*captable.Instrument); ok && held.ID == about {
			return held, nil
		}
	}
	return last[*captable.Instrument](reply)
}

func (s *Server) listHoldings(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(held *captable.Instrument) [16]byte { return held.ID }
		found := paged(c, id, shaped(c.instruments(), c.wantedInstrument))
		return shownPage(found, func(held *captable.Instrument) any { return c.holders().instrument(held, c.AsOf()) }), nil
	})
}

// instruments lists what the caller may see behind the cursor: everybody's, or their own.
func (c *Call) instruments() iter.Seq[*captable.Instrument] {
	return only(c.View.State.Table().InstrumentsAfter(captable.InstrumentID(c.After())), func(held *captable.Instrument) bool {
		return c.Can(organization.ViewCapTable) || held.Entity == c.Member.Entity
	})
}

// wantedInstrument gives the instrument as of the day that is asked for, and whether it
// is among what the question narrows the list to.
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

// instrumentAsked gives the instrument as of the day that is asked for, if one is.
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
	return c.readOn(c.holders().instrument(held, c.AsOf()), held.Version), nil
}
