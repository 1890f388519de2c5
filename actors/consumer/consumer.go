package consumer

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"equity/messages"
	"equity/organization"
)

// Consumer is an effect on the outside world that journals cause. One value serves all organizations, concurrently.
type Consumer interface {
	// Name is the first part of the name of each instance.
	Name() string
	// Wants calls each with the instances that want events of the type. A consumer with one instance in an organization calls it
	// with an empty text. It is called for each event of the organization, and must be cheap.
	Wants(state *organization.State, eventType string, each func(instance string))
	// Limits returns the constants of the consumer.
	Limits() Limits
	// Handle performs the effects of the next events, in order. It must return when the context ends.
	Handle(ctx context.Context, work Work) Outcome
}

// Restarting is a consumer with instances that users turn off and on. Events before the last start are not handled.
type Restarting interface {
	Consumer
	// Since returns the sequence of the last start of the instance.
	Since(state *organization.State, instance string) uint64
}

// Limits are the constants of a consumer.
type Limits struct {
	// Chunk is the largest number of events in one call.
	Chunk int
	// States requests the states of the organization before and after each event.
	States bool
	// OwnPace lets the consumer run before the next attempt is due, for a schedule of its own.
	OwnPace bool
	// Attempts bounds the consecutive failures, and Patience the time since the first of them; 0 for no bound.
	Attempts int
	Patience time.Duration
}

// Event is an event of the journal.
type Event struct {
	messages.Row
	// Decoded is the decoded payload; nil unless the consumer requests states.
	Decoded organization.Event
	// Before and After are the states of the organization around the event; nil unless the consumer requests them.
	Before, After *organization.State
}

// EventID returns the identity of the event, which is the same in every repetition.
func (e *Event) EventID() string { return messages.EventID(e.Organization, e.Sequence) }

// Work is the input of one call.
type Work struct {
	Organization organization.ID
	// Instance is the instance without the name of the consumer.
	Instance string
	// View is a recent view of the organization. It may be newer or older than the events.
	View *messages.View
	// Cursor is the progress before the call.
	Cursor messages.Cursor
	// Schema decodes events.
	Schema *organization.Schema

	fetch func(ctx context.Context, most int) ([]Event, error)
}

// Events returns the next wanted events in order: at most so many, and at most a chunk. It is called at most once. Without events,
// none is pending.
func (w Work) Events(ctx context.Context, most int) ([]Event, error) { return w.fetch(ctx, most) }

// PublishTime is the time after which a stored event is usually part of the published view.
const PublishTime = 200 * time.Millisecond

// Views reads organizations as of their last published events.
type Views interface {
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// ViewSince returns a view that contains the event with the sequence, or nil if it is not published yet: events are stored before their view
// is published. An older view would refuse a right that the event has granted.
func (w Work) ViewSince(ctx context.Context, views Views, sequence uint64) (*messages.View, error) {
	if w.View.Sequence >= sequence {
		return w.View, nil
	}
	view, err := views.View(ctx, w.Organization)
	if err != nil || view.Sequence < sequence {
		return nil, err
	}
	return view, nil
}

// Outcome is the result of one call.
type Outcome struct {
	// Done is the number of leading events with complete effects, or with effects that are recorded for a later attempt.
	Done int
	// Succeeded reports that the service accepted at least one effect.
	Succeeded bool
	// Err is the last failure. It may be nil although not all events are done.
	Err error
	// Failure is a failure whose events are recorded for a later attempt. It is counted and shown like Err, but delays no other event. Only
	// consumers with an own pace have one.
	Failure error
	// Next is the time at which the consumer has work without a new event; zero if there is no such work.
	Next time.Time
	// Later defers the events to that time, without a failure. Nothing else changes until then, unless the alarm becomes due before.
	Later time.Time
	// Ended reports that the instance no longer exists. Its cursor and its alarm are removed.
	Ended bool
}

// Store stores cursors and alarms.
type Store interface {
	// Load returns the cursor and the alarm of an instance; zero if they do not exist.
	Load(ctx context.Context, id organization.ID, name string) (messages.Cursor, messages.Alarm, error)
	// Save stores the cursor, or returns [messages.ErrCursorMoved] if it was changed since it was loaded. It changes the alarm
	// unless rest is nil or the alarm has another generation.
	Save(ctx context.Context, id organization.ID, name string, cursor messages.Cursor, rest *messages.Rest) error
	// Clear removes the alarm, unless it has another generation than the held one or events after the sequence are pending. It then ends the
	// lease of the held alarm.
	Clear(ctx context.Context, id organization.ID, name string, upTo uint64, held messages.Alarm) error
	// Drop removes the cursor with the version, and the alarm like Clear. It removes neither if the cursor has another version.
	Drop(ctx context.Context, id organization.ID, name string, version, upTo uint64, held messages.Alarm) error
}

// Source reads the past of organizations.
type Source interface {
	// Scan calls each for the rows following after up to upTo (0: to the end), in ascending order.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error
	// StateAt returns the organization as of the sequence, for the caller to change.
	StateAt(ctx context.Context, id organization.ID, sequence uint64) (*organization.State, error)
}

// Set is the consumers of a server. It is safe for concurrent use.
type Set struct {
	store     Store
	consumers []Consumer
	schema    *organization.Schema
	stats     map[string]*counters
	now       func() time.Time
	jitter    func(below time.Duration) time.Duration
	slots     *Slots
	log       *slog.Logger
}

// NewSet returns a Set of the consumers. Their names must differ.
func NewSet(schema *organization.Schema, store Store, now func() time.Time, log *slog.Logger, consumers ...Consumer) *Set {
	s := &Set{
		store: store, consumers: consumers, schema: schema, stats: map[string]*counters{}, now: now,
		jitter: rand.N[time.Duration], log: log,
	}
	for _, c := range consumers {
		s.stats[c.Name()] = &counters{}
	}
	return s
}

// Spread replaces the source of the random delays between attempts. Jitter returns at least 0 and less than the bound, and is
// called from several goroutines. Spread is called before the first use of the Set.
func (s *Set) Spread(jitter func(below time.Duration) time.Duration) { s.jitter = jitter }

// Yield bounds the reading of events by slots. It is called before the first use of the Set.
func (s *Set) Yield(slots *Slots) { s.slots = slots }

// Wants calls each with the names of the instances that want events of the type.
func (s *Set) Wants(state *organization.State, eventType string, each func(name string)) {
	if s == nil {
		return
	}
	for _, c := range s.consumers {
		c.Wants(state, eventType, func(instance string) { each(nameOf(c, instance)) })
	}
}

// nameOf returns the name of an instance in the store.
func nameOf(c Consumer, instance string) string {
	if instance == "" {
		return c.Name()
	}
	return c.Name() + "/" + instance
}
