package http_test

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

// noReminders informs nobody about unpaid invoices.
type noReminders struct{}

func (noReminders) PaymentDue(context.Context, *messages.View, actorbilling.Reminder) error {
	return nil
}

const testGrace = 14 * 24 * time.Hour

// newBilling returns the consumer of billing, which calls a fake of the provider, and the services of its operations.
func newBilling(
	tb testing.TB, b *bundle, log *slog.Logger, organizations func() *actors.Organizations,
) (*actorbilling.Consumer, billing.Services) {
	tb.Helper()
	b.stripe = stripetest.New(tb, b.clock.Now)
	client, err := actorbilling.NewClient(stripetest.Key, b.stripe.URL, consumer.NewBreakers(b.clock.Now), b.clock.Now)
	if err != nil {
		tb.Fatal(err)
	}
	store, inbox := persistence.NewBilling(b.db), persistence.NewBillingInbox(b.db)
	charges := actorbilling.NewConsumer(actorbilling.Options{
		Client: client, Store: store, Inbox: inbox, Owners: noReminders{},
		Organizations: func() actorbilling.Organizations { return organizations() }, Grace: testGrace, Now: b.clock.Now,
	})
	wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
	waker := actorbilling.NewWaker(persistence.NewConsumers(b.db), wake, b.clock.Now)
	b.courier = actorbilling.NewCourier(inbox, waker, log)
	const site = "https://equity.example.com"
	return charges, billing.Services{
		Subscriptions: actorbilling.NewEngine(charges, waker, site), Answers: store, PublicURL: site,
		Receiver: actorbilling.NewReceiver([]string{stripetest.Secret}, client, inbox, b.courier.Knock, b.clock.Now),
	}
}

// billed subscribes the organization to a plan, as a completed checkout does, and returns the subscription at the provider and ours.
func (b *bundle) billed(tb testing.TB, owner *client, home, id, plan string) (theirs, ours string) {
	tb.Helper()
	customer := b.stripe.AddCustomer(id)
	err := persistence.NewBilling(b.db).AddCustomer(context.Background(), messages.BillingCustomer{
		Organization: organizationID(tb, id), Customer: customer, CreatedAt: b.clock.Now(), ReconciledAt: b.clock.Now(),
	})
	if err != nil {
		tb.Fatal(err)
	}
	theirs = b.stripe.Subscribe(customer, plan, 1)
	b.hear(tb)
	return theirs, b.untilStatus(tb, owner, home, "active").text(tb, "id")
}

// hear delivers the events of the provider.
func (b *bundle) hear(tb testing.TB) {
	tb.Helper()
	anyone := b.anonymous()
	for _, event := range b.stripe.Take(stripetest.Delivery{}, rand.New(rand.NewPCG(1, 1))) {
		anyone.must(
			tb, "POST", "/v1/billing/webhook", string(event.Body), http.StatusOK, "Stripe-Signature",
			event.Signed(stripetest.Secret, b.clock.Now()),
		)
	}
	if err := b.courier.Deliver(context.Background()); err != nil {
		tb.Fatal(err)
	}
}

// untilStatus waits for the status of the subscription.
func (b *bundle) untilStatus(tb testing.TB, owner *client, home, status string) answer {
	tb.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		got := owner.must(tb, "GET", home+"/subscription", "", http.StatusOK)
		if got.text(tb, "status") == status {
			return got
		}
		if time.Now().After(deadline) {
			tb.Fatalf("the subscription is %s", got.body)
		}
		select { // polls the consumer, which has no event to wait for
		case <-tb.Context().Done():
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// billing gives the organization a subscription.
func (e *estate) billing(tb testing.TB) {
	tb.Helper()
	_, e.ids["subscription"] = e.billed(tb, e.client, e.home, e.id, "scale")
}

// charges is the part of the story about billing.
func (f *firm) charges(t *testing.T) {
	t.Helper()
	at := f.home + "/subscription"
	f.must(t, "GET", "/v1/billing/product", "", http.StatusOK)
	f.must(t, "POST", at+"/preview", `{"plan":"growth"}`, http.StatusOK)
	f.must(t, "POST", at, `{"plan":"growth"}`, http.StatusCreated)
	f.must(t, "POST", at+"/portal", "", http.StatusOK)
	f.stripe.Subscribe("cus_000001", "growth", 1)
	f.hear(t)
	made := f.untilStatus(t, f.client, f.home, "active")
	f.must(t, "POST", at, `{"plan":"scale"}`, http.StatusOK)
	f.must(t, "DELETE", at+"/"+made.text(t, "id"), "", http.StatusOK)
}
