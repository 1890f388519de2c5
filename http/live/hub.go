package live

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Journal reads events.
type Journal interface {
	// Scan calls each for the events above after up to upTo, oldest first. No connection is in use while each runs.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error
}

// Views returns the present states of organizations.
type Views interface {
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Sessions lists sessions without extending them.
type Sessions interface {
	List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error)
}

// Settings are the limits of streams. A zero value selects the default.
type Settings struct {
	// PerUser and Total bound the open streams of a user and of the server; 10 and 1,000.
	PerUser, Total int
	// Unsent bounds the bytes that wait for a reader; 1 MB.
	Unsent int
	// Ping is the interval of comments that keep connections open; 15 s.
	Ping time.Duration
	// Check is the interval of session checks; 3 s.
	Check time.Duration
	// Grace is the time for which streams continue if sessions cannot be checked; a minute.
	Grace time.Duration
	// Write is the time for a reader to take 64 KB; 20 s.
	Write time.Duration
}

func (s Settings) withDefaults() Settings {
	const (
		perUser, total = 10, 1000
		unsent         = 1 << 20
		pingEvery      = 15 * time.Second
		checkEvery     = 3 * time.Second
		graceTime      = time.Minute
		writeTime      = 20 * time.Second
	)
	choose(&s.PerUser, perUser)
	choose(&s.Total, total)
	choose(&s.Unsent, unsent)
	choose(&s.Ping, pingEvery)
	choose(&s.Check, checkEvery)
	choose(&s.Grace, graceTime)
	choose(&s.Write, writeTime)
	return s
}

func choose[V comparable](value *V, byDefault V) {
	var zero V
	if *value == zero {
		*value = byDefault
	}
}

// Services are the dependencies of the hub.
type Services struct {
	Schema   *organization.Schema
	Journal  Journal
	Sessions Sessions
	// Views returns the organizations, which start after the hub.
	Views func() Views
	// Follow publishes the events that other servers have appended after the given sequences, and returns the sequences reached; nil if no other
	// server appends to the same journals.
	Follow func(ctx context.Context, known map[organization.ID]uint64) map[organization.ID]uint64
	Log    *slog.Logger
}

// Hub has the open streams. It receives the durable events of all organizations from their actors, so that a stream depends on no
// actor: an organization without reads and writes leaves memory, and its next event arrives after it was loaded again.
//
// A stream without unsent events has one small goroutine, which waits for the end of the connection. Another one writes while
// events wait. Streams that are behind read the journal in their own pace.
type Hub struct {
	settings Settings
	services Services
	reading  chan struct{} // limits concurrent reads of journals
	count    atomic.Int64  // open streams
	// run ends with the hub. Reads of streams depend on it.
	run  context.Context //nolint:containedctx // the hub outlives the requests that open streams
	stop context.CancelFunc
	work sync.WaitGroup // of the hub itself
	open sync.WaitGroup // streams

	closing chan struct{} // closed when the hub begins to close

	mu     sync.Mutex // guards everything below, and the fields of streams
	closed bool
	topics map[organization.ID]*topic
	users  map[organization.UserID]*usage
	total  int
}

// topic has the streams of one organization.
type topic struct {
	id      organization.ID
	streams map[*stream]struct{}
	// head is the last known sequence of the journal.
	head       uint64
	queue      []messages.Published
	queuedRows int
	working    bool // a goroutine distributes the queue
}

// usage has the streams of one user.
type usage struct {
	number int
	// failing is the time of the first session check without an answer; zero after an answer.
	failing time.Time
}

const (
	// mostReading bounds the streams that read the journal at the same time.
	mostReading = 4
	// mostQueuedRows bounds the events of an organization that wait for distribution. Streams read further ones from the journal.
	mostQueuedRows = 5000
	// mostDistributed bounds the events that are encoded at once for all streams.
	mostDistributed = 1000
)

// NewHub returns a hub. It runs until it is closed.
func NewHub(settings Settings, services Services) *Hub {
	run, stop := context.WithCancel(context.Background())
	h := &Hub{
		settings: settings.withDefaults(), services: services,
		reading: make(chan struct{}, mostReading), run: run, stop: stop, closing: make(chan struct{}),
		topics: map[organization.ID]*topic{}, users: map[organization.UserID]*usage{},
	}
	h.work.Go(h.keepOpen)
	h.work.Go(h.checkSessions)
	if services.Follow != nil {
		h.work.Go(h.follow)
	}
	return h
}

