package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"equity/actors/consumer"
	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Entry is an entry of the journal of which the Owners are informed.
type Entry struct {
	Sequence uint64
	Type     string
	// Author is the author's account, or zero for the system.
	Author organization.UserID
	// Address reports a changed address of a holder, in place of an entry by which its author gains.
	Address bool
}

// Owners informs the Owners of an organization.
type Owners interface {
	// EntriesRecorded stores one mail to each Owner with the entries of others. Repeated calls with the same key store no second mail.
	EntriesRecorded(ctx context.Context, view *messages.View, key string, entries []Entry) error
}

// OwnersConsumer informs the Owners of entries by which their author gains, and of changed addresses of holders. The first one is
// reported at once, further ones are collected, so that an import is not a flood of mails. Owners are not informed of their own
// entries, except of changed addresses, which may be the work of a thief.
type OwnersConsumer struct {
	owners Owners
	now    func() time.Time
}

// NewOwnersConsumer returns the consumer.
func NewOwnersConsumer(owners Owners, now func() time.Time) *OwnersConsumer {
	return &OwnersConsumer{owners, now}
}

const (
	ownersChunk = 1000
	// ownersPause is the shortest time between two mails about one organization.
	ownersPause = 15 * time.Minute
	viewPause   = time.Second
)

// Name returns owners.
func (*OwnersConsumer) Name() string { return "owners" }

// Limits returns the bounds of attempts.
func (*OwnersConsumer) Limits() consumer.Limits {
	return consumer.Limits{Chunk: ownersChunk, Patience: mailPatience}
}

// Wants selects the events by which an author may gain, unless only one account is a member, and changed addresses.
func (*OwnersConsumer) Wants(state *organization.State, eventType string, each func(string)) {
	readdressed := eventType == organization.MemberReaddressed{}.EventType()
	if readdressed || state.Accounts() > 1 && organization.MayGain(eventType) {
		each("")
	}
}

// Handle stores one mail about all pending entries.
func (c *OwnersConsumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, ownersChunk)
	if err != nil || len(events) == 0 {
		return consumer.Outcome{Err: err}
	}
	done := 0
	var entries []Entry
	for i := range events {
		if events[i].Sequence > work.View.Sequence { // its records are not in the view yet
			break
		}
		entry, relevant, err := entryOf(work, &events[i])
		if err != nil {
			return consumer.Outcome{Done: done, Err: consumer.Permanent(err)}
		}
		if relevant {
			entries = append(entries, entry)
		}
		done++
	}
	if done == 0 {
		return consumer.Outcome{Later: c.now().Add(viewPause)}
	}
	if len(entries) == 0 {
		return consumer.Outcome{Done: done}
	}
	if due := work.Cursor.LastSuccessAt.Add(ownersPause); c.now().Before(due) {
		return consumer.Outcome{Later: due}
	}
	key := fmt.Sprintf("entries %s %d", work.Organization, entries[0].Sequence)
	if err := c.owners.EntriesRecorded(ctx, work.View, key, entries); err != nil {
		return consumer.Outcome{Err: err}
	}
	return consumer.Outcome{Done: done, Succeeded: true}
}

// entryOf returns the entry of the event, and whether the Owners are informed of it.
func entryOf(work consumer.Work, event *consumer.Event) (Entry, bool, error) {
	author, err := captable.ParseID[organization.User](event.By)
	if err != nil {
		author = organization.UserID{}
	}
	entry := Entry{Sequence: event.Sequence, Type: event.Type, Author: author}
	if event.Type == (organization.MemberReaddressed{}).EventType() {
		entry.Address = true
		return entry, true, nil
	}
	decoded, err := work.Schema.Decode(event.Type, json.RawMessage(event.Payload))
	if err != nil {
		return entry, false, err
	}
	return entry, work.View.State.Author(author).Gains(decoded), nil
}
