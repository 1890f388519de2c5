package consumertest

import (
	"context"

	"equity/actors"
	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// Late are the organizations for consumers, which are created before them.
type Late struct{ Of func() *actors.Organizations }

// Do executes a command.
func (l Late) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	return l.Of().Do(ctx, command)
}

// View returns an organization.
func (l Late) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	return l.Of().View(ctx, id)
}

// Source returns the past of organizations.
func (l Late) Source() consumer.Source { return l.Of().Source() }

// Wake starts a round of the instance of a consumer.
func (l Late) Wake(id organization.ID, consumer string) { l.Of().Wake(id, consumer) }
