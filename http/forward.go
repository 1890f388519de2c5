package http

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptrace"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/routing"
	"equity/messages"
	"equity/organization"
)

// Router returns the order of the nodes of a cluster for each organization.
type Router = routing.Placement

// Nodes sends requests to other nodes.
type Nodes interface {
	Send(to messages.Node, r *http.Request, stream bool) (*http.Response, error)
	// Alive returns nil if the node answers a health check before the context ends.
	Alive(ctx context.Context, node messages.Node) error
}

// Headers between nodes. They are removed from the requests of clients.
const (
	headerCaller = "Equity-Caller"
	headerRetry  = "Equity-Retry"
)

// The values of headerRetry: the asked node changed nothing, or may have changed something.
const (
	retryUnchanged = "1"
	retryUncertain = "uncertain"
)

// forwarded is a request that another node has forwarded.
type forwarded struct{ caller api.Caller }

// elsewhereError reports that another node is asked first to serve a request.
type elsewhereError struct{ id organization.ID }

// Error describes the error.
func (e *elsewhereError) Error() string { return "another node is asked first for " + e.id.String() }

// route returns the function that decides where the request of the exchange is served; nil if always here. Reads are served by any node.
func route(s *Server, x *exchange, op *api.Operation) func(id organization.ID, read bool) error {
	if s.router == nil || x.stays || x.forwarded != nil || op.Reads() {
		return nil
	}
	return func(id organization.ID, read bool) error {
		if read && x.small == nil { // its body cannot be sent again
			return nil
		}
		if _, self := s.router.First(id); self {
			return nil
		}
		return &elsewhereError{id}
	}
}

// ServeForwarded answers a request that another node has forwarded. The listener has checked the certificate of that node.
func (s *Server) ServeForwarded(w http.ResponseWriter, r *http.Request) {
	caller, err := callerOf(r.Header.Get(headerCaller))
	if err != nil {
		s.log.Error("forwarded request without a caller", "cause", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.serve(w, r, &forwarded{caller}) //nolint:contextcheck // the request has its own
}

// forward sends the request to the node that is asked first and streams the answer back. It returns true if the request is to be served
// here instead.
func forward(
	s *Server, x *exchange, op *api.Operation, caller api.Caller, session messages.Session, id organization.ID,
) (here bool, err error) {
	x.ticket.Leave()
	if x.place, err = s.room.enter(x.r.Context(), s.flow(x, id.String()), len(x.small)); err != nil {
		return false, s.overloaded(err)
	}
	f := &forwarding{server: s, x: x, op: op, session: session}
	if f.caller, err = headerOf(caller); err != nil {
		return false, fmt.Errorf("forward: %w", err)
	}
	request := &routing.Request{
		Organization: id, Repeatable: op.Repeatable(), Once: x.small == nil && x.r.ContentLength != 0,
		Command: s.newID(), Send: f.send, Alive: s.nodes.Alive,
	}
	verdict, attempt, err := routing.Forward(x.r.Context(), s.router, request)
	switch verdict {
	case routing.Relayed:
		return false, err
	case routing.Local:
		if f.mark(attempt); attempt.Repeated { // should this server be unavailable, the outcome is not known
			messages.NoteChange(x.r.Context())
		}
		return true, nil
	case routing.Unknown:
		messages.NoteChange(x.r.Context())
		return false, &fault.FailureError{Refusal: unknownOutcome(x, op), Cause: err, MayNotRepeat: !repeatable(x, op)}
	case routing.Unchanged:
	}
	return false, &fault.FailureError{Refusal: messages.ErrUnavailable, Cause: err}
}

// forwarding is a request that is sent to another node.
type forwarding struct {
	server  *Server
	x       *exchange
	op      *api.Operation
	session messages.Session
	caller  string
}

// mark notes the attempt in the headers of the request.
func (f *forwarding) mark(attempt routing.Attempt) {
	f.x.r.Header.Set(api.CommandHeader, hex.EncodeToString(attempt.Command[:]))
	if attempt.Repeated {
		f.x.r.Header.Set(api.RepeatedHeader, "1")
	}
}

// send makes one attempt.
func (f *forwarding) send(ctx context.Context, node messages.Node, attempt routing.Attempt, heard func()) (routing.Outcome, error) {
	f.mark(attempt)
	connected := false
	request, err := f.request(
		httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}),
	)
	if err != nil {
		return routing.Answered, err
	}
	response, err := f.server.nodes.Send(node, request, f.op.Streams())
	heard()
	switch {
	case err != nil && !connected:
		return routing.Unsent, err
	case err != nil:
		return routing.Lost, err
	}
	defer func() { _ = response.Body.Close() }()
	switch retry := response.Header.Get(headerRetry); {
	case retry == retryUncertain:
		return routing.Lost, routing.ErrUncertain
	case retry != "":
		return routing.Refused, messages.ErrUnavailable
	case !f.op.Streams() && response.ContentLength >= 0 && response.ContentLength <= relayBytes: // it can be sent again if it is cut off
		content, err := io.ReadAll(response.Body)
		if err != nil {
			return routing.Lost, err
		}
		response.Body = io.NopCloser(bytes.NewReader(content))
	}
	return routing.Answered, f.relay(ctx, response)
}

