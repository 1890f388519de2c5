package integration

import (
	"context"
	"net/http"
	"time"

	"equity/http/api"
	"equity/messages"
)

func (s deliveries) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"testWebhook": s.test, "listWebhookDeliveries": s.list, "replayWebhookDelivery": s.replayOne, "replayWebhook": s.replay,
	}
}

// delivery is the JSON form of a delivery.
type delivery struct {
	ID            string    `json:"id"`
	Type          string    `json:"type"`
	Sequence      uint64    `json:"sequence,omitempty"`
	Status        string    `json:"status"`
	StatusCode    int       `json:"statusCode"`
	Attempts      int       `json:"attempts"`
	Milliseconds  int64     `json:"ms"`
	Failure       string    `json:"failure,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	AttemptedAt   time.Time `json:"attemptedAt,omitzero"`
	NextAttemptAt time.Time `json:"nextAttemptAt,omitzero"`
}

func showDelivery(d *messages.Delivery) delivery {
	return delivery{
		ID: d.EventID, Type: d.EventType, Sequence: d.Sequence, Status: d.State, StatusCode: d.StatusCode, Attempts: d.Attempts,
		Milliseconds: d.Duration.Milliseconds(), Failure: d.Failure, CreatedAt: d.CreatedAt, AttemptedAt: d.AttemptedAt,
		NextAttemptAt: d.NextAttemptAt,
	}
}

func (s deliveries) test(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	outcome, err := s.Webhooks.Test(ctx, c.View, webhook.ID)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: showDelivery(&outcome)}, nil
}

// page is one page of deliveries.
type page struct {
	Data       []delivery `json:"data"`
	NextBefore time.Time  `json:"nextBefore,omitzero"`
}

func (s deliveries) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	before := time.Time{}
	if text := c.Query("before"); text != "" {
		if before, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return api.Answer{}, api.WrongField("/query/before", "invalidMoment", "Use a time (RFC 3339).")
		}
	}
	stored, err := s.Webhooks.Deliveries(ctx, c.Organization, webhook.ID, before, c.Limit())
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	all := page{Data: []delivery{}}
	for i := range stored {
		all.Data = append(all.Data, showDelivery(&stored[i]))
	}
	if len(stored) == c.Limit() {
		all.NextBefore = stored[len(stored)-1].AttemptedAt
	}
	return read(c, all, 0)
}

func (s deliveries) replayOne(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Webhooks.ReplayDelivery(ctx, c.View, webhook.ID, c.Path("delivery")); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Status: http.StatusAccepted}, nil
}

func (s deliveries) replay(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	given, err := api.Decode[struct {
		FromSequence uint64 `json:"fromSequence"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Webhooks.Replay(ctx, c.View, webhook.ID, given.FromSequence); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Status: http.StatusAccepted}, nil
}
