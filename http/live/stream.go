package live

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"equity/messages"
	"equity/organization"
)

// opening is a request for a stream.
type opening struct {
	organization organization.ID
	user         organization.UserID
	session      string
	since        uint64
}

// stream is one open connection. The mutex of the hub guards the fields below it.
type stream struct {
	hub     *Hub
	conn    net.Conn
	user    organization.UserID
	session string

	topic *topic
	// cursor is the sequence of the last event that was sent or waits.
	cursor  uint64
	waiting [][]byte // shared with other streams
	unsent  int      // bytes in waiting and in the present write
	pingAt  time.Time
	// behind reports that events follow the cursor that must be read from the journal.
	behind   bool
	running  bool // a goroutine writes
	pinged   bool // a comment is due
	stopping bool // the server ends
	ended    bool
}

// serve takes over the connection of a request and starts the stream.
func (h *Hub) serve(w http.ResponseWriter, o opening) error {
	if err := h.reserve(o.user); err != nil {
		return err
	}
	header := w.Header()
	header.Set("X-Accel-Buffering", "no") // proxies such as nginx pass events on at once
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		h.mu.Lock()
		h.release(o.user)
		h.mu.Unlock()
	}
	switch {
	case errors.Is(err, http.ErrNotSupported): // the client connects again, and continues from the position
		w.WriteHeader(http.StatusOK)
		_, err = w.Write(append(appendPosition(nil, o.since), reconnect()...))
		return err
	case err != nil:
		return err
	}
	s := &stream{
		hub: h, conn: conn, user: o.user, session: o.session, cursor: o.since,
		waiting: [][]byte{appendPosition(head(header), o.since)}, pingAt: time.Now().Add(h.settings.Ping),
	}
	h.add(s, o.organization)
	go s.awaitEnd()
	return nil
}

// head returns the head of the response. The end of the connection ends its body.
func head(header http.Header) []byte {
	var text bytes.Buffer
	text.WriteString("HTTP/1.1 200 OK\r\n")
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	_ = header.Write(&text) // a buffer accepts everything
	text.WriteString("\r\n")
	return text.Bytes()
}

// reconnect returns the field that asks the client to connect again, at different times for different clients.
func reconnect() []byte {
	const least, spread = 1000, 2000                                       // milliseconds
	return []byte("retry: " + strconv.Itoa(least+rand.N(spread)) + "\n\n") //nolint:gosec // only spreads connections
}

// mostReceived bounds the bytes that a client sends after its request. They have no meaning.
const mostReceived = 4096

// awaitEnd ends the stream when the client closes the connection.
func (s *stream) awaitEnd() {
	var one [1]byte
	for range mostReceived {
		if _, err := s.conn.Read(one[:]); err != nil {
			break
		}
	}
	s.end()
}

// end closes the connection and forgets the stream. It may be called several times.
func (s *stream) end() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.close()
}

// close is like end. The caller holds the mutex.
func (s *stream) close() {
	if s.ended {
		return
	}
	s.ended, s.waiting = true, nil
	delete(s.topic.streams, s)
	if len(s.topic.streams) == 0 {
		delete(s.hub.topics, s.topic.id)
	}
	s.hub.release(s.user)
	_ = s.conn.Close() // a failure has no consequence
}

// offer adds published events, if they follow those of the stream.
func (s *stream) offer(p *messages.Published, text []byte) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	switch {
	case s.ended || s.behind || s.stopping || s.cursor >= p.View.Sequence:
		return
	case len(p.Rows) == 0 || p.Rows[0].Sequence != s.cursor+1:
		s.behind = true
	case s.unsent+len(text) > s.hub.settings.Unsent:
		s.hub.services.Log.Debug("event stream ended: its reader is too slow", "user", s.user.String())
		s.close()
		return
	default:
		s.cursor = p.Rows[len(p.Rows)-1].Sequence
		s.waiting, s.unsent = append(s.waiting, text), s.unsent+len(text)
	}
	s.start()
}

