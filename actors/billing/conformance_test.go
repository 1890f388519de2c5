package billing_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/billing"
	"equity/actors/billing/stripetest"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// fakes has a fake for each service of the suite, which survives a restart of the actors.
type fakes struct {
	mu  sync.Mutex
	all map[*consumertest.Service]*stripetest.Server
}

// of returns the fake whose counts call the service.
func (f *fakes) of(t *testing.T, service *consumertest.Service, now func() time.Time) *stripetest.Server {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if known := f.all[service]; known != nil {
		return known
	}
	server := stripetest.New(t, now)
	server.Before = func(ctx context.Context, r stripetest.Request) int {
		if !strings.HasPrefix(r.Path, "/v1/subscription_items/") {
			return 0
		}
		defer func() {
			if recover() != nil { // the answer is lost after the effect
				panic(http.ErrAbortHandler)
			}
		}()
		switch err := service.Call(ctx, strings.TrimPrefix(r.Key, "count:")); {
		case errors.Is(err, consumertest.ErrPoison):
			return http.StatusBadRequest
		case err != nil:
			return http.StatusInternalServerError
		}
		return 0
	}
	f.all[service] = server
	return server
}

// subscribed is a store that has a customer for each organization.
type subscribed struct {
	*persistence.Billing
	server *stripetest.Server
	now    func() time.Time
}

func (s subscribed) Customer(ctx context.Context, id organization.ID) (messages.BillingCustomer, bool, error) {
	if found, exists, err := s.Billing.Customer(ctx, id); exists || err != nil {
		return found, exists, err
	}
	customer := s.server.AddCustomer(id.String())
	subscription := s.server.Subscribe(customer, "growth", 1)
	err := s.AddCustomer(ctx, messages.BillingCustomer{
		Organization: id, Customer: customer, Subscription: subscription, Item: s.server.Item(subscription), CreatedAt: s.now(), ReconciledAt: s.now(),
	})
	if err != nil {
		return messages.BillingCustomer{}, false, err
	}
	return s.Billing.Customer(ctx, id)
}

// owners ignores reminders.
type owners struct{}

func (owners) Inform(context.Context, *messages.View, string, string, string) error { return nil }

func client(t *testing.T, address string, now func() time.Time) *billing.Client {
	t.Helper()
	made, err := billing.NewClient(stripetest.Key, address, consumer.NewBreakers(now), now)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestBillingIsAConformingConsumer(t *testing.T) {
	t.Parallel()
	consumertest.Engines(t, func(t *testing.T, open func(t *testing.T) consumertest.Store) {
		t.Helper()
		servers := &fakes{all: map[*consumertest.Service]*stripetest.Server{}}
		root := t
		consumertest.Conformance(t, open, consumertest.Subject{
			System: system.New, Collapses: true, Recurring: true,
			New: func(
				t *testing.T, store consumertest.Store, service *consumertest.Service, now func() time.Time,
				organizations func() *actors.Organizations,
			) consumer.Consumer {
				t.Helper()
				server := servers.of(root, service, now)
				return billing.NewConsumer(billing.Options{
					Client: client(t, server.URL, now), Store: subscribed{persistence.NewBilling(store.Database), server, now},
					Inbox:  persistence.NewBillingInbox(store.Database),
					Owners: owners{}, Organizations: func() billing.Organizations { return organizations() }, Grace: time.Hour, Now: now,
				})
			},
			Prepare: func(*testing.T, *consumertest.Service) ([]messages.Command, string) {
				return []messages.Command{{Body: organization.RecordSubscription{SubscriptionTerms: organization.SubscriptionTerms{
					ID: organization.SubscriptionID{1}, Plan: organization.PlanGrowth, Status: organization.SubscriptionActive, Quantity: 1,
				}}}}, "billing"
			},
			Cause: func(number int) messages.Command {
				return messages.Command{Body: organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Member " + strconv.Itoa(number)}}}
			},
		})
	})
}
