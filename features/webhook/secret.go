package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"equity/actors/consumer"
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
)

// secret is the stored form of the secrets of a webhook.
type secret struct {
	Current  string `json:"current"`
	Previous string `json:"previous,omitempty"`
	// Until is the end of the time in which the previous secret signs too.
	Until time.Time `json:"until,omitzero"`
}

// secretName returns the name of the sealed value with the secrets of the webhook.
func secretName(webhook string) string { return "webhook/" + webhook }

// readSecret returns the stored secrets of a webhook.
func (c *Consumer) readSecret(ctx context.Context, id organization.ID, webhook endpoint.ID) (secret, error) {
	var stored secret
	value, err := c.Secrets.Open(ctx, id, secretName(endpoint.Name(webhook)))
	switch {
	case errors.Is(err, messages.ErrNotSealed), errors.Is(err, messages.ErrUnreadable):
		return stored, consumer.Permanent(errSecret)
	case err != nil:
		return stored, messages.Unreachable("The store", err)
	}
	if err := json.Unmarshal(value, &stored); err != nil {
		return stored, consumer.Permanent(fmt.Errorf("%w: %w", errSecret, err))
	}
	return stored, nil
}

// secrets returns the secrets that sign now, the current one first.
func (c *Consumer) secrets(ctx context.Context, id organization.ID, webhook endpoint.ID) ([]string, error) {
	stored, err := c.readSecret(ctx, id, webhook)
	if err != nil {
		return nil, err
	}
	if stored.Previous != "" && c.Now().Before(stored.Until) {
		return []string{stored.Current, stored.Previous}, nil
	}
	return []string{stored.Current}, nil
}
