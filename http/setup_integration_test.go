package http_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/webhook"
	"equity/captable"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/billing"
	"equity/http/integration"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// noOwners informs nobody about webhooks that are turned off.
type noOwners struct{}

func (noOwners) WebhookDisabled(context.Context, *messages.View, *organization.Webhook, string) error {
	return nil
}

// allFeatures switches every feature of the contract on.
func allFeatures() map[string]bool {
	return map[string]bool{
		api.FeatureDiagnostic: true, api.FeatureBilling: true, api.FeatureDrive: true, api.FeatureAgent: true, api.FeatureHooks: true,
	}
}

// newIntegrations returns the consumer of webhooks, which may call loopback addresses, and the services of its operations.
// Mails stay in the store, where tests read them.
func newIntegrations(
	tb testing.TB, b *bundle, log *slog.Logger, organizations func() *actors.Organizations, followers ...consumer.Consumer,
) (*consumer.Set, integration.Services, billing.Services) {
	tb.Helper()
	cursors := persistence.NewConsumers(b.db)
	hooks := webhook.NewConsumer(webhook.Options{
		Store: persistence.NewDeliveries(b.db), Secrets: persistence.NewSealed(b.db), Owners: noOwners{},
		Records: equityhttp.Records{Features: allFeatures()}, Breakers: consumer.NewBreakers(b.clock.Now), Version: "2026-11-22", AllowPrivate: true,
		Now:      b.clock.Now,
		Commands: func() webhook.Commands { return organizations() },
		Source:   func() consumer.Source { return organizations().Source() },
	})
	wake := func(id organization.ID, name string) { organizations().Wake(id, name) }
	engine := webhook.NewEngine(hooks, cursors, webhook.Rules{AllowPlain: true, AllowPrivate: true}, wake, rand.Reader)
	charges, billings := newBilling(tb, b, log, organizations)
	return consumer.NewSet(organization.NewSchema(), cursors, b.clock.Now, log, append(followers, hooks, charges)...), integration.Services{
		Webhooks: engine, Secrets: engine, Consumers: cursors, Answers: persistence.NewAnswers(b.db),
		Wake: wake, NewID: newID,
	}, billings
}

// integrations creates a webhook that no event of the tests concerns, with one delivery, and a failing consumer.
func (e *estate) integrations(tb testing.TB) {
	tb.Helper()
	ctx := context.Background()
	e.ids["webhook"] = e.make(tb, "POST", "/v1/organization/{organization}/webhook",
		`{"url":"http://127.0.0.1:1/events","events":["folder.created"],"description":"{name}"}`)
	e.ids["conversation"] = uuid.NewString()
	e.ids["onboarding"] = e.onboarding(tb)
	e.ids["onboardingId"], e.ids["itemId"], e.ids["questionId"] = e.ids["onboarding"], uuid.NewString(), uuid.NewString()
	e.ids["delivery"], e.ids["integration"] = "evt_"+e.name, "mail"
	home := organizationID(tb, e.id)
	err := persistence.NewDeliveries(e.db).Record(ctx, home, []messages.Delivery{{
		Webhook: e.ids["webhook"], EventID: e.ids["delivery"], EventType: "folder.created", Sequence: 1,
		State: messages.DeliveryDelivered, Attempts: 1, CreatedAt: e.clock.Now(), AttemptedAt: e.clock.Now(),
	}})
	if err != nil {
		tb.Fatal(err)
	}
	e.ids["organizationId"], e.ids["teamId"], e.ids["chatUserId"] = e.id, "team-"+e.name, "account-"+e.name
	e.billing(tb)
	e.ids["skipIntegrationEvent.integration"] = "skipped" // a retry changes the state that a skip requires
	for _, name := range []string{"mail", "skipped"} {
		e.fail(tb, name)
	}
}

// fail stops a consumer at the second event of the organization.
func (f *firm) fail(tb testing.TB, consumer string) {
	tb.Helper()
	failed := messages.Cursor{Sequence: 1, State: messages.ConsumerFailed, Failures: 1, LastError: "refused"}
	if err := persistence.NewConsumers(f.db).Save(context.Background(), organizationID(tb, f.id), consumer, failed, nil); err != nil {
		tb.Fatal(err)
	}
}

func organizationID(tb testing.TB, text string) organization.ID {
	tb.Helper()
	id, err := captable.ParseID[organization.Organization](text)
	if err != nil {
		tb.Fatal(err)
	}
	return id
}
