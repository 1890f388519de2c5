package billing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Engine has the operations of users on the subscription of their organization. It calls the provider in the goroutine of the
// request. It is safe for concurrent use.
type Engine struct {
	*service
	waker     *Waker
	publicURL string
}

// NewEngine returns the Engine, which shares the products with the consumer. Users return to the public address by default.
func NewEngine(c *Consumer, waker *Waker, publicURL string) *Engine {
	return &Engine{&c.service, waker, publicURL}
}

// answer converts the failure of a call for the user.
func answer(err error) error {
	refusal, is := errors.AsType[*RefusedError](err)
	if is && refused(err) {
		text := Service + " refused the request"
		if refusal.Code != "" {
			text += " (" + refusal.Code + ")"
		}
		return fault.Refuse(fault.Conflict, text+".")
	}
	return messages.Unreachable(Service, err)
}

// Details returns the facts about billing that are stored beside the journal.
func (e *Engine) Details(ctx context.Context, id organization.ID) (messages.BillingDetails, error) {
	customer, exists, err := e.Store.Customer(ctx, id)
	if err != nil || !exists {
		return messages.BillingDetails{}, err
	}
	push, err := e.Store.Push(ctx, id)
	return messages.BillingDetails{Card: customer.Card, Push: push}, err
}

// Plans returns the offered plans.
func (e *Engine) Plans(ctx context.Context) ([]messages.BillingPlan, error) {
	plans, err := e.catalog.all(ctx)
	if err != nil {
		return nil, answer(err)
	}
	all := make([]messages.BillingPlan, 0, len(plans))
	for i := range plans {
		all = append(all, plans[i].BillingPlan)
	}
	return all, nil
}

// Subscribe subscribes the organization to a plan, or changes the plan of its subscription.
func (e *Engine) Subscribe(
	ctx context.Context, view *messages.View, order messages.BillingOrder, author string,
) (messages.BillingReceipt, error) {
	receipt, err := e.subscribe(ctx, view, order, author)
	return receipt, answer(err)
}

func (e *Engine) subscribe(
	ctx context.Context, view *messages.View, order messages.BillingOrder, author string,
) (messages.BillingReceipt, error) {
	offered, err := e.catalog.offer(ctx, order.Plan, order.Interval)
	if err == nil {
		err = e.checkCoupon(ctx, order.Coupon)
	}
	if err != nil {
		return messages.BillingReceipt{}, err
	}
	customer, err := e.customer(ctx, view)
	if err != nil {
		return messages.BillingReceipt{}, err
	}
	present, live, err := e.present(ctx, &customer, view.State)
	switch {
	case err != nil:
		return messages.BillingReceipt{}, err
	case live && present.price == offered.id && !present.terms.CancelAtPeriodEnd:
		return messages.BillingReceipt{}, fault.Refuse(fault.AlreadySubscribed, "The organization has this plan already.")
	case live:
		return messages.BillingReceipt{}, e.change(ctx, &customer, present, offered, order, author)
	}
	return e.begin(ctx, view, &customer, offered, order, author)
}

// present returns the live subscription at the provider, or false.
func (e *Engine) present(ctx context.Context, customer *messages.BillingCustomer, state *organization.State) (observed, bool, error) {
	id, err := e.current(ctx, customer, state)
	if err != nil || id == "" {
		return observed{}, false, err
	}
	seen, err := e.Client.subscription(ctx, customer.Organization, id)
	if missing(err) {
		return observed{}, false, nil
	}
	return seen, err == nil && seen.terms.Status != organization.SubscriptionCancelled, err
}

func (e *Engine) checkCoupon(ctx context.Context, coupon string) error {
	if coupon == "" {
		return nil
	}
	found, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.Coupon, error) {
		return e.Client.api.V1Coupons.Retrieve(ctx, coupon, &stripe.CouponRetrieveParams{})
	})
	switch {
	case missing(err), err == nil && !found.Valid:
		return fault.Refuse(fault.InvalidCoupon, "The coupon does not exist or has expired.")
	default:
		return err
	}
}

