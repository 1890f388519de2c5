// Package live serves the events of an organization as they happen, as a stream of Server-Sent Events.
package live

import (
	"context"
	"net/http"
	"strconv"

	"equity/http/api"
)

// Operations returns the handlers of the package by operation id.
func Operations(hub *Hub) map[string]api.Handler {
	return map[string]api.Handler{"streamEvents": hub.streamEvents}
}

// contentStream is the media type of Server-Sent Events.
const contentStream = "text/event-stream"

// streamEvents starts a stream. It takes over the connection, so that an idle stream needs neither the buffers nor the goroutine
// of a request.
func (h *Hub) streamEvents(_ context.Context, c *api.Call) (api.Answer, error) {
	since, err := position(c)
	if err != nil {
		return api.Answer{}, err
	}
	open := opening{organization: c.Organization, user: c.Caller.User, session: c.Caller.Session, since: since}
	return api.Answer{
		ContentType: contentStream,
		TakeOver:    func(w http.ResponseWriter) error { return h.serve(w, open) }, //nolint:contextcheck // a stream outlives its request
	}, nil
}

// position returns the sequence after which the stream begins: that of the last event that the client received, or the present
// one.
func position(c *api.Call) (uint64, error) {
	given, pointer := c.Header("Last-Event-ID"), "/header/Last-Event-ID"
	if given == "" {
		given, pointer = c.Query("since"), "/query/since"
	}
	if given == "" {
		return c.View.Sequence, nil
	}
	since, err := strconv.ParseUint(given, 10, 64)
	if err != nil {
		return 0, api.WrongField(pointer, "pattern", "Use the number of an event in the journal.")
	}
	if since > c.View.Sequence {
		return 0, api.WrongField(pointer, "maximum",
			"The last event of the journal is "+strconv.FormatUint(c.View.Sequence, 10)+". Use its number or a smaller one.")
	}
	return since, nil
}
