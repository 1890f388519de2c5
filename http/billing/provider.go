package billing

import (
	"context"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
)

// line is the JSON form of a line of an invoice.
type line struct {
	Description string         `json:"description"`
	Amount      captable.Money `json:"amount"`
	Quantity    uint64         `json:"quantity"`
	From        time.Time      `json:"from,omitzero"`
	To          time.Time      `json:"to,omitzero"`
	Proration   bool           `json:"proration"`
}

func (s base) preview(ctx context.Context, c *api.Call) (api.Answer, error) {
	order, err := s.order(c)
	if err != nil {
		return api.Answer{}, err
	}
	quote, err := s.Subscriptions.Preview(ctx, c.View, order)
	if err != nil {
		return api.Answer{}, err
	}
	lines := make([]line, 0, len(quote.Lines))
	for _, l := range quote.Lines {
		lines = append(lines, line{l.Description, l.Amount, l.Quantity, l.From, l.To, l.Proration})
	}
	return api.Answer{Private: true, Record: struct {
		DueNow       captable.Money `json:"dueNow"`
		DueAtRenewal captable.Money `json:"dueAtRenewal"`
		Lines        []line         `json:"lines"`
	}{quote.DueNow, quote.DueAtRenewal, lines}}, nil
}

func (s base) portal(ctx context.Context, c *api.Call) (api.Answer, error) {
	address, err := s.Subscriptions.Portal(ctx, c.View)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: map[string]string{"url": address}}, nil
}

// product is the JSON form of a plan.
type product struct {
	Plan        string   `json:"plan"`
	Description string   `json:"description,omitempty"`
	Features    []string `json:"features"`
	Limits      limits   `json:"limits"`
	Prices      []price  `json:"prices"`
}

type limits struct {
	Shareholders int `json:"shareholders,omitempty"`
	Members      int `json:"members,omitempty"`
}

type price struct {
	Interval string `json:"interval"`
	Currency string `json:"currency"`
	Bands    []band `json:"bands"`
}

type band struct {
	UpTo       uint64         `json:"upTo,omitempty"`
	UnitAmount captable.Money `json:"unitAmount"`
}

func (s base) products(ctx context.Context, c *api.Call) (api.Answer, error) {
	plans, err := s.Subscriptions.Plans(ctx)
	if err != nil {
		return api.Answer{}, err
	}
	page, err := api.ListedByKey(c, plans, api.PlaceKey, shownPlan)
	return api.Answer{Record: page, Private: true}, err
}

func shownPlan(plan messages.BillingPlan) product {
	made := product{
		Plan: plan.Name, Description: plan.Description, Features: append([]string{}, plan.Features...), Prices: []price{},
		Limits: limits{plan.Limits.Shareholders, plan.Limits.Members},
	}
	for _, p := range plan.Prices {
		offered := price{Interval: p.Interval, Currency: p.Currency, Bands: []band{}}
		for _, b := range p.Bands {
			offered.Bands = append(offered.Bands, band{b.UpTo, b.UnitAmount})
		}
		made.Prices = append(made.Prices, offered)
	}
	return made
}

// receive stores an event of the provider.
func (s base) receive(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := s.Receiver.Receive(ctx, c.Body, c.Header("Stripe-Signature")); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: map[string]bool{"received": true}, Private: true}, nil
}
