package apitest

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/live"
	"equity/persistence/storetest"
)

// newHub returns a hub with short intervals.
func newHub(services *equityhttp.Services, settings live.Settings) *live.Hub {
	settings.Check = cmp.Or(settings.Check, 20*time.Millisecond)
	settings.Ping = cmp.Or(settings.Ping, 100*time.Millisecond)
	return live.NewHub(settings, live.Services{
		Schema: services.Schema, Journal: services.Journal, Sessions: services.Sessions,
		Views: func() live.Views { return services.Organizations }, Log: services.Log,
	})
}

// LiveSettings replaces the settings of the streams.
func LiveSettings(settings live.Settings) Change {
	return func(_ *equityhttp.Settings, services *equityhttp.Services) {
		services.Live = newHub(services, settings)
	}
}

// Listen serves on a loopback address and returns the base address.
func (b *Server) Listen(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(b.HTTP)
	storetest.Cleanup(t, server.Close)
	return server.URL
}

// Follower reads a stream of events.
type Follower struct {
	Response *http.Response
	lines    *bufio.Scanner
	end      context.CancelFunc
}

// LiveEvent is one block of a stream.
type LiveEvent struct {
	ID              uint64
	Name            string
	Text            string // the data
	Comment, Retry  string
	HasID, HasOther bool
}

// Follow opens a stream. The status must be 200.
func (c *Client) Follow(t *testing.T, address, home, query string, headers ...string) *Follower {
	t.Helper()
	f := c.RequestStream(t, address, home, query, headers...)
	if f.Response.StatusCode != http.StatusOK || f.Response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("stream: %s %v", f.Response.Status, f.Response.Header)
	}
	return f
}

// RequestStream requests a stream.
func (c *Client) RequestStream(t *testing.T, address, home, query string, headers ...string) *Follower {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	storetest.Cleanup(t, end)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+home+"/event"+query, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", c.Cookie)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = response.Body.Close() })
	return &Follower{response, bufio.NewScanner(response.Body), end}
}

// Close cuts the connection.
func (f *Follower) Close() {
	f.end()
	_ = f.Response.Body.Close()
}

// Block returns the next block; false at the end of the stream.
func (f *Follower) Block() (e LiveEvent, ok bool) {
	for f.lines.Scan() {
		line := f.lines.Text()
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "":
			if line == "" {
				return e, true
			}
			e.Comment = value
		case "id":
			e.ID, _ = strconv.ParseUint(value, 10, 64)
			e.HasID = true
		case "event":
			e.Name = value
		case "data":
			e.Text = value
		case "retry":
			e.Retry = value
		default:
			e.HasOther = true
		}
	}
	return e, false
}

// Event returns the next block with data.
func (f *Follower) Event(t *testing.T) LiveEvent {
	t.Helper()
	for {
		e, ok := f.Block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if e.Text != "" {
			return e
		}
	}
}

// Ends waits for the end of the stream and returns its blocks.
func (f *Follower) Ends() (rest []LiveEvent) {
	for {
		e, ok := f.Block()
		if !ok {
			return rest
		}
		rest = append(rest, e)
	}
}

// Content returns the decoded data.
func (e *LiveEvent) Content(t *testing.T) (content struct {
	Sequence   uint64    `json:"sequence"`
	RecordedAt time.Time `json:"recordedAt"`
	By         string    `json:"by"`
	Origin     string    `json:"origin"`
	Records    []struct {
		Kind string `json:"kind"`
		ID   string `json:"id"`
	} `json:"records"`
},
) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(e.Text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&content); err != nil {
		t.Fatalf("%v in %s", err, e.Text)
	}
	return content
}
