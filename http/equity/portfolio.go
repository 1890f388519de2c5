package equity

import (
	"bytes"
	"context"
	"slices"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// portfolioHandlers maps operation ids to the handlers of a holder across organizations.
func (s portfolios) operations() map[string]api.Handler {
	return map[string]api.Handler{"getEntityProfile": s.getEntityProfile}
}

// portfolio is the JSON form of a holder's holdings in all organizations that the caller may see.
type portfolio struct {
	Entity    captable.EntityID `json:"entity"`
	AsOf      captable.Date     `json:"asOf"`
	Positions []holding         `json:"positions"`
	// The totals have one entry per currency, in alphabetical order.
	TotalInvested []captable.Money `json:"totalInvested"`
	CurrentValue  []captable.Money `json:"currentValue"`
	// Growth is absent for several currencies, and without an investment or a valuation.
	Growth *captable.Decimal `json:"growth,omitempty"`

	invested, value byCurrency
	unvalued        bool
}

// holding is a position in a security, or another holding.
type holding struct {
	// Kind is shares, or the kind of the holding.
	Kind         captable.InstrumentKind `json:"kind"`
	Organization named                   `json:"organization"`
	Security     *named                  `json:"security,omitempty"`
	// Holding is the id of the option, convertible or warrant; zero for shares.
	Holding captable.ID[any] `json:"holding,omitzero"`
	Shares  captable.Decimal `json:"shares"`
	// Exercisable is the exercisable quantity of an option or a warrant on the day.
	Exercisable   *captable.Decimal    `json:"exercisable,omitempty"`
	ExercisePrice *captable.Money      `json:"exercisePrice,omitempty"`
	Invested      captable.Money       `json:"invested"`
	Price         *captable.Money      `json:"pricePerShare,omitempty"`
	Valuation     captable.ValuationID `json:"valuation,omitzero"`
	Value         *captable.Money      `json:"value,omitempty"`
	Growth        *captable.Decimal    `json:"growth,omitempty"`
}

// kindShares is the kind of a share position.
const kindShares captable.InstrumentKind = "shares"

type named struct {
	ID   captable.ID[any] `json:"id"`
	Name string           `json:"name"`
}

type byCurrency map[string]captable.Decimal

func (b byCurrency) add(m captable.Money) { b[m.Currency] = b[m.Currency].Add(m.Amount) }

func (b byCurrency) list() []captable.Money {
	list := make([]captable.Money, 0, len(b))
	for currency, amount := range b {
		list = append(list, captable.Money{Amount: amount, Currency: currency})
	}
	slices.SortFunc(list, func(a, b captable.Money) int { return bytes.Compare([]byte(a.Currency), []byte(b.Currency)) })
	return list
}

// getEntityProfile sums the holdings of an entity in organizations whose cap table the caller may
// view, and in all organizations for the caller's own entities. The entity of the caller's account
// includes the entities of their memberships.
func (s portfolios) getEntityProfile(ctx context.Context, c *api.Call) (api.Answer, error) {
	ids, err := s.Index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list organizations", err))
	}
	slices.SortFunc(ids, func(a, b organization.ID) int { return bytes.Compare(a[:], b[:]) })
	found := portfolio{
		Entity: api.PathID[captable.Entity](c, "entity"), AsOf: c.AsOf(), Positions: []holding{},
		invested: byCurrency{}, value: byCurrency{},
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	known := account.Entity == found.Entity
	for _, id := range ids {
		view, err := s.View(ctx, id)
		if err != nil {
			return api.Answer{}, err
		}
		entity := found.Entity
		if self, ok := view.State.MemberBy(c.Caller.User); ok && entity == account.Entity {
			entity = self.Entity
		}
		if sees(view.State, c.Caller.User, entity) {
			known = true
			found.add(view.State, entity)
		}
	}
	if !known {
		return api.Answer{}, api.NotFound()
	}
	found.sumUp()
	return api.Answer{Record: found, Private: true}, nil
}

// sees reports whether the entity belongs to the organization and the user may view its holdings
// there.
func sees(state *organization.State, user organization.UserID, entity captable.EntityID) bool {
	self, member := state.MemberBy(user)
	if !member {
		return false
	}
	permissions, _ := state.Permissions(user)
	if _, there := state.MemberOf(entity); !there {
		return false
	}
	return permissions.Has(organization.ViewCapTable) || permissions.Has(organization.ViewSelf) && self.Entity == entity
}

func (p *portfolio) add(state *organization.State, entity captable.EntityID) {
	currency := state.Profile().Currency
	held := state.Table().HeldOn(entity, p.AsOf)
	for i := range held {
		p.enter(state, positionOf(&held[i], currency))
	}
	for _, right := range state.Table().RightsOn(entity, p.AsOf, currency) {
		p.enter(state, rightOf(&right, currency))
	}
}

// enter adds a position to the list and the totals.
func (p *portfolio) enter(state *organization.State, position holding) {
	position.Organization = named{captable.ID[any](state.ID()), state.Profile().Name}
	p.invested.add(position.Invested)
	if position.Value == nil {
		p.unvalued = true
	} else {
		p.value.add(*position.Value)
	}
	p.Positions = append(p.Positions, position)
}

// positionOf returns a share position with its value. Growth is computed only within one currency,
// because the server has no exchange rates.
func positionOf(held *captable.Held, currency string) holding {
	position := holding{
		Kind: kindShares, Security: &named{captable.ID[any](held.Security.ID), held.Security.Name}, Shares: held.Shares,
		Invested: captable.Money{Amount: held.Invested, Currency: currency},
	}
	if held.Quote == nil {
		return position
	}
	position.Price, position.Value = amountOf(held.Quote.Price, currency), amountOf(held.Value(), currency)
	position.Valuation = held.Quote.Valuation
	if position.Value.Currency == currency {
		position.Growth = growth(position.Value.Amount, held.Invested)
	}
	return position
}

// rightOf returns an option, warrant or convertible. The invested amount of a convertible is its
// principal; options and warrants have no invested amount.
func rightOf(right *captable.Right, currency string) holding {
	position := holding{Kind: right.Kind, Holding: right.ID, Shares: right.Shares, Invested: captable.Money{Currency: currency}}
	if right.Security != nil {
		position.Security = &named{captable.ID[any](right.Security.ID), right.Security.Name}
	}
	if right.Cost != nil {
		position.ExercisePrice = amountOf(*right.Cost, currency)
	}
	if right.Quote != nil {
		position.Price, position.Valuation = amountOf(right.Quote.Price, currency), right.Quote.Valuation
	}
	value, known := right.Value()
	if known {
		position.Value = amountOf(value, currency)
	}
	if right.Principal == nil {
		position.Exercisable = &right.Reach
	} else {
		position.Invested = *right.Principal
		position.Growth = growth(value.Amount, right.Principal.Amount)
	}
	return position
}

// amountOf returns the price with its own or the organization's currency.
func amountOf(p captable.Price, own string) *captable.Money {
	if p.Currency == "" {
		p.Currency = own
	}
	return &captable.Money{Amount: p.Amount, Currency: p.Currency}
}

func growth(value, invested captable.Decimal) *captable.Decimal {
	if grown, ok := captable.Growth(value, invested); ok {
		return &grown
	}
	return nil
}

func (p *portfolio) sumUp() {
	p.TotalInvested, p.CurrentValue = p.invested.list(), p.value.list()
	if len(p.TotalInvested) == 1 && len(p.CurrentValue) == 1 && !p.unvalued &&
		p.TotalInvested[0].Currency == p.CurrentValue[0].Currency {
		p.Growth = growth(p.CurrentValue[0].Amount, p.TotalInvested[0].Amount)
	}
}
