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
	"equity/messages"
	"equity/organization"
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

// Cursors changes the cursors of consumers.
type Cursors interface {
	// Rewind moves the cursor back, so that the events from the given sequence on are handled again.
	Rewind(ctx context.Context, id organization.ID, name string, from, last, epoch uint64, now time.Time) error
	// Arm makes an instance due. Head is the end of the journal.
	Arm(ctx context.Context, id organization.ID, name string, head uint64, now time.Time) error
}

// Engine has the operations of users on webhooks. Creation, changes and deletion are commands of the organization. It is safe for
// concurrent use.
type Engine struct {
	consumer *Consumer
	cursors  Cursors
	rules    Rules
	wake     func(id organization.ID, name string)
	random   io.Reader
}

// NewEngine returns the Engine. Wake wakes an instance of a consumer.
func NewEngine(c *Consumer, cursors Cursors, rules Rules, wake func(id organization.ID, name string), random io.Reader) *Engine {
	return &Engine{c, cursors, rules, wake, random}
}

// Check refuses an URL that a webhook cannot have, with ErrURL or ErrPrivate.
func (e *Engine) Check(ctx context.Context, url string) error { return e.rules.Check(ctx, url) }

// Secret returns a new secret, and the sealed value that the command of the creation stores.
func (e *Engine) Secret(webhook organization.WebhookID) (string, messages.Sealed, error) {
	made, err := NewSecret(e.random)
	if err != nil {
		return "", messages.Sealed{}, err
	}
	value, err := sealed(webhook, secret{Current: made})
	return made, value, err
}

func sealed(webhook organization.WebhookID, s secret) (messages.Sealed, error) {
	value, err := json.Marshal(s)
	if err != nil {
		return messages.Sealed{}, fmt.Errorf("secret: %w", err)
	}
	return messages.Sealed{Name: secretName(organization.WebhookName(webhook)), Value: value}, nil
}

// Rotated returns a new secret, and the sealed value with it and the previous one, which signs for 24 more hours. The command
// of the rotation stores the value.
func (e *Engine) Rotated(ctx context.Context, in organization.ID, webhook organization.WebhookID) (string, messages.Sealed, error) {
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
func (e *Engine) Current(ctx context.Context, in organization.ID, webhook organization.WebhookID) (string, error) {
	stored, err := e.consumer.readSecret(ctx, in, webhook)
	return stored.Current, err
}

// Test sends one event of the type webhook.test at once and returns its outcome. It is not repeated and not listed.
func (e *Engine) Test(ctx context.Context, view *messages.View, webhook organization.WebhookID) (messages.Delivery, error) {
	found, ok := view.State.Webhook(webhook)
	if !ok {
		return messages.Delivery{}, ErrNotFound
	}
	c, id := e.consumer, view.State.ID()
	secrets, err := c.secrets(ctx, id, webhook)
	if err != nil {
		return messages.Delivery{}, err
	}
	to := newTarget(id, organization.WebhookName(webhook), found.URL, secrets)
	now := c.Now()
	object, err := json.Marshal(struct {
		Webhook string `json:"webhook"`
	}{organization.WebhookName(webhook)})
	if err != nil {
		return messages.Delivery{}, fmt.Errorf("test event: %w", err)
	}
	const index = 1<<16 - 1 // no event of the journal has it
	eventID := EventID(id, uint64(max(now.UnixMicro(), 0)), index)
	body, err := json.Marshal(envelope{
		ID: eventID, Type: "webhook.test", APIVersion: c.Version, Created: now.UTC().Format(time.RFC3339Nano), Organization: id,
		Data: data{object, map[string]json.RawMessage{}},
	})
	if err != nil {
		return messages.Delivery{}, fmt.Errorf("test event: %w", err)
	}
	d := messages.Delivery{
		Webhook: organization.WebhookName(webhook), EventID: eventID, EventType: "webhook.test", CreatedAt: now, Body: body,
	}
	if err := c.sender.once(ctx, to, &d); err != nil {
		d.State, d.NextAttemptAt = messages.DeliveryFailed, time.Time{}
	}
	return d, nil
}

// Deliveries returns the deliveries of the webhook behind the position, the latest attempt first.
func (e *Engine) Deliveries(
	ctx context.Context, id organization.ID, webhook organization.WebhookID, from messages.DeliveryPosition, limit int,
) ([]messages.Delivery, error) {
	return e.consumer.Store.List(ctx, id, organization.WebhookName(webhook), from, limit)
}

// ReplayDelivery sends one event again, with the same id and the record of that time.
func (e *Engine) ReplayDelivery(ctx context.Context, view *messages.View, webhook organization.WebhookID, event string) error {
	id, name := view.State.ID(), organization.WebhookName(webhook)
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
	found.State, found.Attempts, found.NextAttemptAt, found.Body = messages.DeliveryPending, 0, e.consumer.Now(), nil
	if err := e.consumer.Store.Record(ctx, id, []messages.Delivery{found}); err != nil {
		return err
	}
	return e.due(ctx, view, name)
}

func replayable(view *messages.View, webhook organization.WebhookID) error {
	found, ok := view.State.Webhook(webhook)
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
func (e *Engine) Replay(ctx context.Context, view *messages.View, webhook organization.WebhookID, from uint64) error {
	if err := replayable(view, webhook); err != nil {
		return err
	}
	found, _ := view.State.Webhook(webhook)
	from = max(from, 1)
	switch {
	case from > view.Sequence:
		return nil
	case view.Sequence-from >= mostReplayed:
		return ErrTooMany
	}
	id, instance := view.State.ID(), consumerName+"/"+organization.WebhookName(webhook)
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
	before, err := r.Source().StateAt(ctx, id, sequence-1)
	if err != nil {
		return nil, err
	}
	after, err := r.Source().StateAt(ctx, id, sequence)
	if err != nil {
		return nil, err
	}
	var found []byte
	err = r.Source().Scan(ctx, id, sequence-1, sequence, func(row messages.Row) error {
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
