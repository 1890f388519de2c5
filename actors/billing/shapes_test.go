package billing_test

import (
	"context"
	"os"
	"testing"
	"time"

	"equity/actors/billing/stripetest"
	"equity/messages"
	"equity/organization"
)

// TestRequestsHaveTheShapeOfTheAPI passes each kind of request to stripe-mock, which checks it against the published API.
func TestRequestsHaveTheShapeOfTheAPI(t *testing.T) {
	t.Parallel()
	address := os.Getenv("TEST_STRIPE_URL")
	if address == "" {
		t.Fatal("TEST_STRIPE_URL is not set: this test needs stripe-mock, which 'make test' starts")
	}
	b := setup(t)
	b.stripe.Mirror(address)
	ctx := context.Background()
	order := messages.BillingOrder{Plan: "growth", Interval: "month", Coupon: "HALF", Key: "k"}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.engine.Plans(ctx)
	must(err)
	_, err = b.engine.Preview(ctx, b.view(), order) // without a customer
	must(err)
	_, err = b.engine.Subscribe(ctx, b.view(), order, "tester") // through a checkout
	must(err)
	_, err = b.engine.Preview(ctx, b.view(), order) // with a customer
	must(err)
	_, err = b.engine.Portal(ctx, b.view())
	must(err)
	customer, _, err := b.billing.Customer(ctx, b.id)
	must(err)
	b.stripe.GiveCard(customer.Customer)
	_, err = b.engine.Subscribe(ctx, b.view(), order, "tester") // at once
	must(err)
	b.until("the counts", func() bool {
		b.pass(time.Second)
		return len(b.stripe.Requests("POST", "/v1/subscription_items/")) > 0
	})
	order.Plan, order.Key = "scale", "l"
	_, err = b.engine.Preview(ctx, b.view(), order) // of a change
	must(err)
	_, err = b.engine.Subscribe(ctx, b.view(), order, "tester") // a change
	must(err)
	customer, _, err = b.billing.Customer(ctx, b.id)
	must(err)
	b.stripe.Pay(b.stripe.Invoice(customer.Subscription, 500), false)
	b.deliver(stripetest.Delivery{})
	b.looked()
	must(b.engine.Cancel(ctx, b.view(), false, "tester"))
	must(b.engine.Cancel(ctx, b.view(), true, "tester"))
	if b.subscription().Status != organization.SubscriptionCancelled {
		t.Errorf("%+v", b.subscription())
	}
	for _, refused := range b.stripe.Invalid() {
		t.Error(refused)
	}
}
