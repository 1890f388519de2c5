package apitest

import (
	"log/slog"
	"testing"

	"equity/actors"
	"equity/actors/consumer"
	"equity/app"
	"equity/http/api"
	"equity/http/billing"
	"equity/http/integration"
	"equity/organization"
	"equity/persistence"
)

// AllFeatures switches every feature of the contract on.
func AllFeatures() map[string]bool {
	return map[string]bool{
		api.FeatureDiagnostic: true, api.FeatureBilling: true, api.FeatureAgent: true, api.FeatureHooks: true,
	}
}

// newIntegrations returns the consumers, and the services of their states. Mails stay in the store, where tests read them.
func newIntegrations(
	tb testing.TB, b *Server, log *slog.Logger, organizations func() *actors.Organizations, rooms []app.Feature,
	followers ...consumer.Consumer,
) (*consumer.Set, integration.Services, billing.Services) {
	tb.Helper()
	services, cursors := integration.Services{}, persistence.NewConsumers(b.DB)
	for _, room := range rooms {
		followers = append(followers, room.Consumers...)
		if room.Integration != "" {
			services.Rooms = append(services.Rooms, room.Integration)
		}
		if room.Instances == nil {
			continue
		}
		services.Instances = append(services.Instances, *room.Instances)
		if room.Retry != nil {
			cursors = cursors.Retrying(room.Instances.Consumer, room.Retry)
		}
	}
	services.Consumers = cursors
	services.Wake = func(id organization.ID, name string) { organizations().Wake(id, name) }
	charges, billings := newBilling(tb, b, log, organizations)
	return consumer.NewSet(programSchema(), cursors, b.Clock.Now, log, append(followers, charges)...), services, billings
}
