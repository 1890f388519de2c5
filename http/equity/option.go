package equity

import (
	"context"
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of grants.
func (s options) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"getOption":         s.getOption,
		"getPoolOption":     s.getPoolOption,
		"listOptions":       s.listOptions,
		"listPoolOptions":   s.listPoolOptions,
		"listMemberOptions": s.listMemberOptions,
		"exerciseOption":    s.exerciseOption,
		"requestExercise":   s.requestExercise,
		"acceptExercise":    s.acceptExercise,
		"declineExercise":   s.declineExercise,
		"acceptOption": api.About(
			"option", func(command *captable.AcceptGrant, id captable.GrantID) { command.ID = id }, s.changeOption,
		),
		"cancelOption": api.About(
			"option", func(command *captable.CancelGrant, id captable.GrantID) { command.ID = id }, s.changeOption,
		),
		"releaseOption": api.About(
			"option", func(command *captable.ReleaseGrant, id captable.GrantID) { command.ID = id }, s.exercised,
		),
		"terminateOption": api.About(
			"option", func(command *captable.TerminateGrant, id captable.GrantID) { command.ID = id }, s.changeOption,
		),
		"accelerateOption": api.About(
			"option", func(command *captable.AccelerateGrant, id captable.GrantID) { command.ID = id }, s.changeOption,
		),
		"happenOption": api.About(
			"option", func(command *captable.HappenGrant, id captable.GrantID) { command.ID = id }, s.changeOption,
		),
		"expireOptions": s.expireOptions,
	}
}

// optionRecord is the JSON form of a grant with its holder and its figures of a day.
type optionRecord struct {
	*captable.Grant
	captable.GrantFigures
	// Quantity is the quantity on the day of the figures: before a split, the quantity before the
	// split.
	Quantity     captable.Decimal        `json:"quantity"`
	Kind         captable.InstrumentKind `json:"kind"`
	Organization organization.ID         `json:"organization"`
	Member       captable.MemberID       `json:"member,omitzero"`
	Split        *captable.ISOSplit      `json:"isoNsoSplit,omitempty"`
	// Repurchasable is the number of shares from exercises that the organization may buy back.
	Repurchasable *captable.Decimal `json:"repurchasable,omitempty"`
}

// option returns a grant as of the end of the day. A grant with a later date, which is possible in
// time zones ahead of UTC, is returned as granted.
func (h holders) option(grant *captable.Grant, day captable.Date) optionRecord {
	day = max(day, grant.IssueDate)
	if was, granted := grant.AsOf(day); granted {
		grant = was
	}
	if !h.files.Shows(grant.Agreement) {
		shown := *grant
		shown.Agreement = ""
		grant = &shown
	}
	figures := grant.On(day)
	record := optionRecord{
		Grant: grant, GrantFigures: figures, Quantity: figures.Quantity, Kind: api.KindOption, Organization: h.organization,
		Split:         h.state.Table().ISOSplit(grant, day, h.state.Profile().Currency),
		Repurchasable: repurchasableShares(h.state.Table(), grant, day),
	}
	if member, ok := h.state.MemberOf(grant.Entity); ok {
		record.Member = member.ID
	}
	return record
}

// optionAsked returns the grant with the id if it existed on the requested day.
func optionAsked(c *api.Call, id captable.GrantID) (*captable.Grant, error) {
	grant, ok := c.View.State.Table().Grant(id)
	if !ok || c.Query("asOf") != "" && grant.IssueDate > c.AsOf() {
		return nil, api.NotFound()
	}
	return grant, nil
}

func readOption(c *api.Call, id captable.GrantID) (api.Answer, error) {
	grant, err := optionAsked(c, id)
	if err != nil {
		return api.Answer{}, err
	}
	// The ISO/NSO split depends on the holder's other grants. The tag covers them, as it contains the organization's sequence.
	return c.Read(holdersOf(c).option(grant, c.AsOf()), grant.Version), nil
}

