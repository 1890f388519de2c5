// Package billing serves the subscriptions of organizations and receives the events of the billing provider.
package billing

import (
	"context"
	"encoding/json"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Subscriptions has the operations that call the billing provider.
type Subscriptions interface {
	// Details returns the facts that are stored beside the journal.
	Details(ctx context.Context, id organization.ID) (messages.BillingDetails, error)
	// Plans returns the offered plans.
	Plans(ctx context.Context) ([]messages.BillingPlan, error)
	// Subscribe subscribes the organization to a plan, or changes the plan of its subscription.
	Subscribe(ctx context.Context, view *messages.View, order messages.BillingOrder, author string) (messages.BillingReceipt, error)
	// Trial returns the command that Subscribe would execute.
	Trial(ctx context.Context, view *messages.View, order messages.BillingOrder) (organization.RecordSubscription, error)
	// Cancel ends the subscription immediately or at the end of its period.
	Cancel(ctx context.Context, view *messages.View, immediately bool, author string) error
	// Preview returns the price of an order.
	Preview(ctx context.Context, view *messages.View, order messages.BillingOrder) (messages.BillingQuote, error)
	// Portal returns the address of a page for payment methods and invoices.
	Portal(ctx context.Context, view *messages.View) (string, error)
}

// Receiver receives the events of the provider.
type Receiver interface {
	// Receive stores an event with a valid signature.
	Receive(ctx context.Context, body []byte, signature string) error
}

// Answers stores the answers of requests with an idempotency key.
type Answers interface {
	// Answered returns the stored answer of a request, or false.
	Answered(ctx context.Context, once messages.Once) (json.RawMessage, bool, error)
	// Remember stores the answer of a request.
	Remember(ctx context.Context, once messages.Once, answer json.RawMessage) error
}

// Services are the dependencies of the package.
type Services struct {
	Subscriptions Subscriptions
	Receiver      Receiver
	Answers       Answers
	// PublicURL is the address below which users return after a payment.
	PublicURL string
}

type base struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := base{kernel, services}
	return map[string]api.Handler{
		"getSubscription": s.get, "createSubscription": s.create, "cancelSubscription": s.cancel, "previewSubscription": s.preview,
		"openBillingPortal": s.portal, "listBillingProducts": s.products, "receiveBillingEvent": s.receive,
	}
}