// customer returns the customer of the organization, and creates it once.
func (e *Engine) customer(ctx context.Context, view *messages.View) (messages.BillingCustomer, error) {
	id := view.State.ID()
	known, exists, err := e.Store.Customer(ctx, id)
	if err != nil || exists {
		return known, err
	}
	made, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.Customer, error) {
		params := &stripe.CustomerCreateParams{
			Name: stripe.String(view.State.Profile().PrintedName()), Metadata: map[string]string{metadataKey: id.String()},
		}
		params.SetIdempotencyKey("customer:" + id.String())
		return e.Client.api.V1Customers.Create(ctx, params)
	})
	if err != nil {
		return known, err
	}
	err = e.Store.AddCustomer(ctx, messages.BillingCustomer{Organization: id, Customer: made.ID, CreatedAt: e.Now()})
	if err != nil {
		return known, err
	}
	if err := e.waker.rouse(ctx, id); err != nil { // a daily query finds a subscription whose events are lost
		return known, err
	}
	known, _, err = e.Store.Customer(ctx, id)
	return known, err
}

// metadataKey is the name of the organization in the metadata of the provider.
const metadataKey = "organization"

// key returns the idempotency key of a step of an order, or an empty text.
func key(step string, id organization.ID, order messages.BillingOrder) string {
	if order.Key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(order.Key))
	return step + ":" + id.String() + ":" + hex.EncodeToString(sum[:16])
}

func setKey(params *stripe.Params, key string) {
	if key != "" {
		params.SetIdempotencyKey(key)
	}
}

// change changes the plan of a subscription, with a balance for the rest of the period. A planned cancellation ends.
func (e *Engine) change(
	ctx context.Context, customer *messages.BillingCustomer, present observed, offered price, order messages.BillingOrder, author string,
) error {
	_, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.Subscription, error) {
		params := &stripe.SubscriptionUpdateParams{
			Items:             []*stripe.SubscriptionUpdateItemParams{{ID: stripe.String(present.item), Price: stripe.String(offered.id)}},
			ProrationBehavior: stripe.String("create_prorations"), CancelAtPeriodEnd: new(false),
		}
		if order.Coupon != "" {
			params.Discounts = []*stripe.SubscriptionUpdateDiscountParams{{Coupon: stripe.String(order.Coupon)}}
		}
		setKey(&params.Params, key("change", customer.Organization, order))
		return e.Client.api.V1Subscriptions.Update(ctx, present.id, params)
	})
	if err != nil {
		return err
	}
	return e.look(ctx, customer, present.id, author)
}

// begin creates a subscription if the customer has a payment method, else a page on which the user pays.
func (e *Engine) begin(
	ctx context.Context, view *messages.View, customer *messages.BillingCustomer, offered price, order messages.BillingOrder, author string,
) (messages.BillingReceipt, error) {
	at, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.Customer, error) {
		return e.Client.api.V1Customers.Retrieve(ctx, customer.Customer, &stripe.CustomerRetrieveParams{})
	})
	if err != nil {
		return messages.BillingReceipt{}, err
	}
	billed := quantity(view.State.Counts())
	if at.InvoiceSettings == nil || at.InvoiceSettings.DefaultPaymentMethod == nil {
		return e.checkout(ctx, customer, offered, order, billed)
	}
	made, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.Subscription, error) {
		params := &stripe.SubscriptionCreateParams{
			Customer: stripe.String(customer.Customer),
			Items:    []*stripe.SubscriptionCreateItemParams{{Price: stripe.String(offered.id), Quantity: new(billed)}},
			Metadata: map[string]string{metadataKey: customer.Organization.String()},
		}
		if order.Coupon != "" {
			params.Discounts = []*stripe.SubscriptionCreateDiscountParams{{Coupon: stripe.String(order.Coupon)}}
		}
		setKey(&params.Params, key("subscribe", customer.Organization, order))
		return e.Client.api.V1Subscriptions.Create(ctx, params)
	})
	if err != nil {
		return messages.BillingReceipt{}, err
	}
	return messages.BillingReceipt{Created: true}, e.look(ctx, customer, made.ID, author)
}