func (s options) getOption(_ context.Context, c *api.Call) (api.Answer, error) {
	return readOption(c, api.PathID[captable.Grant](c, "option"))
}

// getPoolOption is the deprecated path of a grant. The answer names its successor.
func (s options) getPoolOption(_ context.Context, c *api.Call) (api.Answer, error) {
	grant, err := optionOfPool(c)
	if err != nil {
		return api.Answer{}, err
	}
	answer, err := readOption(c, grant.ID)
	answer.Successor = "/option/" + grant.ID.String()
	return answer, err
}

// optionOfPool returns the grant in the path if it belongs to the pool in the path.
func optionOfPool(c *api.Call) (*captable.Grant, error) {
	grant, ok := c.View.State.Table().Grant(api.PathID[captable.Grant](c, "option"))
	if !ok || grant.Ref() != pool(c) {
		return nil, api.NotFound()
	}
	return grant, nil
}

// pool returns the pool in the path.
func pool(c *api.Call) captable.PoolRef {
	return captable.PoolRef{Plan: api.PathID[captable.Plan](c, "plan"), Pool: api.PathID[captable.Pool](c, "pool")}
}

// options pages through the grants that match the request and that the caller may see.
func (s options) options(c *api.Call, all iter.Seq[*captable.Grant], wanted func(*captable.Grant) bool) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		id := func(grant *captable.Grant) [16]byte { return grant.ID }
		found := api.Paged(c, id, api.Only(all, func(grant *captable.Grant) bool {
			return (c.Query("asOf") == "" || grant.IssueDate <= c.AsOf()) && wanted(grant)
		}))
		return api.ShownPage(found, func(grant *captable.Grant) any { return holdersOf(c).option(grant, c.AsOf()) }), nil
	})
}

func (s options) listOptions(_ context.Context, c *api.Call) (api.Answer, error) {
	h, of := holdersOf(c), c.Query("type")
	return s.options(c, c.View.State.Table().GrantsAfter(captable.GrantID(c.After())), func(grant *captable.Grant) bool {
		return (of == "" || of == string(grant.Type)) && wantedOption(c, grant, h)
	})
}

func (s options) listPoolOptions(_ context.Context, c *api.Call) (api.Answer, error) {
	ref, table := pool(c), c.View.State.Table()
	if _, _, ok := table.Pool(ref); !ok {
		return api.Answer{}, api.NotFound()
	}
	return s.options(c, table.GrantsAfter(captable.GrantID(c.After())), func(grant *captable.Grant) bool { return grant.Ref() == ref })
}

func (s options) listMemberOptions(_ context.Context, c *api.Call) (api.Answer, error) {
	member, ok := c.View.State.Member(api.PathID[captable.MemberKind](c, "member"))
	if !ok {
		return api.Answer{}, api.NotFound()
	}
	return s.options(c, c.View.State.Table().GrantsOf(member.Entity), func(*captable.Grant) bool { return true })
}

// listOwnHoldings lists the caller's holdings other than shares, over all organizations.
func (s *base) listOwnHoldings(ctx context.Context, c *api.Call) (api.Answer, error) {
	own, err := api.PageOf(ctx, s.Kernel, c, api.Spanning[ownHolding]{
		List: ownHoldings, ID: func(held ownHolding) [16]byte { return held.id },
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: api.ShownPage(own, func(held ownHolding) any { return held.record }), Private: true}, nil
}

// ownHolding is a holding of the caller with its JSON form.
type ownHolding struct {
	id     [16]byte
	record any
}

// ownHoldings lists the caller's holdings in one organization.
func ownHoldings(home *api.Call) (own []ownHolding) {
	if home.Permissions == 0 {
		return nil
	}
	h := holdersOf(home)
	for held := range inOrder(h.state.Table().InstrumentsOf(home.Member.Entity), h.state.Table().GrantsOf(home.Member.Entity)) {
		own = append(own, ownHolding{held.id(), h.holding(held, h.day)})
	}
	return own
}
