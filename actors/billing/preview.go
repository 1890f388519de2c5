package billing

import (
	"context"
	"strings"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/messages"
)

// Preview returns the price of an order. The provider stores no order.
func (e *Engine) Preview(ctx context.Context, view *messages.View, order messages.BillingOrder) (messages.BillingQuote, error) {
	quote, err := e.preview(ctx, view, order)
	return quote, answer(err)
}

func (e *Engine) preview(ctx context.Context, view *messages.View, order messages.BillingOrder) (messages.BillingQuote, error) {
	offered, err := e.catalog.offer(ctx, order.Plan, order.Interval)
	if err == nil {
		err = e.checkCoupon(ctx, order.Coupon)
	}
	if err != nil {
		return messages.BillingQuote{}, err
	}
	customer, exists, err := e.Store.Customer(ctx, view.State.ID())
	if err != nil {
		return messages.BillingQuote{}, err
	}
	params := &stripe.InvoiceCreatePreviewParams{}
	if order.Coupon != "" {
		params.Discounts = []*stripe.InvoiceCreatePreviewDiscountParams{{Coupon: stripe.String(order.Coupon)}}
	}
	item := &stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{
		Price: stripe.String(offered.id), Quantity: new(quantity(view.State.Counts())),
	}
	params.SubscriptionDetails = &stripe.InvoiceCreatePreviewSubscriptionDetailsParams{
		Items: []*stripe.InvoiceCreatePreviewSubscriptionDetailsItemParams{item},
	}
	var present observed
	changes := false
	if exists {
		if present, changes, err = e.present(ctx, &customer, view.State); err != nil {
			return messages.BillingQuote{}, err
		}
	}
	switch {
	case changes:
		item.ID, params.Subscription = stripe.String(present.item), stripe.String(present.id)
		params.SubscriptionDetails.ProrationBehavior = stripe.String("create_prorations")
	case exists:
		params.Customer = stripe.String(customer.Customer)
	default:
		params.Currency = stripe.String(strings.ToLower(offered.Currency))
	}
	next, err := e.invoicePreview(ctx, params)
	if err != nil {
		return messages.BillingQuote{}, err
	}
	quote := messages.BillingQuote{
		DueNow: money(next.AmountDue, next.Currency), DueAtRenewal: money(next.AmountDue, next.Currency), Lines: linesOf(next),
	}
	if changes { // the next invoice balances the change
		quote.DueNow = money(0, next.Currency)
		return quote, nil
	}
	params.PreviewMode = stripe.String("recurring")
	recurring, err := e.invoicePreview(ctx, params)
	if err != nil {
		return messages.BillingQuote{}, err
	}
	quote.DueAtRenewal = money(recurring.AmountDue, recurring.Currency)
	return quote, nil
}

func (e *Engine) invoicePreview(ctx context.Context, params *stripe.InvoiceCreatePreviewParams) (*stripe.Invoice, error) {
	return call(ctx, e.Client, func(ctx context.Context) (*stripe.Invoice, error) {
		invoice, err := e.Client.api.V1Invoices.CreatePreview(ctx, params)
		if err == nil && (invoice.Lines == nil || invoice.Lines.Data == nil) {
			err = errIncomplete
		}
		return invoice, err
	})
}

func linesOf(invoice *stripe.Invoice) []messages.BillingLine {
	lines := []messages.BillingLine{}
	for _, line := range invoice.Lines.Data {
		made := messages.BillingLine{
			Description: line.Description, Amount: money(line.Amount, line.Currency), Quantity: uint64(max(line.Quantity, 0)),
		}
		if line.Period != nil {
			made.From, made.To = time.Unix(line.Period.Start, 0).UTC(), time.Unix(line.Period.End, 0).UTC()
		}
		if parent := line.Parent; parent != nil && parent.SubscriptionItemDetails != nil {
			made.Proration = parent.SubscriptionItemDetails.Proration
		}
		lines = append(lines, made)
	}
	return lines
}
