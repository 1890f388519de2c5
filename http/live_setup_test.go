package http_test

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

// liveSettings replaces the settings of the streams.
func liveSettings(settings live.Settings) change {
	return func(_ *equityhttp.Settings, services *equityhttp.Services) {
		services.Live = newHub(services, settings)
	}
}

// listening serves the bundle over HTTP and returns the base address.
func (b *bundle) listening(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(b.server)
	storetest.Cleanup(t, server.Close)
	return server.URL
}

// follower reads a stream of events.
type follower struct {
	response *http.Response
	lines    *bufio.Scanner
	end      context.CancelFunc
}

// liveEvent is one block of a stream.
type liveEvent struct {
	id              uint64
	name            string
	text            string // the data
	comment, retry  string
	hasID, hasOther bool
}

// follow opens a stream. The status must be 200.
func (c *client) follow(t *testing.T, address, home, query string, headers ...string) *follower {
	t.Helper()
	f := c.connect(t, address, home, query, headers...)
	if f.response.StatusCode != http.StatusOK || f.response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("stream: %s %v", f.response.Status, f.response.Header)
	}
	return f
}

// connect requests a stream.
func (c *client) connect(t *testing.T, address, home, query string, headers ...string) *follower {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	storetest.Cleanup(t, end)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+home+"/event"+query, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", c.cookie)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = response.Body.Close() })
	return &follower{response, bufio.NewScanner(response.Body), end}
}

// close cuts the connection.
func (f *follower) close() {
	f.end()
	_ = f.response.Body.Close()
}

// block returns the next block; false at the end of the stream.
func (f *follower) block() (e liveEvent, ok bool) {
	for f.lines.Scan() {
		line := f.lines.Text()
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "":
			if line == "" {
				return e, true
			}
			e.comment = value
		case "id":
			e.id, _ = strconv.ParseUint(value, 10, 64)
			e.hasID = true
		case "event":
			e.name = value
		case "data":
			e.text = value
		case "retry":
			e.retry = value
		default:
			e.hasOther = true
		}
	}
	return e, false
}

// event returns the next block with data.
func (f *follower) event(t *testing.T) liveEvent {
	t.Helper()
	for {
		e, ok := f.block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if e.text != "" {
			return e
		}
	}
}

// ends waits for the end of the stream and returns its blocks.
func (f *follower) ends() (rest []liveEvent) {
	for {
		e, ok := f.block()
		if !ok {
			return rest
		}
		rest = append(rest, e)
	}
}

// content returns the decoded data.
func (e *liveEvent) content(t *testing.T) (content struct {
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
	decoder := json.NewDecoder(strings.NewReader(e.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&content); err != nil {
		t.Fatalf("%v in %s", err, e.text)
	}
	return content
}
