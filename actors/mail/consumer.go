package mail

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// Letters stores the contents of mails with their events.
type Letters interface {
	// Open returns the contents, or [messages.ErrNotSealed].
	Open(ctx context.Context, id organization.ID, name string) ([]byte, error)
	// Remove deletes the contents.
	Remove(ctx context.Context, id organization.ID, name string) error
}

// Deferred accepts mail whose recipient was refused for now.
type Deferred interface {
	// Defer stores the message for the courier, unless a message with its id is stored already.
	Defer(ctx context.Context, mail messages.Mail) error
}

// Consumer sends the mail that events cause. One failing recipient does not delay others: a refusal is reported to the
// organization, and mail that is refused for now is left to the courier. If the server itself fails, the consumer retries.
type Consumer struct {
	letters   Letters
	deferred  Deferred
	transport Transport
	sender    Sender
	breakers  *consumer.Breakers
	host      string
	now       func() time.Time
}

// NewConsumer returns the consumer. Host is the mail server, for its circuit breaker.
func NewConsumer(
	letters Letters, deferred Deferred, transport Transport, sender Sender, breakers *consumer.Breakers, host string, now func() time.Time,
) *Consumer {
	return &Consumer{letters, deferred, transport, sender, breakers, host, now}
}

// The bounds of attempts. They cover an outage of a weekend.
const (
	mailPatience = 72 * time.Hour
	mailChunk    = 16
	sendTime     = 30 * time.Second
)

// Name returns mail.
func (*Consumer) Name() string { return "mail" }

// Limits returns the bounds of attempts.
func (*Consumer) Limits() consumer.Limits {
	return consumer.Limits{Chunk: mailChunk, Patience: mailPatience}
}

// Wants selects the events that cause mail.
func (*Consumer) Wants(_ *organization.State, eventType string, each func(string)) {
	switch eventType {
	case organization.MemberInvited{}.EventType(), organization.MemberReaddressed{}.EventType():
		each("")
	}
}

// Handle sends the mail of the next event. One event per call keeps the repetitions after a crash at one mail.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, 1)
	if err != nil || len(events) == 0 {
		return consumer.Outcome{Err: err}
	}
	if err := c.send(ctx, &events[0]); err != nil {
		return consumer.Outcome{Err: err}
	}
	return consumer.Outcome{Done: 1, Succeeded: true}
}

// send sends the mail of one event. Without contents it was sent before, or its recipient was erased.
func (c *Consumer) send(ctx context.Context, event *consumer.Event) error {
	var caused struct {
		Hash organization.TokenHash `json:"tokenHash"`
	}
	if err := json.Unmarshal(event.Payload, &caused); err != nil {
		return consumer.Permanent(fmt.Errorf("read event: %w", err))
	}
	name := messages.MailName(caused.Hash)
	value, err := c.letters.Open(ctx, event.Organization, name)
	switch {
	case errors.Is(err, messages.ErrNotSealed):
		return nil
	case errors.Is(err, messages.ErrUnreadable):
		return consumer.Permanent(err)
	case err != nil:
		return err
	}
	mail, err := messages.OpenLetter(value)
	if err != nil {
		return consumer.Permanent(err)
	}
	mail.ID, mail.Organization, mail.Cause = ID(event.EventID()), event.Organization, caused.Hash
	if err := c.deliver(ctx, mail); err != nil {
		return err
	}
	return c.letters.Remove(context.WithoutCancel(ctx), event.Organization, name)
}

// deliver sends the message. Refused and deferred recipients count as delivered.
func (c *Consumer) deliver(ctx context.Context, mail messages.Mail) error {
	finished, err := c.breakers.Allow(c.host)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	err = c.transport.Send(limited, mail)
	switch {
	case errors.Is(err, ErrRefused):
		finished(nil)
		return c.sender.Bounced(ctx, mail)
	case errors.Is(err, ErrDeferred):
		finished(nil)
		return c.deferred.Defer(ctx, mail)
	}
	finished(err)
	return err
}

// ID returns the id of the mail of an event, which is the same in every attempt. It has the form of a UUID of version 8.
func ID(event string) (id [16]byte) {
	sum := sha256.Sum256([]byte("mail " + event))
	copy(id[:], sum[:])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id
}
