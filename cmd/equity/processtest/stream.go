package processtest

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Stream follows the events of a company, and connects again after each end.
type Stream struct {
	last     atomic.Int64 // the id of the last event
	connects atomic.Int64
}

// Follow follows the events of the company after the sequence until the context ends. Each event must follow the one before.
func (s *Stream) Follow(ctx context.Context, t *testing.T, c *Client, company Company, after int64) {
	t.Helper()
	s.last.Store(after)
	for ctx.Err() == nil {
		s.connect(ctx, t, c, company)
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *Stream) connect(ctx context.Context, t *testing.T, c *Client, company Company) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL+company.path("/event"), http.NoBody)
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Last-Event-ID", strconv.FormatInt(s.last.Load(), 10))
	request.Header.Set("Accept", "text/event-stream")
	response, err := c.http.Do(request)
	if err != nil {
		return
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		if response.StatusCode != http.StatusServiceUnavailable {
			body, _ := io.ReadAll(response.Body)
			t.Errorf("a stream after %d was answered %d %s", s.last.Load(), response.StatusCode, body)
		}
		return
	}
	s.connects.Add(1)
	position := false // the next id belongs to a comment
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		id, is := strings.CutPrefix(lines.Text(), "id: ")
		switch next := strconv.FormatInt(s.last.Load()+1, 10); {
		case !is, position:
			position = lines.Text() == ":"
		case id != next:
			t.Errorf("event %s comes instead of %s", id, next)
			return
		default:
			s.last.Add(1)
		}
	}
}

// Connects returns the number of connections.
func (s *Stream) Connects() int64 { return s.connects.Load() }

// WaitFor waits until the stream has reached the sequence.
func (s *Stream) WaitFor(t *testing.T, sequence int64) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); s.last.Load() < sequence; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("the stream ends at event %d of %d", s.last.Load(), sequence)
			return
		}
	}
}

// JournalLength returns the sequence of the last event of the company.
func (c *Client) JournalLength(t *testing.T, company Company) int64 {
	t.Helper()
	rows, _ := c.Must(t, http.StatusOK, "GET", company.path("/journal?limit=1"), nil)["data"].([]any)
	if len(rows) == 0 {
		t.Fatal("the journal is empty")
	}
	row, _ := rows[0].(map[string]any)
	sequence, _ := row["sequence"].(float64)
	return int64(sequence)
}
