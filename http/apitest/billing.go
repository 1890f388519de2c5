package apitest

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"equity/actors"
	actorbilling "equity/actors/billing"
	"equity/actors/billing/stripetest"
	"equity/actors/consumer"
	"equity/http/billing"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// BillingGrace is the time that an unpaid organization has before its plan ends.
const BillingGrace = 14 * 24 * time.Hour

// newBilling returns the consumer of billing, which calls a fake of the provider, and the services of its operations.
func newBilling(
	tb testing.TB, b *Server, log *slog.Logger, organizations func() *actors.Organizations,
) (*actorbilling.Consumer, billing.Services) {
	tb.Helper()
	b.Stripe = stripetest.New(tb, b.Clock.Now)
	client, err := actorbilling.NewClient(stripetest.Key, b.Stripe.URL, consumer.NewBreakers(b.Clock.Now), b.Clock.Now)
	if err != nil {
		tb.Fatal(err)
	}
	store, inbox := persistence.NewBilling(b.DB), persistence.NewBillingInbox(b.DB)
	charges := actorbilling.NewConsumer(actorbilling.Options{
		Client: client, Store: store, Inbox: inbox, Owners: noOwners{},
		Organizations: func() actorbilling.Organizations { return organizations() }, Grace: BillingGrace, Now: b.Clock.Now,
	})
	wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
	waker := actorbilling.NewWaker(persistence.NewConsumers(b.DB), wake, b.Clock.Now)
	b.Courier = actorbilling.NewCourier(inbox, waker, log)
	const site = "https://equity.example.com"
	return charges, billing.Services{
		Subscriptions: actorbilling.NewEngine(charges, waker, site), Answers: store, PublicURL: site,
		Receiver: actorbilling.NewReceiver([]string{stripetest.Secret}, client, inbox, b.Courier.Knock, b.Clock.Now),
	}
}

// Subscribe subscribes the organization to a plan, as a completed checkout does, and returns the subscription at the provider and ours.
func Subscribe(tb testing.TB, b *Server, owner *Client, home, id, plan string) (theirs, ours string) {
	tb.Helper()
	customer := b.Stripe.AddCustomer(id)
	err := persistence.NewBilling(b.DB).AddCustomer(context.Background(), messages.BillingCustomer{
		Organization: OrganizationID(tb, id), Customer: customer, CreatedAt: b.Clock.Now(), ReconciledAt: b.Clock.Now(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	theirs = b.Stripe.Subscribe(customer, plan, 1)
	DeliverBillingEvents(tb, b)
	return theirs, UntilSubscription(tb, owner, home, "active").Text(tb, "id")
}

// DeliverBillingEvents delivers the events of the provider.
func DeliverBillingEvents(tb testing.TB, b *Server) {
	tb.Helper()
	anyone := b.Anonymous()
	for _, event := range b.Stripe.Take(stripetest.Delivery{}, rand.New(rand.NewPCG(1, 1))) {
		anyone.Must(
			tb, "POST", "/v1/billing/webhook", string(event.Body), http.StatusOK, "Stripe-Signature",
			event.Signed(stripetest.Secret, b.Clock.Now()),
		)
	}
	if err := b.Courier.Deliver(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// UntilSubscription waits for the status of the subscription.
func UntilSubscription(tb testing.TB, owner *Client, home, status string) Answer {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		got := owner.Must(tb, "GET", home+"/subscription", "", http.StatusOK)
		if got.Text(tb, "status") == status {
			return got
		}
		if time.Now().After(deadline) {
			tb.Fatalf("the subscription is %s", got.Body)
		}
		select { // polls the consumer, which has no event to wait for
		case <-tb.Context().Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
}
