package webhook

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"equity/features/webhook/endpoint"
	"equity/http/api"
	"equity/messages"
)

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

func showDelivery(d *Delivery) delivery {
	return delivery{
		ID: d.EventID, Type: d.EventType, Sequence: d.Sequence, Status: d.State, StatusCode: d.StatusCode, Attempts: d.Attempts,
		Milliseconds: d.Duration.Milliseconds(), Failure: d.Failure, CreatedAt: d.CreatedAt, AttemptedAt: d.AttemptedAt,
		NextAttemptAt: d.NextAttemptAt,
	}
}

func (s *handlers) test(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	once := c.Once()
	if once.Key == "" {
		text, err := s.tested(ctx, c, webhook.ID)
		return api.Answer{Rendered: text, ContentType: api.ContentJSON}, err
	}
	text, replayed, err := s.answers.Begin(ctx, once)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	if !replayed {
		text, err = s.testedOnce(context.WithoutCancel(ctx), c, webhook.ID, once)
	}
	return api.Answer{Rendered: text, ContentType: api.ContentJSON, Replayed: replayed}, err
}

// tested sends the test event and returns the JSON of its outcome.
func (s *handlers) tested(ctx context.Context, c *api.Call, id endpoint.ID) ([]byte, error) {
	outcome, err := s.engine.Test(ctx, c.View, id)
	if err != nil {
		return nil, err
	}
	return api.RenderJSON(showDelivery(&outcome))
}

// testedOnce is like tested, and stores the outcome for repetitions of the request. It does not end with the request, whose
// repetition needs the outcome.
func (s *handlers) testedOnce(ctx context.Context, c *api.Call, id endpoint.ID, once messages.Once) ([]byte, error) {
	text, err := s.tested(ctx, c, id)
	if err != nil {
		return nil, errors.Join(err, s.answers.Abandon(ctx, once))
	}
	return text, api.Unavailable(s.answers.Finish(ctx, once, text))
}

// page is one page of deliveries.
type page struct {
	api.Page[delivery]
	// NextBefore is the same as the cursor, under its former name.
	NextBefore string `json:"nextBefore,omitempty"`
}

func (s *handlers) deliveries(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	from, err := position(cmp.Or(c.Query("cursor"), c.Query("before")))
	if err != nil {
		return api.Answer{}, err
	}
	limit := c.Limit()
	stored, err := s.engine.Deliveries(ctx, c.Organization, webhook.ID, from, limit+1)
	if err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	all := page{Page: api.Page[delivery]{Data: []delivery{}}}
	for i := range stored[:min(len(stored), limit)] {
		all.Data = append(all.Data, showDelivery(&stored[i]))
	}
	if len(stored) > limit {
		last := &stored[limit-1]
		all.NextCursor = last.AttemptedAt.UTC().Format(time.RFC3339Nano) + positionSeparator + last.EventID
		all.NextBefore = all.NextCursor
	}
	return api.ReadContent(c, all, 0)
}

// positionSeparator is between the time and the id of the event in the position of a page.
const positionSeparator = "_"

// position parses a time, or the time and the event of the last delivery of a page. Several attempts can begin at the same time.
func position(text string) (from Position, err error) {
	if text == "" {
		return from, nil
	}
	moment, event, _ := strings.Cut(text, positionSeparator)
	if from.Before, err = time.Parse(time.RFC3339Nano, moment); err != nil {
		return from, api.WrongField("/query/before", "invalidMoment", "Use a time (RFC 3339), or nextBefore of a page.")
	}
	from.After = event
	return from, nil
}

func (s *handlers) replayOne(ctx context.Context, c *api.Call) (api.Answer, error) {
	webhook, err := found(c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.engine.ReplayDelivery(ctx, c.View, webhook.ID, c.Path("delivery")); err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.Answer{Status: http.StatusAccepted}, nil
}

func (s *handlers) replay(ctx context.Context, c *api.Call) (api.Answer, error) {
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
	if err := s.engine.Replay(ctx, c.View, webhook.ID, given.FromSequence); err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.Answer{Status: http.StatusAccepted}, nil
}
