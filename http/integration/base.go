// Package integration serves webhooks and the states of the services that follow the journal of an organization.
package integration

import (
	"context"
	"maps"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Webhooks has the operations of webhooks beside their commands.
type Webhooks interface {
	// Check refuses a URL that a webhook cannot have.
	Check(ctx context.Context, url string) error
	// Test sends one test event at once and returns its outcome.
	Test(ctx context.Context, view *messages.View, id organization.WebhookID) (messages.Delivery, error)
	// Deliveries returns the deliveries behind the position, the latest attempt first.
	Deliveries(ctx context.Context, in organization.ID, id organization.WebhookID, from messages.DeliveryPosition, limit int) (
		[]messages.Delivery, error)
	// ReplayDelivery schedules one event again.
	ReplayDelivery(ctx context.Context, view *messages.View, id organization.WebhookID, event string) error
	// Replay schedules the events from the sequence on again.
	Replay(ctx context.Context, view *messages.View, id organization.WebhookID, from uint64) error
}

// Secrets creates and reads the secrets of webhooks.
type Secrets interface {
	// Secret returns a new secret, and the sealed value for the command of the creation.
	Secret(id organization.WebhookID) (string, messages.Sealed, error)
	// Rotated returns a new secret in place of the present one, and the sealed value with both for the command.
	Rotated(ctx context.Context, in organization.ID, id organization.WebhookID) (string, messages.Sealed, error)
	// Current returns the present secret, for the repetition of a request.
	Current(ctx context.Context, in organization.ID, id organization.WebhookID) (string, error)
}

// Consumers has the states of the consumers of the journal.
type Consumers interface {
	// Status returns the states of the consumers that have run in the organization or have work.
	Status(ctx context.Context, id organization.ID) ([]messages.ConsumerStatus, error)
	// Retry makes the next attempt due. It returns messages.ErrNotFailed if no attempt failed.
	Retry(ctx context.Context, id organization.ID, consumer string, now time.Time) error
	// Skip moves a failed consumer past the event. It returns messages.ErrNotFailed for another event or state.
	Skip(ctx context.Context, id organization.ID, consumer string, sequence uint64, by string, now time.Time) error
}

// Services are the dependencies of the package.
type Services struct {
	Webhooks  Webhooks
	Secrets   Secrets
	Consumers Consumers
	Answers   api.Answers
	// Wake wakes an instance of a consumer. It does not wait.
	Wake func(id organization.ID, consumer string)
	// NewID returns a new UUID of version 7.
	NewID func() [16]byte
}

// base is the common part of the operations.
type base struct {
	*api.Kernel
	Services
}

type (
	webhooks   struct{ *base }
	deliveries struct{ *base }
	states     struct{ *base }
)

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	shared := &base{kernel, services}
	all := webhooks{shared}.operations()
	maps.Copy(all, deliveries{shared}.operations())
	maps.Copy(all, states{shared}.operations())
	return all
}
