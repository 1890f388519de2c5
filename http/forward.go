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
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/http/api"
	"equity/http/routing"
	"equity/messages"
	"equity/organization"
)

// Router returns the owners of organizations in a cluster.
type Router interface {
	routing.Placement

	// Epoch returns the epoch of the placement.
	Epoch() uint64
}

// Nodes sends requests to other nodes.
type Nodes interface {
	Send(to messages.Node, r *http.Request, stream bool) (*http.Response, error)
}

// Headers between nodes. They are removed from the requests of clients.
const (
	headerCaller = "Equity-Caller"
	headerRetry  = "Equity-Retry"
	headerEpoch  = "Equity-Epoch"
)

// The values of headerRetry: the owner changed nothing, or may have changed something.
const (
	retryUnchanged = "1"
	retryUncertain = "uncertain"
)

// forwarded is a request that another node has forwarded.
type forwarded struct{ caller api.Caller }

// elsewhereError reports that another node owns the organization of a request.
type elsewhereError struct{ id organization.ID }

// Error describes the error.
func (e *elsewhereError) Error() string { return "another node owns " + e.id.String() }

// route returns the function that decides where the request of the exchange is answered; nil if always here.
func route(s *Server, x *exchange, op *api.Operation) func(id organization.ID, read bool) error {
	if s.router == nil || x.stays {
		return nil
	}
	return func(id organization.ID, read bool) error {
		here, err := routing.Here(s.router, id, x.forwarded != nil)
		switch {
		case here || err != nil:
			return err
		case read && x.small == nil: // its body cannot be sent again
			return nil
		case op.Reads() && !op.Streams() && s.following.read(id, s.now()):
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

// forward sends the request to the owner of its organization and streams the answer back. It returns true if the request is to be answered
// here instead.
func forward(s *Server, x *exchange, op *api.Operation, caller api.Caller, session messages.Session, id organization.ID) (here bool, err error) {
	x.ticket.Leave()
	if x.place, err = s.room.enter(x.r.Context(), s.flow(x, id.String()), len(x.small)); err != nil {
		return false, s.overloaded(err)
	}
	f := &forwarding{server: s, x: x, op: op, session: session}
	if f.caller, err = headerOf(caller); err != nil {
		return false, fmt.Errorf("forward: %w", err)
	}
	request := &routing.Request{
		Organization: id, Reads: op.Reads(), Streams: op.Streams(), Repeatable: op.Repeatable(),
		Once: x.small == nil && x.r.ContentLength != 0, Closing: s.closing, Send: f.send,
	}
	if !request.Reads {
		request.Command = s.newID()
	}
	verdict, attempt, err := routing.Forward(x.r.Context(), s.router, request)
	switch verdict {
	case routing.Relayed:
		return false, err
	case routing.Local:
		f.mark(attempt)
		return true, nil
	case routing.Unknown:
		messages.NoteChange(x.r.Context())
		return false, &fault.FailureError{Refusal: unknownOutcome(x, op), Cause: err, MayNotRepeat: !repeatable(x, op)}
	case routing.Unchanged:
	}
	return false, &fault.FailureError{Refusal: messages.ErrUnavailable, Cause: err}
}

// forwarding is a request that is sent to the owner of its organization.
type forwarding struct {
	server  *Server
	x       *exchange
	op      *api.Operation
	session messages.Session
	caller  string
}

// mark notes the attempt in the headers of the request.
func (f *forwarding) mark(attempt routing.Attempt) {
	if !f.op.Reads() {
		f.x.r.Header.Set(api.CommandHeader, hex.EncodeToString(attempt.Command[:]))
	}
	if attempt.Repeated {
		f.x.r.Header.Set(api.RepeatedHeader, "1")
	}
}

// send makes one attempt.
func (f *forwarding) send(ctx context.Context, node messages.Node, attempt routing.Attempt, heard func()) (routing.Outcome, error) {
	f.mark(attempt)
	request, err := f.request(ctx)
	if err != nil {
		return routing.Answered, err
	}
	response, err := f.server.nodes.Send(node, request, f.op.Streams())
	heard()
	if err != nil {
		return failed(err)
	}
	defer func() { _ = response.Body.Close() }()
	switch retry := response.Header.Get(headerRetry); {
	case retry == retryUncertain:
		return routing.Lost, routing.ErrUncertain
	case response.StatusCode == http.StatusMisdirectedRequest, retry != "":
		return routing.Refused, fmt.Errorf("%w: epoch %s", routing.ErrMisdirected, response.Header.Get(headerEpoch))
	case !f.op.Streams() && response.ContentLength >= 0 && response.ContentLength <= relayBytes: // it can be sent again if it is cut off
		content, err := io.ReadAll(response.Body)
		if err != nil {
			return failed(err)
		}
		response.Body = io.NopCloser(bytes.NewReader(content))
	}
	return routing.Answered, f.relay(ctx, response)
}

// failed returns the outcome of an attempt with the error.
func failed(err error) (routing.Outcome, error) {
	if dialing(err) {
		return routing.Unsent, err
	}
	return routing.Lost, err
}

// request returns the request to the owner.
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

// relay sends the answer of the owner to the client.
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

// dialing reports whether an attempt failed before a connection existed.
func dialing(err error) bool {
	text := err.Error()
	return strings.Contains(text, "dial tcp") || strings.Contains(text, "TLS handshake")
}

// refuseForwarded answers a forwarded request that was not executed. It returns false if the error is an answer.
func refuseForwarded(s *Server, x *exchange, err error) bool {
	if x.forwarded == nil || started(x.w) {
		return false
	}
	switch outcome := routing.OutcomeOf(err); {
	case errors.Is(err, routing.ErrMisdirected):
		x.w.Header().Set(headerEpoch, strconv.FormatUint(s.router.Epoch(), 10))
		x.w.WriteHeader(http.StatusMisdirectedRequest)
		return true
	case outcome == routing.Refused:
		x.w.Header().Set(headerRetry, retryUnchanged)
	case outcome == routing.Lost:
		x.w.Header().Set(headerRetry, retryUncertain)
	}
	s.log.Debug("forwarded request failed", slog.String("request", x.id), slog.Any("error", err))
	return false
}
