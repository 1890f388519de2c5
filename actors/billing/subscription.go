package billing

import (
	"context"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Store stores the customers and the transmissions of counts.
type Store interface {
	// Customer returns the customer of an organization, or false.
	Customer(ctx context.Context, id organization.ID) (messages.BillingCustomer, bool, error)
	// AddCustomer stores a new customer, unless the organization has one.
	AddCustomer(ctx context.Context, customer messages.BillingCustomer) error
	// SetSubscription stores the subscription and the payment method of a customer.
	SetSubscription(ctx context.Context, customer messages.BillingCustomer) error
	SetReconciled(ctx context.Context, id organization.ID, at time.Time) error
	SetDunned(ctx context.Context, id organization.ID, at time.Time) error
	// Push returns the last transmission of the counts; zero without one.
	Push(ctx context.Context, id organization.ID) (messages.BillingPush, error)
	SetPush(ctx context.Context, id organization.ID, push messages.BillingPush) error
}

// Organizations executes commands and returns views.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Options are the dependencies of the consumer and of the engine.
type Options struct {
	Client *Client
	Store  Store
	Inbox  Inbox
	Owners Owners
	// Organizations returns the actors, which start after their consumers.
	Organizations func() Organizations
	// Grace is the time during which an unpaid subscription keeps its limits.
	Grace time.Duration
	Now   func() time.Time
}

// Service knows the provider and the subscriptions of organizations. It is safe for concurrent use.
type service struct {
	Options
	catalog *catalog
}

// by is the author of events that the provider causes.
const by = "system:billing"

// mostLooks bounds the attempts while the record of the subscription changes concurrently.
const mostLooks = 5

// look queries a subscription and records a difference.
func (s *service) look(ctx context.Context, customer *messages.BillingCustomer, id, author string) error {
	for attempt := 1; ; attempt++ {
		view, err := s.Organizations().View(ctx, customer.Organization)
		if err != nil {
			return err
		}
		seen, err := s.Client.subscription(ctx, customer.Organization, id)
		if missing(err) {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.record(ctx, customer, view, seen, author)
		if !fault.Is(err, fault.Stale) || attempt == mostLooks {
			return err
		}
	}
}

// record records the state at the provider, unless the organization has another live subscription.
func (s *service) record(ctx context.Context, customer *messages.BillingCustomer, view *messages.View, seen observed, author string) error {
	if seen.customer != customer.Customer {
		return errOtherOwner
	}
	known, exists := view.State.Subscription()
	if exists && known.ID != seen.terms.ID && (known.Live() || seen.terms.Status == organization.SubscriptionCancelled) {
		return nil
	}
	command := organization.RecordSubscription{SubscriptionTerms: seen.terms, Grace: s.Grace}
	if exists {
		command.Seen = known.Version
	}
	next := *customer
	next.Subscription, next.Item, next.Card = seen.id, seen.item, seen.card
	if next != *customer {
		if err := s.Store.SetSubscription(ctx, next); err != nil {
			return err
		}
		*customer = next
	}
	if err := s.do(ctx, customer.Organization, command, author); err != nil {
		return err
	}
	if seen.payment != nil {
		return s.do(ctx, customer.Organization, *seen.payment, by)
	}
	return nil
}

func (s *service) do(ctx context.Context, in organization.ID, body organization.Command, author string) error {
	_, err := s.Organizations().Do(ctx, messages.Command{Organization: in, By: author, At: s.Now(), Body: body})
	return err
}

// current returns the id of the subscription of the customer: the known one, else the latest live one at the provider; empty
// without one.
func (s *service) current(ctx context.Context, customer *messages.BillingCustomer, state *organization.State) (string, error) {
	if known, exists := state.Subscription(); exists && known.Live() && customer.Subscription != "" {
		return customer.Subscription, nil
	}
	list, err := call(ctx, s.Client, func(ctx context.Context) ([]*stripe.Subscription, error) {
		params := &stripe.SubscriptionListParams{Customer: stripe.String(customer.Customer)}
		params.Limit = stripe.Int64(10)
		return collect(ctx, s.Client.api.V1Subscriptions.List(ctx, params), 10)
	})
	if err != nil || len(list) == 0 { // without a status, ended subscriptions are not listed
		return "", err
	}
	return list[0].ID, nil
}

// quantity returns the billed number of shareholders.
func quantity(counts organization.Counts) int64 { return int64(max(counts.Shareholders, 1)) }