// Closing returns a channel that is closed when the hub ends its streams.
func (h *Hub) Closing() <-chan struct{} { return h.closing }

// Open returns the number of open streams.
func (h *Hub) Open() int { return int(h.count.Load()) }

// Publish accepts durable events. It does not wait.
func (h *Hub) Publish(p messages.Published) {
	if h.count.Load() == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[p.Organization]
	if t == nil || h.closed {
		return
	}
	t.head = max(t.head, p.View.Sequence)
	if len(p.Rows) > mostDistributed || t.queuedRows+len(p.Rows) > mostQueuedRows {
		p.Rows = nil
	}
	t.queue, t.queuedRows = append(t.queue, p), t.queuedRows+len(p.Rows)
	if !t.working {
		t.working = true
		h.work.Go(func() { h.distribute(t) })
	}
}

// distribute passes the queue of a topic to its streams, until it is empty.
func (h *Hub) distribute(t *topic) {
	for {
		h.mu.Lock()
		if len(t.queue) == 0 {
			t.queue, t.working = nil, false
			h.mu.Unlock()
			return
		}
		p := t.queue[0]
		t.queue[0] = messages.Published{}
		t.queue, t.queuedRows = t.queue[1:], t.queuedRows-len(p.Rows)
		streams := make([]*stream, 0, len(t.streams))
		for s := range t.streams {
			streams = append(streams, s)
		}
		h.mu.Unlock()
		encoded := map[organization.Access][]byte{}
		for _, s := range streams {
			a, ok := accessOf(p.View, s.user)
			if !ok {
				s.end()
				continue
			}
			text, known := encoded[a]
			if !known {
				text = h.encode(a, p.View, p.Rows)
				encoded[a] = text
			}
			s.offer(&p, text)
		}
	}
}

// encode returns the rows for callers with the access.
func (h *Hub) encode(a organization.Access, view *messages.View, rows []messages.Row) (text []byte) {
	e := encoder{h.services.Schema, a, view.State}
	for i := range rows {
		text = e.append(text, &rows[i])
	}
	return text
}

// retryAfter is the time after which a refused client may try again.
const retryAfter = 10 * time.Second

// reserve counts a stream of the user, or refuses it.
func (h *Hub) reserve(user organization.UserID) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := h.users[user]
	switch {
	case h.closed:
		return &fault.FailureError{Refusal: messages.RefuseUnavailable("The stream of events"), RetryAfter: time.Second}
	case h.total >= h.settings.Total, own != nil && own.number >= h.settings.PerUser:
		return &fault.FailureError{
			Refusal:    fault.Refuse(fault.TooManyStreams, "Too many event streams are open. Close one, or try again later."),
			RetryAfter: retryAfter,
		}
	}
	if own == nil {
		own = &usage{}
		h.users[user] = own
	}
	own.number++
	h.total++
	h.count.Add(1)
	h.open.Add(1)
	return nil
}

// release reverses reserve. The caller holds the mutex.
func (h *Hub) release(user organization.UserID) {
	own := h.users[user]
	if own.number--; own.number == 0 {
		delete(h.users, user)
	}
	h.total--
	h.count.Add(-1)
	h.open.Done()
}

// add starts the stream. It reads the journal first, because events may have been published before it was added.
func (h *Hub) add(s *stream, id organization.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[id]
	if t == nil {
		t = &topic{id: id, streams: map[*stream]struct{}{}}
		h.topics[id] = t
	}
	t.streams[s] = struct{}{}
	s.topic, s.behind, s.stopping = t, true, h.closed
	s.start()
}

// Close asks all readers to connect again, and ends all streams. Streams of slow readers end with the context.
func (h *Hub) Close(ctx context.Context) error {
	h.mu.Lock()
	if !h.closed {
		close(h.closing)
	}
	h.closed = true
	for _, s := range h.all() {
		s.stopping = true
		s.start() //nolint:contextcheck // the context of the hub applies to reads
	}
	h.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		h.open.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	case <-time.After(farewellTime):
	}
	h.mu.Lock()
	rest := h.all()
	h.mu.Unlock()
	for _, s := range rest {
		s.end()
	}
	h.stop()
	h.work.Wait()
	return nil
}

// farewellTime is the time for readers to take the rest at shutdown.
const farewellTime = 2 * time.Second

// all returns the open streams. The caller holds the mutex.
func (h *Hub) all() []*stream {
	all := make([]*stream, 0, h.total)
	for _, t := range h.topics {
		for s := range t.streams {
			all = append(all, s)
		}
	}
	return all
}
