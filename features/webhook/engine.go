package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"equity/actors/consumer"
	"equity/fault"
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// rotationOverlap is the time in which the previous secret signs too.
const rotationOverlap = 24 * time.Hour

// mostReplayed bounds the events of the journal that one request repeats.
const mostReplayed = 10_000

// The refusals of operations.
var (
	// ErrNotFound reports an unknown webhook or delivery.
	ErrNotFound = fault.Refuse(fault.NotFound, "The webhook or the delivery does not exist.")
	// ErrInactive reports a replay of a webhook that is off.
	ErrInactive = fault.Refuse(fault.Conflict, "The webhook is off. Turn it on first.")
	// ErrTooMany reports a replay of more than 10,000 events.
	ErrTooMany = fault.InvalidField("/fromSequence", "minimum", "fromSequence must be one of the last 10,000 events of the journal.")
)

// Engine has the operations of users on webhooks. Creation, changes and deletion are commands of the organization. It is safe for
// concurrent use.
type Engine struct {
	consumer *Consumer
	cursors  *persistence.Consumers
	rules    Rules
	wake     func(id organization.ID, name string)
	random   io.Reader
}

// NewEngine returns the Engine. Wake wakes an instance of a consumer.
func NewEngine(
	c *Consumer, cursors *persistence.Consumers, rules Rules, wake func(id organization.ID, name string), random io.Reader,
) *Engine {
	return &Engine{c, cursors, rules, wake, random}
}

// Check refuses an URL that a webhook cannot have, with ErrURL or ErrPrivate.
func (e *Engine) Check(ctx context.Context, url string) error { return e.rules.Check(ctx, url) }

// Secret returns a new secret, and the sealed value that the command of the creation stores.
func (e *Engine) Secret(webhook endpoint.ID) (string, messages.Sealed, error) {
	made, err := NewSecret(e.random)
	if err != nil {
		return "", messages.Sealed{}, err
	}
	value, err := sealed(webhook, secret{Current: made})
	return made, value, err
}

func sealed(webhook endpoint.ID, s secret) (messages.Sealed, error) {
	value, err := json.Marshal(s)
	if err != nil {
		return messages.Sealed{}, fmt.Errorf("secret: %w", err)
	}
	return messages.Sealed{Name: secretName(endpoint.Name(webhook)), Value: value}, nil
}

// Rotated returns a new secret, and the sealed value with it and the previous one, which signs for 24 more hours. The command
// of the rotation stores the value.
func (e *Engine) Rotated(ctx context.Context, in organization.ID, webhook endpoint.ID) (string, messages.Sealed, error) {
	stored, err := e.consumer.readSecret(ctx, in, webhook)
	if err != nil {
		return "", messages.Sealed{}, err
	}
	made, err := NewSecret(e.random)
	if err != nil {
		return "", messages.Sealed{}, err
	}
	value, err := sealed(webhook, secret{Current: made, Previous: stored.Current, Until: e.consumer.Now().Add(rotationOverlap)})
	return made, value, err
}

// Current returns the secret of the webhook.
func (e *Engine) Current(ctx context.Context, in organization.ID, webhook endpoint.ID) (string, error) {
	stored, err := e.consumer.readSecret(ctx, in, webhook)
	return stored.Current, err
}

// Test sends one event of the type webhook.test at once and returns its outcome. It is not repeated and not listed.
func (e *Engine) Test(ctx context.Context, view *messages.View, webhook endpoint.ID) (Delivery, error) {
	found, ok := endpoint.Of(view.State).Get(webhook)
	if !ok {
		return Delivery{}, ErrNotFound
	}
	c, id := e.consumer, view.State.ID()
	secrets, err := c.secrets(ctx, id, webhook)
	if err != nil {
		return Delivery{}, err
	}
	to := newTarget(id, endpoint.Name(webhook), found.URL, secrets)
	now := c.Now()
	object, err := json.Marshal(struct {
		Webhook string `json:"webhook"`
	}{endpoint.Name(webhook)})
	if err != nil {
		return Delivery{}, fmt.Errorf("test event: %w", err)
	}
	const index = 1<<16 - 1 // no event of the journal has it
	eventID := EventID(id, uint64(max(now.UnixMicro(), 0)), index)
	body, err := json.Marshal(envelope{
		ID: eventID, Type: "webhook.test", APIVersion: c.Version, Created: now.UTC().Format(time.RFC3339Nano), Organization: id,
		Data: data{object, map[string]json.RawMessage{}},
	})
	if err != nil {
		return Delivery{}, fmt.Errorf("test event: %w", err)
	}
	d := Delivery{
		Webhook: endpoint.Name(webhook), EventID: eventID, EventType: "webhook.test", CreatedAt: now, Body: body,
	}
	if err := c.sender.once(ctx, to, &d); err != nil {
		d.State, d.NextAttemptAt = DeliveryFailed, time.Time{}
	}
	return d, nil
}

