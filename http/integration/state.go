package integration

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

func (s states) operations() map[string]api.Handler {
	return map[string]api.Handler{"listIntegrations": s.list, "retryIntegration": s.retry, "skipIntegrationEvent": s.skip}
}

// The names of the consumers.
const (
	consumerMail    = "mail"
	consumerBilling = "billing"
	consumerChat    = "chat"
	consumerDrive   = "drive"
	consumerWebhook = "webhook"
)

// state is the JSON form of the state of an integration.
type state struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	State         string    `json:"state"`
	LastSuccessAt time.Time `json:"lastSuccessAt,omitzero"`
	LastError     string    `json:"lastError,omitempty"`
	Behind        uint64    `json:"behind"`
	Event         uint64    `json:"event,omitempty"`
	NextAttemptAt time.Time `json:"nextAttemptAt,omitzero"`
}

// integrationKey is the key of an integration in the list. The webhooks follow in order of creation.
func integrationKey(at int, one state) string {
	if _, webhook := organization.ParseWebhookName(one.ID); webhook {
		return consumerWebhook + one.ID
	}
	return "integration" + api.PlaceKey(at, one)
}

// list returns the states of all integrations, also of those without work so far.
func (s states) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	stored, err := s.Consumers.Status(ctx, c.Organization)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	all := []state{}
	for _, name := range []string{consumerMail, consumerBilling, consumerChat, consumerDrive} {
		all = append(all, state{ID: name, Name: name, State: messages.ConsumerOff})
	}
	for _, webhook := range c.View.State.Webhooks() {
		all = append(all, state{ID: organization.WebhookName(webhook.ID), Name: consumerWebhook, State: messages.ConsumerOff})
	}
	for i := range stored {
		one := &stored[i]
		shown := state{
			ID: one.Name, Name: one.Name, State: one.State, LastSuccessAt: one.LastSuccessAt, LastError: one.LastError,
			Behind: one.Behind, Event: one.Event, NextAttemptAt: one.NextAttemptAt,
		}
		if one.Instance != "" {
			shown.ID = one.Instance
		}
		if at := slices.IndexFunc(all, func(known state) bool { return known.ID == shown.ID }); at >= 0 {
			all[at] = shown
		}
	}
	page, err := api.PageByKey(c, all, integrationKey)
	if err != nil {
		return api.Answer{}, err
	}
	return api.ReadContent(c, page, 0)
}

// consumerOf returns the name of the consumer of the integration in the path.
func consumerOf(c *api.Call) string {
	id := c.Path("integration")
	if strings.HasPrefix(id, "wh_") {
		return consumerWebhook + "/" + id
	}
	return id
}

func (s states) retry(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.changed(c, s.Consumers.Retry(ctx, c.Organization, consumerOf(c), c.At))
}

func (s states) skip(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Sequence uint64 `json:"sequence"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.changed(c, s.Consumers.Skip(ctx, c.Organization, consumerOf(c), given.Sequence, c.By(), c.At))
}

// changed wakes the consumer after a change of its state.
func (s states) changed(c *api.Call, err error) (api.Answer, error) {
	switch {
	case errors.Is(err, messages.ErrNotFailed):
		return api.Answer{}, fault.Refuse(fault.Conflict, "The integration has no such failing event. Read its state again.")
	case err != nil:
		return api.Answer{}, api.Unavailable(err)
	}
	s.Wake(c.Organization, consumerOf(c))
	return api.Answer{Status: http.StatusAccepted}, nil
}
