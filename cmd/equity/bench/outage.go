package bench

import (
	"context"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	"equity/actors"
	"equity/actors/billing"
	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// outageCallers issue shares at the same time while a service is broken.
const outageCallers = 64

// started starts actors, and returns a function that stops them.
type started func() (organizations *actors.Organizations, stop func() error, err error)

// slowed compares writes of an organization that uses a broken service with those of one that uses none.
func (m *consumed) slowed(ctx context.Context, what string, with hooked, start started) (row, error) {
	without, err := m.company(ctx, "")
	if err != nil {
		return row{}, err
	}
	organizations, stop, err := start()
	if err != nil {
		return row{}, err
	}
	type side struct {
		company hooked
		rates   *[]float64
	}
	var ours, theirs []float64
	sides := []side{{with, &ours}, {without, &theirs}}
	for range m.options.Rounds {
		slices.Reverse(sides) // neither side is always the later one
		for _, side := range sides {
			rate, err := m.write(ctx, organizations, side.company, outageCallers)
			if err != nil {
				return row{}, errorsOf(err, stop())
			}
			*side.rates = append(*side.rates, rate)
		}
	}
	if err := errorsOf(stop(), m.forget(ctx, with)); err != nil {
		return row{}, err
	}
	return ratio("shares issued with "+what+", 64 callers", "commands/s", "≥ 0.97×", ours, theirs), nil
}

// forget removes the pending work of the organization, which would be done during the next measurement.
func (m *consumed) forget(ctx context.Context, of hooked) error {
	cursors := persistence.NewConsumers(m.db)
	all, err := cursors.Status(ctx, of.id)
	if err != nil {
		return err
	}
	for i := range all {
		name := all[i].Name
		if all[i].Instance != "" {
			name += "/" + all[i].Instance
		}
		cursor, alarm, err := cursors.Load(ctx, of.id, name)
		if err != nil {
			return err
		}
		if err := cursors.Drop(ctx, of.id, name, cursor.Version, math.MaxInt64, alarm); err != nil {
			return err
		}
	}
	return nil
}

// deadWebhook measures writes while the receiver of a webhook refuses connections.
func (m *consumed) deadWebhook(ctx context.Context) (row, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return row{}, err
	}
	address := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		return row{}, err
	}
	with, err := m.company(ctx, address)
	if err != nil {
		return row{}, err
	}
	return m.slowed(ctx, "a dead webhook", with, func() (*actors.Organizations, func() error, error) { return m.start(ctx) })
}

// hanging returns a server that accepts requests and sends no answer.
func hanging() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
}

// hangingBilling measures writes of an organization with a subscription while the billing provider sends no answer.
func (m *consumed) hangingBilling(ctx context.Context) (row, error) {
	server := hanging()
	defer server.Close()
	defer server.CloseClientConnections()
	with, err := m.company(ctx, "")
	if err != nil {
		return row{}, err
	}
	_, err = with.do(organization.RecordSubscription{SubscriptionTerms: organization.SubscriptionTerms{
		ID: newID(), Status: organization.SubscriptionActive,
	}})
	if err := errorsOf(err, with.flush()); err != nil {
		return row{}, err
	}
	customers := persistence.NewBilling(m.db)
	customer := messages.BillingCustomer{
		Organization: with.id, Customer: "cus_" + with.id.String(), Subscription: "sub_" + with.id.String(), Item: "si_" + with.id.String(),
		CreatedAt: time.Now(),
	}
	if err := customers.AddCustomer(ctx, customer); err != nil {
		return row{}, err
	}
	client, err := billing.NewClient("sk_test_bench", server.URL, consumer.NewBreakers(time.Now), time.Now)
	if err != nil {
		return row{}, err
	}
	return m.slowed(ctx, "a hanging billing provider", with, func() (organizations *actors.Organizations, stop func() error, err error) {
		organizations, stop, err = m.start(ctx, billing.NewConsumer(billing.Options{
			Client: client, Store: customers, Inbox: persistence.NewBillingInbox(m.db), Owners: noOwners{},
			Organizations: func() billing.Organizations { return organizations }, Now: time.Now,
		}))
		return organizations, stop, err
	})
}

// chatTeamLinked is the event that links the team of a company. Programs without team chat do not know it.
const chatTeamLinked = "chatTeamLinked"

// hangingChat measures writes of an organization that posts each of them while the chat server sends no answer.
func (m *consumed) hangingChat(ctx context.Context) (row, error) {
	server := hanging()
	defer server.Close()
	defer server.CloseClientConnections()
	with, err := m.company(ctx, "")
	if err != nil {
		return row{}, err
	}
	linked, err := m.options.Schema.Decode(chatTeamLinked, []byte(`{"team":{"id":"team-`+with.id.String()+`","name":"bench"}}`))
	if err != nil {
		return row{}, err
	}
	if _, err := with.do(recorded{linked}); err != nil {
		return row{}, err
	}
	_, err = with.do(organization.Amend{Patch: []byte(`{"chatPosts":["shareholdingIssued"]}`)})
	if err := errorsOf(err, with.flush()); err != nil {
		return row{}, err
	}
	settings, err := m.options.Settings(map[string]string{"CHAT_URL": server.URL, "CHAT_ADMIN_BOT_TOKEN": "bench"})
	if err != nil {
		return row{}, err
	}
	return m.slowed(ctx, "a hanging chat server", with, func() (*actors.Organizations, func() error, error) {
		return m.startWith(ctx, settings)
	})
}
