package equity

import (
	"bytes"
	"context"
	"slices"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of a holder across organizations.
func (s portfolios) operations() map[string]api.Handler {
	return map[string]api.Handler{"getEntityProfile": s.getEntityProfile}
}

// portfolio is the JSON form of a holder's holdings in all organizations that the caller may see.
type portfolio struct {
	Entity    captable.EntityID `json:"entity"`
	AsOf      captable.Date     `json:"asOf"`
	Positions []holding         `json:"positions"`
	// The totals of all pages have one entry per currency, in alphabetical order. They are empty after the first page.
	TotalInvested []captable.Money `json:"totalInvested"`
	CurrentValue  []captable.Money `json:"currentValue"`
	// Growth is absent for several currencies, and without an investment or a valuation.
	Growth     *captable.Decimal `json:"growth,omitempty"`
	NextCursor string            `json:"nextCursor,omitempty"`

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
	found := portfolio{
		Entity: api.PathID[captable.Entity](c, "entity"), AsOf: c.AsOf(), invested: byCurrency{}, value: byCurrency{},
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	known := account.Entity == found.Entity
	page, err := api.PageOf(ctx, s.Kernel, c, api.Spanning[holding]{
		List: func(home *api.Call) []holding {
			entity := found.Entity
			if entity == account.Entity {
				entity = home.Member.Entity
			}
			if !sees(home, entity) {
				return nil
			}
			known = true
			positions := positionsOf(home.View.State, entity, found.AsOf)
			found.sum(positions)
			return positions
		},
		ID:    holding.id,
		Whole: true,
	})
	if err != nil {
		return api.Answer{}, err
	}
	if !known {
		return api.Answer{}, api.NotFound()
	}
	found.Positions, found.NextCursor = page.Data, page.NextCursor
	found.TotalInvested, found.CurrentValue = []captable.Money{}, []captable.Money{}
	if api.FirstPage(c) { // the following pages do not read all organizations
		found.sumUp()
	}
	return api.Answer{Record: found, Private: true}, nil
}

// id returns the id of the holding, or that of the security of shares.
func (h holding) id() [16]byte {
	if h.Kind == kindShares {
		return h.Security.ID
	}
	return h.Holding
}

// sees reports whether the entity belongs to the organization and the caller may view its holdings
// there.
func sees(home *api.Call, entity captable.EntityID) bool {
	if _, there := home.View.State.MemberOf(entity); !there {
		return false
	}
	return home.Can(organization.ViewCapTable) || home.Can(organization.ViewSelf) && home.Member.Entity == entity
}

// positionsOf returns the positions of the entity in the organization at the end of the day.
func positionsOf(state *organization.State, entity captable.EntityID, day captable.Date) []holding {
	var positions []holding
	currency := state.Profile().Currency
	held := state.Table().HeldOn(entity, day)
	for i := range held {
		positions = append(positions, positionOf(&held[i], currency))
	}
	for _, right := range state.Table().RightsOn(entity, day, currency) {
		positions = append(positions, rightOf(&right, currency))
	}
	for i := range positions {
		positions[i].Organization = named{captable.ID[any](state.ID()), state.Profile().Name}
	}
	return positions
}

// sum adds the positions to the totals.
func (p *portfolio) sum(positions []holding) {
	for i := range positions {
		p.invested.add(positions[i].Invested)
		if positions[i].Value == nil {
			p.unvalued = true
		} else {
			p.value.add(*positions[i].Value)
		}
	}
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