// Deliveries returns the deliveries of the webhook behind the position, the latest attempt first.
func (e *Engine) Deliveries(
	ctx context.Context, id organization.ID, webhook endpoint.ID, from Position, limit int,
) ([]Delivery, error) {
	return e.consumer.Store.List(ctx, id, endpoint.Name(webhook), from, limit)
}

// ReplayDelivery sends one event again, with the same id and the record of that time.
func (e *Engine) ReplayDelivery(ctx context.Context, view *messages.View, webhook endpoint.ID, event string) error {
	id, name := view.State.ID(), endpoint.Name(webhook)
	if err := replayable(view, webhook); err != nil {
		return err
	}
	found, ok, err := e.consumer.Store.Find(ctx, id, name, event)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrNotFound
	}
	found.State, found.Attempts, found.NextAttemptAt, found.Body = DeliveryPending, 0, e.consumer.Now(), nil
	if err := e.consumer.Store.Record(ctx, id, []Delivery{found}); err != nil {
		return err
	}
	return e.due(ctx, view, name)
}

func replayable(view *messages.View, webhook endpoint.ID) error {
	found, ok := endpoint.Of(view.State).Get(webhook)
	switch {
	case !ok:
		return ErrNotFound
	case !found.Active:
		return ErrInactive
	}
	return nil
}

func (e *Engine) due(ctx context.Context, view *messages.View, name string) error {
	id, instance := view.State.ID(), consumerName+"/"+name
	if err := e.cursors.Arm(ctx, id, instance, view.Sequence, e.consumer.Now()); err != nil {
		return err
	}
	e.wake(id, instance)
	return nil
}

// Replay sends the events from the sequence on again, with the same ids. It is limited to the last 10,000 events.
func (e *Engine) Replay(ctx context.Context, view *messages.View, webhook endpoint.ID, from uint64) error {
	if err := replayable(view, webhook); err != nil {
		return err
	}
	found, _ := endpoint.Of(view.State).Get(webhook)
	from = max(from, 1)
	switch {
	case from > view.Sequence:
		return nil
	case view.Sequence-from >= mostReplayed:
		return ErrTooMany
	}
	id, instance := view.State.ID(), consumerName+"/"+endpoint.Name(webhook)
	for { // the instance may store its cursor at the same time
		err := e.cursors.Rewind(ctx, id, instance, from, view.Sequence, found.Since, e.consumer.Now())
		if errors.Is(err, messages.ErrCursorMoved) && ctx.Err() == nil {
			continue
		}
		if err == nil {
			e.wake(id, instance)
		}
		return err
	}
}

// body returns the content of an event of the journal, as it was at its sequence, or errWithheld.
func (r *delivering) body(ctx context.Context, id organization.ID, sequence uint64, event string) ([]byte, error) {
	before, err := r.Organizations.Source().StateAt(ctx, id, sequence-1)
	if err != nil {
		return nil, err
	}
	after, err := r.Organizations.Source().StateAt(ctx, id, sequence)
	if err != nil {
		return nil, err
	}
	var found []byte
	err = r.Organizations.Source().Scan(ctx, id, sequence-1, sequence, func(row messages.Row) error {
		decoded, err := r.work.Schema.Decode(row.Type, row.Payload)
		if err != nil {
			return consumer.Permanent(err)
		}
		everything := *r.webhook
		everything.Events = append([]string{"*", "journal." + row.Type}, r.webhook.Events...)
		made, err := r.translator.messages(
			&everything, &r.audience, &consumer.Event{Row: row, Decoded: decoded, Before: before, After: after},
		)
		for _, m := range made {
			if m.id == event {
				found = m.body
			}
		}
		return err
	})
	if err == nil && found == nil {
		err = errWithheld
	}
	return found, err
}