// start starts the goroutine that writes, unless it runs. The caller holds the mutex.
func (s *stream) start() {
	if !s.running && !s.ended {
		s.running = true
		go s.pump()
	}
}

// pump writes until no event waits.
func (s *stream) pump() {
	for {
		text, behind, farewell, done := s.next()
		if done {
			return
		}
		failed := s.write(text)
		switch {
		case failed != nil:
		case farewell:
			failed = errStopping
		case behind:
			failed = s.continuePast()
		}
		if failed != nil {
			s.end()
			return
		}
	}
}

// continuePast writes the next events of the journal.
func (s *stream) continuePast() error {
	text, err := s.past()
	if err != nil {
		return err
	}
	return s.write([][]byte{text})
}

var errStopping = errors.New("the server is stopping")

// next returns the bytes to write now. It reports whether the journal is to be read then, whether the stream is to end then, or
// that nothing is to be done.
func (s *stream) next() (text [][]byte, behind, farewell, done bool) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	text, s.waiting = s.waiting, nil
	switch {
	case s.ended:
		return nil, false, false, true
	case s.stopping:
		return append(text, reconnect()), false, true, false
	case s.pinged:
		s.pinged = false
		text = append(text, []byte(ping))
	case len(text) == 0 && !s.behind:
		s.running = false
		return nil, false, false, true
	}
	return text, s.behind, false, false
}

// writtenAtOnce is the size of the pieces in which events are written. Each has a deadline.
const writtenAtOnce = 64 << 10

func (s *stream) write(texts [][]byte) error {
	for _, text := range texts {
		for rest := text; len(rest) > 0; {
			piece := rest[:min(len(rest), writtenAtOnce)]
			rest = rest[len(piece):]
			if err := s.conn.SetWriteDeadline(time.Now().Add(s.hub.settings.Write)); err != nil {
				return err
			}
			if _, err := s.conn.Write(piece); err != nil {
				return err
			}
		}
		s.hub.mu.Lock()
		s.unsent = max(s.unsent-len(text), 0)
		s.hub.mu.Unlock()
	}
	return nil
}

const (
	// pastRows is the number of events that are read from the journal at once.
	pastRows = 250
	// readTime limits a read.
	readTime = 30 * time.Second
)

var (
	errAccess = errors.New("the caller has no access to the organization")
	errNoRows = errors.New("the journal has no further rows")
)

// past returns the next events of the journal. It ends the reading of the past at the last known event: later ones are
// published.
func (s *stream) past() ([]byte, error) {
	h, id := s.hub, s.topic.id
	ctx, cancel := context.WithTimeout(h.run, readTime)
	defer cancel()
	view, err := h.services.Views().View(ctx, id)
	if err != nil {
		return nil, err
	}
	a, ok := accessOf(view, s.user)
	if !ok {
		return nil, errAccess
	}
	from, to := s.gap(view.Sequence)
	if from == to {
		return nil, nil
	}
	var rows []messages.Row
	if rows, err = h.read(ctx, id, from, min(to, from+pastRows)); err != nil {
		return nil, err
	}
	h.mu.Lock()
	s.cursor = rows[len(rows)-1].Sequence
	h.mu.Unlock()
	return h.encode(a, view, rows), nil
}

// gap returns the cursor and the last known event. If they are equal, the stream is no longer behind.
func (s *stream) gap(known uint64) (from, to uint64) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.topic.head = max(s.topic.head, known)
	if s.cursor >= s.topic.head {
		s.behind = false
		return s.cursor, s.cursor
	}
	return s.cursor, s.topic.head
}

// read reads rows of the journal.
func (h *Hub) read(ctx context.Context, id organization.ID, after, upTo uint64) (rows []messages.Row, err error) {
	select {
	case h.reading <- struct{}{}:
		defer func() { <-h.reading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	err = h.services.Journal.Scan(ctx, id, after, upTo, func(row messages.Row) error {
		rows = append(rows, row)
		return nil
	})
	if err == nil && len(rows) == 0 {
		err = errNoRows
	}
	return rows, err
}
