package equity

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of holdings.
func (s holdings) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"createHolding":   s.createHolding,
		"listHoldings":    s.listHoldings,
		"listOwnHoldings": s.listOwnHoldings,
		"getHolding":      s.getHolding,
		"amendHolding":    s.amendHolding,
		"correctHolding":  s.correctHolding,
		"voidHolding":     s.voidHolding,
		"acceptHolding":   s.acceptHolding,
		"transferHolding": api.About(
			"holding", func(command *captable.TransferInstrument, id captable.InstrumentID) { command.ID = id }, s.divide,
		),
		"cancelHolding": s.cancelHolding,
		"repayHolding":  notOfOptions("An option is no debt. Only notes and agreements with interest are repaid.", s.repayHolding),
		"convertHolding": notOfOptions("An option does not convert. Exercise it instead.",
			api.About(
				"holding", func(command *captable.ConvertInstrument, id captable.InstrumentID) { command.ID = id }, s.convertInstrument,
			)),
		"exerciseHolding": notOfOptions("This path exercises warrants. An option is exercised at its pool.",
			api.About("holding", func(command *captable.ExerciseWarrant, id captable.InstrumentID) { command.ID = id }, s.exerciseWarrant)),
	}
}

// holdingKinds maps each kind of holding to the handler that creates it.
func (s holdings) holdingKinds() map[captable.InstrumentKind]api.Handler {
	return map[captable.InstrumentKind]api.Handler{
		api.KindOption:       s.grantOption,
		captable.KindNote:    s.issueInstrument,
		captable.KindSAFE:    s.issueInstrument,
		captable.KindCustom:  s.issueInstrument,
		captable.KindWarrant: s.issueInstrument,
	}
}

// createHolding dispatches on the kind in the body.
func (s holdings) createHolding(ctx context.Context, c *api.Call) (api.Answer, error) {
	issue, known := s.holdingKinds()[api.KindOf(c.Body)]
	if !known { // the contract allows known kinds only
		return api.Answer{}, api.WrongField("/kind", "required", "Choose one of the kinds of holding.")
	}
	return issue(ctx, c)
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

func (s holdings) issueInstrument(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.DecodeOnly[captable.IssueInstrument](c, "organization")
	if err != nil {
		return api.Answer{}, err
	}
	return api.Change(ctx, s.Kernel, c, command, nil, func(held *captable.Instrument) api.Result {
		return api.Result{Record: holdersOf(c).instrument(held, c.AsOf()), Version: held.Version, Location: "/holding/" + held.ID.String()}
	})
}

// anyHolding is an instrument or an option; the other is nil.
type anyHolding struct {
	instrument *captable.Instrument
	option     *captable.Grant
}

func (h anyHolding) id() [16]byte {
	if h.option != nil {
		return h.option.ID
	}
	return h.instrument.ID
}

// holding returns the JSON form of a holding on the day.
func (h holders) holding(held anyHolding, day captable.Date) any {
	if held.option != nil {
		return h.option(held.option, day)
	}
	return h.instrument(held.instrument, day)
}

// inOrder merges instruments and options, both in the order of their ids.
func inOrder(instruments iter.Seq[*captable.Instrument], options iter.Seq[*captable.Grant]) iter.Seq[anyHolding] {
	return func(yield func(anyHolding) bool) {
		next, stop := iter.Pull(options)
		defer stop()
		option, left := next()
		for instrument := range instruments {
			for ; left && bytes.Compare(option.ID[:], instrument.ID[:]) < 0; option, left = next() {
				if !yield(anyHolding{option: option}) {
					return
				}
			}
			if !yield(anyHolding{instrument: instrument}) {
				return
			}
		}
		for ; left; option, left = next() {
			if !yield(anyHolding{option: option}) {
				return
			}
		}
	}
}

func (s holdings) listHoldings(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		h, table, kinds := holdersOf(c), c.View.State.Table(), kindsOf(c)
		instruments := api.Shaped(table.InstrumentsAfter(captable.InstrumentID(c.After())), func(
			held *captable.Instrument,
		) (*captable.Instrument, bool) {
			return wantedInstrument(c, held)
		})
		options := api.Only(table.GrantsAfter(captable.GrantID(c.After())), func(grant *captable.Grant) bool {
			return wantedOption(c, grant, h)
		})
		if len(kinds) > 0 && !slices.Contains(kinds, string(api.KindOption)) {
			options = func(func(*captable.Grant) bool) {}
		}
		found := api.Paged(c, anyHolding.id, inOrder(instruments, options))
		return api.ShownPage(found, func(held anyHolding) any { return h.holding(held, c.AsOf()) }), nil
	})
}

// wantedInstrument returns the instrument as of the requested day, and whether the caller may see it and it matches the filters of the request.
func wantedInstrument(c *api.Call, held *captable.Instrument) (*captable.Instrument, bool) {
	if !mayRead(c, held.Entity) {
		return nil, false
	}
	if kinds := kindsOf(c); len(kinds) > 0 && !slices.Contains(kinds, string(held.Kind)) {
		return nil, false
	}
	held, issued := instrumentAsked(c, held)
	if !issued {
		return nil, false
	}
	status := c.Query("status")
	return held, status == "" || status == string(held.Status)
}

// kindsOf returns the kinds of holdings that the request selects; none selects all.
func kindsOf(c *api.Call) []string {
	if c.Query("kind") == "" {
		return nil
	}
	return strings.Split(c.Query("kind"), ",")
}

// mayRead reports whether the caller may see the holdings of the entity and the request does not select those of another one.
func mayRead(c *api.Call, entity captable.EntityID) bool {
	selected := api.QueryID[captable.Entity](c, "entity")
	return (selected.IsZero() || selected == entity) &&
		(c.Can(organization.ViewCapTable) || c.Can(organization.ViewSelf) && entity == c.Member.Entity)
}

// wantedOption reports whether the option existed on the requested day, the caller may see it, and it matches the filters of the request.
func wantedOption(c *api.Call, grant *captable.Grant, h holders) bool {
	if c.Query("asOf") != "" && grant.IssueDate > c.AsOf() || !mayRead(c, grant.Entity) {
		return false
	}
	status := c.Query("status")
	return status == "" || status == string(h.option(grant, c.AsOf()).Status)
}

// instrumentAsked returns the instrument as of the requested day or today, and whether it existed then.
func instrumentAsked(c *api.Call, held *captable.Instrument) (*captable.Instrument, bool) {
	if c.Query("asOf") == "" {
		return held.Lapsing(c.AsOf()), true
	}
	return held.On(c.AsOf())
}

func (s holdings) getHolding(_ context.Context, c *api.Call) (api.Answer, error) {
	if id, is := optionInPath(c); is {
		return readOption(c, id)
	}
	held, ok := c.View.State.Table().Instrument(api.PathID[captable.Instrument](c, "holding"))
	if ok {
		held, ok = instrumentAsked(c, held)
	}
	if !ok {
		return api.Answer{}, api.NotFound()
	}
	return c.Read(holdersOf(c).instrument(held, c.AsOf()), held.Version), nil
}
