package billing

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// plan is a product of the provider with its prices.
type plan struct {
	messages.BillingPlan
	prices []price
}

// price is a price of a plan for an interval.
type price struct {
	messages.BillingPrice
	id     string
	limits organization.PlanLimits
	// graduated reports that each unit has the price of its own band. Otherwise all units have the price of the last one.
	graduated bool
}

// The limits of the cache.
const (
	catalogAge   = 10 * time.Minute
	mostProducts = 200
)

// catalog caches the products of the provider. It is safe for concurrent use.
type catalog struct {
	client *Client
	now    func() time.Time

	mu    sync.Mutex
	plans []plan
	read  time.Time
}

// StartLimits returns the last known limits of the smallest plan. It never waits for the provider.
func (c *catalog) StartLimits() organization.PlanLimits {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.plans {
		if c.plans[i].Name == organization.PlanStart {
			return c.plans[i].Limits
		}
	}
	return organization.DefaultLimits(organization.PlanStart)
}

// all returns the plans, at most ten minutes old.
func (c *catalog) all(ctx context.Context) ([]plan, error) {
	c.mu.Lock()
	plans, age := c.plans, c.now().Sub(c.read)
	c.mu.Unlock()
	if plans != nil && age < catalogAge {
		return plans, nil
	}
	plans, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plans, c.read = plans, c.now()
	return plans, nil
}

func (c *catalog) load(ctx context.Context) ([]plan, error) {
	products, err := call(ctx, c.client, func(ctx context.Context) ([]*stripe.Product, error) {
		params := &stripe.ProductListParams{Active: new(true)}
		params.Limit = stripe.Int64(100)
		return collect(ctx, c.client.api.V1Products.List(ctx, params), mostProducts)
	})
	if err != nil {
		return nil, err
	}
	prices, err := call(ctx, c.client, func(ctx context.Context) ([]*stripe.Price, error) {
		params := &stripe.PriceListParams{Active: new(true), Type: stripe.String(string(stripe.PriceTypeRecurring))}
		params.Limit = stripe.Int64(100)
		params.AddExpand("data.tiers")
		return collect(ctx, c.client.api.V1Prices.List(ctx, params), mostProducts)
	})
	if err != nil {
		return nil, err
	}
	plans := []plan{}
	for _, product := range products {
		name := product.Metadata["plan"]
		if !isPlan(name) {
			continue
		}
		one := plan{
			BillingPlan: messages.BillingPlan{Name: name, Description: product.Description, Limits: limitsOf(name, product.Metadata)},
		}
		for _, feature := range product.MarketingFeatures {
			one.Features = append(one.Features, feature.Name)
		}
		for _, offered := range prices {
			if offered.Product != nil && offered.Product.ID == product.ID && offered.Recurring != nil {
				priced := priceOf(offered)
				priced.limits = one.Limits
				one.prices, one.Prices = append(one.prices, priced), append(one.Prices, priced.BillingPrice)
			}
		}
		plans = append(plans, one)
	}
	order := []string{organization.PlanStart, organization.PlanGrowth, organization.PlanScale}
	slices.SortStableFunc(plans, func(a, b plan) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
	return plans, nil
}

func isPlan(name string) bool {
	return name == organization.PlanStart || name == organization.PlanGrowth || name == organization.PlanScale
}

// limitsOf returns the limits of a plan: those in the metadata of the product, else the defaults.
func limitsOf(plan string, metadata map[string]string) organization.PlanLimits {
	limits := organization.DefaultLimits(plan)
	for name, limit := range map[string]*int{"limit_shareholders": &limits.Shareholders, "limit_members": &limits.Members} {
		text := strings.TrimSpace(metadata[name])
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			*limit = n
		} else if text == "unlimited" {
			*limit = 0
		}
	}
	return limits
}

func priceOf(p *stripe.Price) price {
	made := price{
		BillingPrice: messages.BillingPrice{Interval: string(p.Recurring.Interval), Currency: strings.ToUpper(string(p.Currency))},
		id:           p.ID, graduated: p.TiersMode == stripe.PriceTiersModeGraduated,
	}
	for _, tier := range p.Tiers {
		made.Bands = append(made.Bands, messages.BillingBand{
			UpTo: uint64(max(tier.UpTo, 0)), UnitAmount: money(tier.UnitAmount, p.Currency), FlatAmount: money(tier.FlatAmount, p.Currency),
		})
	}
	if len(p.Tiers) == 0 {
		made.Bands = []messages.BillingBand{{UnitAmount: money(p.UnitAmount, p.Currency), FlatAmount: money(0, p.Currency)}}
	}
	return made
}

// offer returns the price of a plan for an interval.
func (c *catalog) offer(ctx context.Context, name, interval string) (price, error) {
	plans, err := c.all(ctx)
	if err != nil {
		return price{}, err
	}
	for i := range plans {
		for _, offered := range plans[i].prices {
			if plans[i].Name == name && offered.Interval == interval {
				return offered, nil
			}
		}
	}
	return price{}, fault.Refuse(fault.UnknownPlan, "The plan is not offered for this interval. GET /v1/billing/product lists the plans.")
}

// money converts an amount in minor units.
func money(minor int64, currency stripe.Currency) captable.Money {
	code := strings.ToUpper(string(currency))
	factor := exact.MustDecimal("0.01")
	switch code {
	case "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF":
		factor = exact.MustDecimal("1")
	case "BHD", "JOD", "KWD", "OMR", "TND":
		factor = exact.MustDecimal("0.001")
	}
	return captable.Money{Amount: exact.NewDecimal(minor).Mul(factor), Currency: code}
}