func (e *Engine) checkout(
	ctx context.Context, customer *messages.BillingCustomer, offered price, order messages.BillingOrder, billed int64,
) (messages.BillingReceipt, error) {
	page, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.CheckoutSession, error) {
		params := &stripe.CheckoutSessionCreateParams{
			Mode: stripe.String(string(stripe.CheckoutSessionModeSubscription)), Customer: stripe.String(customer.Customer),
			ClientReferenceID: stripe.String(customer.Organization.String()),
			LineItems:         []*stripe.CheckoutSessionCreateLineItemParams{{Price: stripe.String(offered.id), Quantity: new(billed)}},
			SubscriptionData: &stripe.CheckoutSessionCreateSubscriptionDataParams{
				Metadata: map[string]string{metadataKey: customer.Organization.String()},
			},
			SuccessURL: stripe.String(e.returnTo(order.ReturnURL)), CancelURL: stripe.String(e.returnTo(order.ReturnURL)),
		}
		if order.Coupon != "" {
			params.Discounts = []*stripe.CheckoutSessionCreateDiscountParams{{Coupon: stripe.String(order.Coupon)}}
		}
		setKey(&params.Params, key("checkout", customer.Organization, order))
		return e.Client.api.V1CheckoutSessions.Create(ctx, params)
	})
	if err != nil {
		return messages.BillingReceipt{}, err
	}
	return messages.BillingReceipt{Created: true, Checkout: &messages.BillingCheckout{
		URL: page.URL, ExpiresAt: time.Unix(page.ExpiresAt, 0).UTC(),
	}}, nil
}

func (e *Engine) returnTo(given string) string {
	if given != "" {
		return given
	}
	return strings.TrimSuffix(e.publicURL, "/") + "/"
}

// Cancel ends the subscription immediately or at the end of its period. A repetition has the same answer.
func (e *Engine) Cancel(ctx context.Context, view *messages.View, immediately bool, author string) error {
	customer, exists, err := e.Store.Customer(ctx, view.State.ID())
	if err != nil {
		return messages.Unavailable(ctx, "cancel", err)
	}
	known, recorded := view.State.Subscription()
	if !exists || !recorded || !known.Live() || known.CancelAtPeriodEnd && !immediately {
		return nil
	}
	_, err = call(ctx, e.Client, func(ctx context.Context) (*stripe.Subscription, error) {
		if immediately {
			return e.Client.api.V1Subscriptions.Cancel(ctx, customer.Subscription, &stripe.SubscriptionCancelParams{})
		}
		return e.Client.api.V1Subscriptions.Update(
			ctx, customer.Subscription, &stripe.SubscriptionUpdateParams{CancelAtPeriodEnd: new(true)},
		)
	})
	if err != nil && !refused(err) { // another caller may have ended it
		return answer(err)
	}
	return answer(e.look(ctx, &customer, customer.Subscription, author))
}

// Portal returns the address of the provider's page on which the user manages payment methods and invoices.
func (e *Engine) Portal(ctx context.Context, view *messages.View) (string, error) {
	customer, err := e.customer(ctx, view)
	if err != nil {
		return "", answer(err)
	}
	page, err := call(ctx, e.Client, func(ctx context.Context) (*stripe.BillingPortalSession, error) {
		return e.Client.api.V1BillingPortalSessions.Create(ctx, &stripe.BillingPortalSessionCreateParams{
			Customer: stripe.String(customer.Customer), ReturnURL: stripe.String(e.returnTo("")),
		})
	})
	if err != nil {
		return "", answer(err)
	}
	return page.URL, nil
}

// Trial returns the command that Subscribe would execute. It is not sent to the provider.
func (e *Engine) Trial(ctx context.Context, view *messages.View, order messages.BillingOrder) (organization.RecordSubscription, error) {
	offered, err := e.catalog.offer(ctx, order.Plan, order.Interval)
	if err == nil {
		err = e.checkCoupon(ctx, order.Coupon)
	}
	if err != nil {
		return organization.RecordSubscription{}, answer(err)
	}
	command := organization.RecordSubscription{Grace: e.Grace}
	known, exists := view.State.Subscription()
	live := exists && known.Live()
	switch {
	case live && known.Plan == order.Plan && known.Interval == order.Interval && !known.CancelAtPeriodEnd:
		return command, fault.Refuse(fault.AlreadySubscribed, "The organization has this plan already.")
	case live:
		command.SubscriptionTerms = known.SubscriptionTerms
	default:
		command.Status, command.Quantity = organization.SubscriptionIncomplete, uint64(quantity(view.State.Counts())) //nolint:gosec // at least 1
	}
	if exists {
		command.Seen = known.Version
	}
	command.Plan, command.Interval, command.CancelAtPeriodEnd = order.Plan, order.Interval, false
	if order.Coupon != "" {
		command.Coupon = order.Coupon
	}
	command.Limits = offered.limits
	command.UnitAmount, command.Amount = offered.amounts(command.Quantity)
	return command, nil
}
