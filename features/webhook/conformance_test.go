package webhook_test

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/captable"
	"equity/features/webhook"
	"equity/features/webhook/endpoint"
	equityhttp "equity/http"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// owners ignores notices.
type owners struct{}

func (owners) Inform(context.Context, *messages.View, string, string, string) error { return nil }

// schema returns the schema with the extension of the room.
func schema() *organization.Schema { return organization.NewSchema(endpoint.Extension()) }

// author is the user who created the organization and its webhook.
func author() organization.UserID { return consumertest.Founder() }

func hookID() endpoint.ID { return endpoint.ID{7, 7} }

// newConsumer returns the consumer on the store.
func newConsumer(store consumertest.Store, now func() time.Time, organizations func() *actors.Organizations, slots *consumer.Slots) *webhook.Consumer {
	return webhook.NewConsumer(webhook.Options{
		Store: webhook.NewStore(store.Database), Secrets: persistence.NewSealed(store.Database), Owners: owners{},
		Records: equityhttp.Records{}, Organizations: consumertest.Late{Of: organizations}, Breakers: consumer.NewBreakers(now), Slots: slots,
		Version: "2026-11-22", AllowPrivate: true, Now: now,
	})
}

// receiver returns the URL of a server that passes the ids of events to the service.
func receiver(t *testing.T, service *consumertest.Service) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		ctx, cancel := context.WithTimeout(r.Context(), 30*time.Second)
		defer cancel()
		defer func() {
			if recover() != nil { // the answer is lost after the effect
				panic(http.ErrAbortHandler)
			}
		}()
		if err := service.Call(ctx, r.Header.Get("Webhook-Id")); err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

func TestWebhookIsAConformingConsumer(t *testing.T) {
	t.Parallel()
	consumertest.Engines(t, func(t *testing.T, open func(t *testing.T) consumertest.Store) {
		t.Helper()
		consumertest.Conformance(t, open, consumertest.Subject{
			Schema:    schema(),
			System:    system.New,
			Schedules: true,
			Key:       eventKey,
			New: func(
				t *testing.T, store consumertest.Store, _ *consumertest.Service, now func() time.Time,
				organizations func() *actors.Organizations,
			) consumer.Consumer {
				t.Helper()
				return newConsumer(store, now, organizations, nil)
			},
			Prepare: func(t *testing.T, service *consumertest.Service) ([]messages.Command, string) {
				t.Helper()
				return prepare(receiver(t, service)), "webhook/" + endpoint.Name(hookID())
			},
			Cause: func(number int) messages.Command {
				return messages.Command{Body: organization.CreateRole{RoleTerms: organization.RoleTerms{
					Name: "Role " + strings.Repeat("I", number), Permissions: organization.NewPermissions(organization.ViewSelf),
				}}}
			},
			Epoch: func(state *organization.State) uint64 {
				found, _ := endpoint.Of(state).Get(hookID())
				return found.Since
			},
		})
	})
}

// prepare returns the command that creates the webhook for roles with its secret.
func prepare(url string) []messages.Command {
	_, value, err := webhook.NewEngine(nil, nil, webhook.Rules{}, nil, rand.Reader).Secret(hookID())
	if err != nil {
		panic(err)
	}
	terms := endpoint.Terms{URL: url, Events: []string{"role.created"}, Active: true}
	return []messages.Command{{Body: endpoint.Create{ID: hookID(), Terms: terms}, Sealed: []messages.Sealed{value}}}
}

// eventKey returns the id of the webhook event for the only record of an event.
func eventKey(event string) string {
	name, number, _ := strings.Cut(event, ":")
	id, _ := captable.ParseID[organization.Organization](name) // an id of this package
	sequence, _ := strconv.ParseUint(number, 10, 64)
	return webhook.EventID(id, sequence, 0)
}