// request returns the request to the other node.
func (f *forwarding) request(ctx context.Context) (*http.Request, error) {
	r := f.x.r
	body := io.Reader(http.NoBody)
	switch {
	case f.x.small != nil:
		body = bytes.NewReader(f.x.small)
	case r.ContentLength != 0: // it is sent once
		body = f.x.place.lend(ctx, r.Body)
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, "https://node"+r.URL.RequestURI(), body)
	if err != nil {
		return nil, fmt.Errorf("forward: %w", err)
	}
	request.ContentLength = r.ContentLength
	maps.Copy(request.Header, r.Header)
	for _, name := range []string{
		"Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Expect",
		"Traceparent", "Tracestate", // the client's; its trace is linked here
	} {
		request.Header.Del(name)
	}
	if f.server.propagate != nil {
		f.server.propagate(ctx, request.Header)
	}
	request.Header.Set("X-Request-Id", f.x.id)
	request.Header.Set(headerCaller, f.caller)
	return request, nil
}

// relay sends the answer of the other node to the client.
func (f *forwarding) relay(ctx context.Context, response *http.Response) error {
	f.x.leave()
	header := f.x.w.Header()
	own := response.Header.Values("Set-Cookie")
	for name, values := range response.Header {
		switch name {
		case "Connection", "Keep-Alive", "Transfer-Encoding", "Trailer", "Upgrade", "Set-Cookie", "Date":
		default:
			header[name] = values
		}
	}
	if !f.op.Takes(api.IdempotencyHeader) || f.x.r.Header.Get(api.IdempotencyHeader) == "" {
		header.Del("Idempotency-Replayed")
	}
	if len(own) == 0 && !f.session.User.IsZero() {
		f.server.sessions.Refresh(f.x.w, f.session) // rolling expiry
	}
	for _, cookie := range own {
		header.Add("Set-Cookie", cookie)
	}
	control := http.NewResponseController(f.x.w)
	if f.op.Streams() {
		_ = control.SetReadDeadline(time.Time{}) // the stream outlives the limit of the request's body
	}
	f.x.w.WriteHeader(response.StatusCode)
	if f.x.r.Method == http.MethodHead {
		return nil
	}
	buffer := make([]byte, relayBytes)
	for {
		n, err := response.Body.Read(buffer)
		if n > 0 {
			if _, failed := f.x.w.Write(buffer[:n]); failed != nil {
				return failed //nolint:wrapcheck // compared by its receiver
			}
			if f.op.Streams() || response.ContentLength < 0 {
				_ = control.Flush()
			}
		}
		if ended := errors.Is(err, io.EOF) || f.op.Streams() && (err != nil || ctx.Err() != nil); ended {
			return nil // the reader of a broken stream connects again
		}
		if err != nil {
			return fmt.Errorf("relay: %w", err)
		}
	}
}

// relayBytes is the size of the pieces of an answer.
const relayBytes = 32 << 10

// markForwarded notes in the answer of a forwarded request that failed, whether it may have changed something.
func markForwarded(s *Server, x *exchange, err error) {
	if x.forwarded == nil || started(x.w) {
		return
	}
	switch routing.OutcomeOf(err) {
	case routing.Refused:
		x.w.Header().Set(headerRetry, retryUnchanged)
	case routing.Lost:
		x.w.Header().Set(headerRetry, retryUncertain)
	case routing.Answered, routing.Unsent:
	}
	s.log.Debug("forwarded request failed", slog.String("request", x.id), slog.Any("error", err))
}
