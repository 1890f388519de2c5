package webhook

import (
	"context"
	"net"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/actors/consumer"
	"equity/app"
	"equity/config"
	"equity/features/webhook/endpoint"
	"equity/http/api"
	"equity/http/integration"
	"equity/organization"
	"equity/persistence"
)

// rememberDeliveries is the retention of deliveries.
const rememberDeliveries = 30 * 24 * time.Hour

// Room returns the room for the list of a program.
func Room() app.Room {
	extension := endpoint.Extension()
	return app.Room{Extension: &extension, Settings: describedSettings(), New: newFeature}
}

func newFeature(core app.Core) (app.Feature, error) {
	private, store := config.Of[settings](core.Config).allowsPrivate(), NewStore(core.Database)
	sender := NewConsumer(Options{
		Store: store, Secrets: persistence.NewSealed(core.Database), Owners: core.Owners, Records: core.Records,
		Organizations: core.Organizations, Breakers: core.Breakers, Slots: core.Slots, Version: core.ContractDate, AllowPrivate: private,
		Now: core.Now,
	})
	rules := Rules{AllowPlain: core.Config.Environment != config.Production, AllowPrivate: private, Resolver: net.DefaultResolver}
	wake := func(id organization.ID, name string) { core.Organizations.Wake(id, name) }
	engine := NewEngine(sender, persistence.NewConsumers(core.Database), rules, wake, core.Random)
	repair := &rearming{store: store, log: core.Log, number: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "equity_webhook_rearmed_total", Help: "Deliveries whose attempt was overdue without an alarm.",
	})}
	return app.Feature{
		API: api.Room{
			Operations: func(kernel *api.Kernel) map[string]api.Handler {
				return (&handlers{kernel, engine, persistence.NewAnswers(core.Database), core.NewID}).operations()
			},
			Show: shown, Name: nameOf,
		},
		Consumers: []consumer.Consumer{sender},
		Instances: &integration.Instances{Consumer: consumerName, Of: instances, Owns: owns},
		Retry:     retry,
		Forget: func(ctx context.Context, now time.Time) error {
			return store.Forget(ctx, now.Add(-rememberDeliveries))
		},
		Repair:  repair.run,
		Metrics: []prometheus.Collector{repair.number},
	}, nil
}

// shown returns the JSON form of a webhook without its deliveries; false for other records.
func shown(c *api.Call, record any) (any, bool) {
	webhook, known := record.(*endpoint.Webhook)
	if !known {
		return nil, false
	}
	return withAddress(c, webhook), true
}

// nameOf returns the address of the webhook with the id, for callers who may see it.
func nameOf(c *api.Call, id [16]byte) (kind, name string) {
	if webhook, ok := endpoint.Of(c.View.State).Get(id); ok && c.Can(organization.EditOrganizationDetails) {
		return endpoint.ExtensionName, webhook.URL
	}
	return "", ""
}

// instances returns the names of the webhooks in order of creation.
func instances(state *organization.State) (names []string) {
	for _, webhook := range endpoint.Of(state).All() {
		names = append(names, endpoint.Name(webhook.ID))
	}
	return names
}

// owns reports whether the id of an integration is that of a webhook.
func owns(id string) bool {
	_, ok := endpoint.ParseName(id)
	return ok
}
