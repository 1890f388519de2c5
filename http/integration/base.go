// Package integration serves the states of the services that follow the journal of an organization.
package integration

import (
	"context"
	"time"

	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Consumers has the states of the consumers of the journal.
type Consumers interface {
	// Status returns the states of the consumers that have run in the organization or have work.
	Status(ctx context.Context, id organization.ID) ([]messages.ConsumerStatus, error)
	// Retry makes the next attempt due. It returns messages.ErrNotFailed if no attempt failed.
	Retry(ctx context.Context, id organization.ID, consumer string, now time.Time) error
	// Skip moves a failed consumer past the event. It returns messages.ErrNotFailed for another event or state.
	Skip(ctx context.Context, id organization.ID, consumer string, sequence uint64, by string, now time.Time) error
}

// Instances are the instances of a consumer of a room, which are integrations of their own.
type Instances struct {
	Consumer string
	// Of returns the names of the instances of an organization in order of creation. They are the ids of integrations.
	Of func(state *organization.State) []string
	// Owns reports whether the id of an integration is the name of an instance.
	Owns func(id string) bool
}

// Services are the dependencies of the package.
type Services struct {
	Consumers Consumers
	Instances []Instances
	// Rooms are the names of the consumers of rooms without instances.
	Rooms []string
	// Wake wakes an instance of a consumer. It does not wait.
	Wake func(id organization.ID, consumer string)
}

// states are the operations of the package.
type states struct {
	*api.Kernel
	Services
}

// Operations returns the handlers of the package by operation id.
func Operations(kernel *api.Kernel, services Services) map[string]api.Handler {
	s := states{kernel, services}
	return map[string]api.Handler{"listIntegrations": s.list, "retryIntegration": s.retry, "skipIntegrationEvent": s.skip}
}
