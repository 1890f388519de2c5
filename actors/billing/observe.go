package billing

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// observed is a subscription as the provider has it.
type observed struct {
	id, item, price string
	customer        string
	terms           organization.SubscriptionTerms
	card            messages.Card
	payment         *organization.RecordPayment // of the latest invoice; nil without an attempt
}

var (
	errNoItem     = errors.New("the subscription at Stripe has no item")
	errNoPlan     = errors.New("the product of the subscription at Stripe has no metadata.plan")
	errOtherOwner = errors.New("the subscription at Stripe belongs to another customer")
)

// subscription queries a subscription. Its ids are derived for the organization.
func (c *Client) subscription(ctx context.Context, in organization.ID, id string) (observed, error) {
	found, err := call(ctx, c, func(ctx context.Context) (*stripe.Subscription, error) {
		params := &stripe.SubscriptionRetrieveParams{}
		expandSubscription(params.AddExpand)
		return c.api.V1Subscriptions.Retrieve(ctx, id, params)
	})
	if err != nil {
		return observed{}, err
	}
	return observe(in, found)
}

// expandSubscription requests the records that observe needs.
func expandSubscription(expand func(string)) {
	for _, field := range []string{
		"items.data.price.product", "items.data.price.tiers", "default_payment_method", "customer.invoice_settings.default_payment_method",
		"latest_invoice", "discounts",
	} {
		expand(field)
	}
}

// observe translates a subscription. Periods belong to its item.
func observe(in organization.ID, s *stripe.Subscription) (observed, error) {
	if s.Items == nil || len(s.Items.Data) == 0 || s.Items.Data[0].Price == nil || s.Items.Data[0].Price.Product == nil {
		return observed{}, errNoItem
	}
	item := s.Items.Data[0]
	plan := item.Price.Product.Metadata["plan"]
	if !isPlan(plan) {
		return observed{}, errNoPlan
	}
	o := observed{id: s.ID, item: item.ID, price: item.Price.ID}
	o.terms = organization.SubscriptionTerms{
		ID: organization.SubscriptionID(derived("subscription", in, s.ID)), Plan: plan, Status: statusOf(s.Status),
		Quantity: uint64(max(item.Quantity, 0)), CurrentPeriodStart: instant(item.CurrentPeriodStart),
		CurrentPeriodEnd: instant(item.CurrentPeriodEnd),
		TrialEndsAt:      instant(s.TrialEnd), CancelAtPeriodEnd: s.CancelAtPeriodEnd, CancelledAt: instant(s.CanceledAt),
		Limits: limitsOf(plan, item.Price.Product.Metadata),
	}
	if item.Price.Recurring != nil {
		priced := priceOf(item.Price)
		o.terms.Interval = priced.Interval
		o.terms.UnitAmount, o.terms.Amount = priced.amounts(o.terms.Quantity)
	}
	for _, discount := range s.Discounts {
		if discount != nil && discount.Source != nil && discount.Source.Coupon != nil {
			o.terms.Coupon = discount.Source.Coupon.ID
		}
	}
	o.card = cardOf(s.DefaultPaymentMethod)
	if s.Customer != nil {
		o.customer = s.Customer.ID
		if settings := s.Customer.InvoiceSettings; settings != nil && o.card == (messages.Card{}) {
			o.card = cardOf(settings.DefaultPaymentMethod)
		}
	}
	if s.LatestInvoice != nil {
		o.payment = paymentOf(in, s.LatestInvoice)
	}
	return o, nil
}

// amounts returns the price of a unit, nil if it depends on the quantity, and the price of the quantity.
func (p *price) amounts(quantity uint64) (unit, amount *captable.Money) {
	if len(p.Bands) == 1 && p.Bands[0].FlatAmount.Amount.IsZero() {
		unit = &p.Bands[0].UnitAmount
	}
	total, below := exact.NewDecimal(0), uint64(0)
	for _, band := range p.Bands {
		last := band.UpTo == 0 || quantity <= band.UpTo
		units := quantity - below
		switch {
		case p.graduated && !last:
			units = band.UpTo - below
		case !p.graduated && last:
			units, total = quantity, exact.NewDecimal(0)
		case !p.graduated:
			continue
		}
		total = total.Add(band.FlatAmount.Amount).Add(band.UnitAmount.Amount.Mul(exact.NewDecimal(int64(units)))) //nolint:gosec // a number of shareholders
		if below = band.UpTo; last {
			break
		}
	}
	return unit, &captable.Money{Amount: total, Currency: p.Currency}
}

// statusOf translates the status of a subscription.
func statusOf(status stripe.SubscriptionStatus) string {
	switch status { //nolint:exhaustive // the default has the others
	case stripe.SubscriptionStatusPastDue:
		return organization.SubscriptionPastDue
	case stripe.SubscriptionStatusCanceled, stripe.SubscriptionStatusIncompleteExpired:
		return organization.SubscriptionCancelled
	default: // incomplete, trialing, active, unpaid and paused have the same name
		return string(status)
	}
}

func instant(seconds int64) captable.Instant {
	if seconds == 0 {
		return 0
	}
	return captable.InstantOf(time.Unix(seconds, 0))
}

func cardOf(method *stripe.PaymentMethod) messages.Card {
	if method == nil || method.Card == nil {
		return messages.Card{}
	}
	return messages.Card{
		Brand: string(method.Card.Brand), Last4: method.Card.Last4,
		Expires: fmt.Sprintf("%04d-%02d", method.Card.ExpYear, method.Card.ExpMonth),
	}
}

// invoice queries the last attempt to pay an invoice; nil without one. It also returns the customer of the invoice.
func (c *Client) invoice(ctx context.Context, in organization.ID, id string) (*organization.RecordPayment, string, error) {
	found, err := call(ctx, c, func(ctx context.Context) (*stripe.Invoice, error) {
		return c.api.V1Invoices.Retrieve(ctx, id, &stripe.InvoiceRetrieveParams{})
	})
	if err != nil {
		return nil, "", err
	}
	customer := ""
	if found.Customer != nil {
		customer = found.Customer.ID
	}
	return paymentOf(in, found), customer, nil
}

// paymentOf translates the last attempt to pay an invoice. Invoices without an amount need no payment.
func paymentOf(in organization.ID, invoice *stripe.Invoice) *organization.RecordPayment {
	payment := organization.RecordPayment{Payment: organization.Payment{
		Invoice: organization.InvoiceID(derived("invoice", in, invoice.ID)), Attempt: uint64(max(invoice.AttemptCount, 0)),
	}}
	switch {
	case invoice.ID == "" || invoice.Currency == "":
		return nil
	case invoice.Status == stripe.InvoiceStatusPaid && invoice.AmountPaid > 0:
		payment.Succeeded, payment.Amount = true, money(invoice.AmountPaid, invoice.Currency)
	case slices.Contains(
		[]stripe.InvoiceStatus{stripe.InvoiceStatusOpen, stripe.InvoiceStatusUncollectible}, invoice.Status,
	) && invoice.AttemptCount > 0:
		payment.Amount, payment.NextAttemptAt = money(invoice.AmountDue, invoice.Currency), instant(invoice.NextPaymentAttempt)
	default:
		return nil
	}
	return &payment
}

// derived returns our id for an id of the provider: a UUID of version 8, from which the other cannot be computed.
func derived(kind string, in organization.ID, id string) (made [16]byte) {
	sum := sha256.Sum256([]byte(kind + " " + in.String() + " " + id))
	copy(made[:], sum[:])
	made[6], made[8] = made[6]&0x0f|0x80, made[8]&0x3f|0x80
	return made
}
