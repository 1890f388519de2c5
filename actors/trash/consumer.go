package trash

import (
	"context"
	"fmt"
	"time"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// Bytes deletes the bytes of files.
type Bytes interface {
	// Erase deletes the bytes with the hash unless they were stored within the last hour: an upload of the same bytes may be under way.
	// It reports whether they are gone.
	Erase(ctx context.Context, id organization.ID, sha256 string) (bool, error)
}

// Organizations executes commands and returns the present state of organizations.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Options are the dependencies of the consumer.
type Options struct {
	Bytes Bytes
	// Organizations returns the actors, which start after their consumers.
	Organizations func() Organizations
	Now           func() time.Time
}

// Consumer erases expired contents. It has one instance in each organization.
type Consumer struct{ Options }

// NewConsumer returns the consumer.
func NewConsumer(o Options) *Consumer { return &Consumer{o} }

const (
	consumerName = "trash"
	by           = "system:documents"
	chunk        = 100
	// again is the time until the next attempt to delete bytes that were stored recently.
	again = time.Hour
	// recent is the time in which the consumer deletes the bytes of an erased file. The daily sweep deletes bytes that remain.
	recent = 48 * time.Hour
)

// Name returns trash.
func (*Consumer) Name() string { return consumerName }

// Limits returns the constants. Attempts are not bounded: bytes wait until the store is available.
func (*Consumer) Limits() consumer.Limits { return consumer.Limits{Chunk: chunk} }

// Wants selects deleted documents and erased files.
func (*Consumer) Wants(_ *organization.State, eventType string, each func(string)) {
	switch eventType {
	case (document.Deleted{}).EventType(), (document.FileErased{}).EventType():
		each("")
	}
}

// Handle erases the expired contents and deletes the bytes of erased files. It depends on the present state only, so a repetition is
// harmless.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, chunk)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	view, err := c.Organizations().View(ctx, work.Organization)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	if len(events) > 0 && view.Sequence < events[len(events)-1].Sequence {
		return consumer.Outcome{Later: c.Now().Add(consumer.PublishTime)}
	}
	young, err := c.deleteBytes(ctx, view)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	next, expires := view.State.Documents().NextErasure()
	due := expires && c.Now().After(next)
	if due {
		if err := c.erase(ctx, work.Organization); err != nil {
			return consumer.Outcome{Err: err}
		}
	}
	if soon := c.Now().Add(again); due || young && (!expires || soon.Before(next)) {
		next = soon
	}
	return consumer.Outcome{Done: len(events), Succeeded: true, Next: next}
}

// erase records the erasure of expired contents. Its events cause the next call.
func (c *Consumer) erase(ctx context.Context, id organization.ID) error {
	_, err := c.Organizations().Do(ctx, messages.Command{
		Organization: id, By: by, At: c.Now(), Body: organization.Room{Command: document.EraseExpired{}},
	})
	if err != nil {
		return fmt.Errorf("erase expired documents: %w", err)
	}
	return nil
}

// deleteBytes deletes the bytes of recently erased files that no other file has. It reports whether bytes remain because they are young.
func (c *Consumer) deleteBytes(ctx context.Context, view *messages.View) (young bool, err error) {
	tree := view.State.Documents()
	for file := range tree.Files() {
		if file.ErasedAt == 0 || tree.Stores(file.SHA256) || c.Now().Sub(file.ErasedAt.Time()) > recent {
			continue
		}
		gone, err := c.Bytes.Erase(ctx, view.State.ID(), file.SHA256)
		if err != nil {
			return false, fmt.Errorf("delete the bytes of an erased file: %w", err)
		}
		young = young || !gone
	}
	return young, nil
}
