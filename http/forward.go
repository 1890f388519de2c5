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
	"equity/messages"
	"equity/organization"
)

// Router returns the owners of organizations in a cluster.
type Router interface {
	// Owner returns the owner and the epoch of the placement; known is false without an owner. Self reports that it is this server.
	Owner(id organization.ID) (node messages.Node, epoch uint64, self, known bool)
	// Member reports whether the node is in the present list. Epoch is that of the list.
	Member(node string) bool
	Epoch() uint64
	// Changed returns a channel that is closed when owners change. Hurry looks for a change at once.
	Changed() <-chan struct{}
	Hurry()
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

const (
	// forwardWithin bounds the time for which a request waits for its organization to move.
	forwardWithin = 20 * time.Second
	// forwardRetry is the pause before a request is sent again.
	forwardRetry = 30 * time.Millisecond
	// readWithin is the time after which a read is answered here, from the journal, if its owner does not answer.
	readWithin = time.Second
)

// forwarded is a request that another node has forwarded.
type forwarded struct{ caller api.Caller }

// elsewhereError reports that another node owns the organization of a request.
type elsewhereError struct{ id organization.ID }

// Error describes the error.
func (e *elsewhereError) Error() string { return "another node owns " + e.id.String() }

var (
	errMisdirected = errors.New("this node does not own the organization of a forwarded request")
	errUncertain   = errors.New("the owner of the organization does not know the outcome")
)

// route returns the function that decides where the request of the exchange is answered; nil if always here.
func route(s *Server, x *exchange, op *api.Operation) func(id organization.ID, read bool) error {
	if s.router == nil || x.stays {
		return nil
	}
	return func(id organization.ID, read bool) error {
		_, _, self, known := s.router.Owner(id)
		switch {
		case self || !known:
			return nil
		case x.forwarded != nil:
			return errMisdirected
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
	f := &forwarding{server: s, x: x, op: op, session: session, limit: time.NewTimer(forwardWithin)}
	defer f.limit.Stop()
	if f.caller, err = headerOf(caller); err != nil {
		return false, fmt.Errorf("forward: %w", err)
	}
	if !op.Reads() {
		command := s.newID()
		x.r.Header.Set(api.CommandHeader, hex.EncodeToString(command[:])) // also if this server becomes the owner after a lost attempt
	}
	for {
		changed := s.router.Changed()
		node, _, self, known := s.router.Owner(id)
		if self || !known {
			return true, nil
		}
		outcome, err := f.send(node, id)
		switch {
		case outcome == answered:
			return false, err
		case outcome != refused && op.Reads() && !op.Streams() && !f.consumed:
			return true, nil
		case outcome == lost && !op.Repeatable():
			return false, &fault.FailureError{Refusal: unknownOutcome(x, op), Cause: err, MayNotRepeat: true}
		case outcome != unsent && f.consumed:
			return false, &fault.FailureError{Refusal: unknownOutcome(x, op), Cause: err, MayNotRepeat: true}
		case f.consumed:
			return false, api.Unavailable(err)
		}
		if !f.pause(changed) {
			return false, f.failure(outcome, err)
		}
	}
}

// forwarding is a request that is sent to its owner, again if necessary.
type forwarding struct {
	server  *Server
	x       *exchange
	op      *api.Operation
	session messages.Session
	caller  string
	limit   *time.Timer
	// consumed reports that a body was sent that cannot be sent again. uncertain reports that a lost attempt may have changed something.
	consumed, uncertain bool
}

// outcome is the outcome of an attempt.
type outcome int

const (
	answered outcome = iota // the answer was sent to the client, or failed on the way
	refused                 // the node changed nothing and asks for a repetition
	unsent                  // the node was not reached
	lost                    // the node may have executed the request
)

// pause waits before the next attempt. It returns false at the limit.
func (f *forwarding) pause(changed <-chan struct{}) bool {
	f.server.router.Hurry()
	wait := time.NewTimer(forwardRetry)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-changed:
	case <-f.limit.C:
		return false
	case <-f.x.r.Context().Done():
		return false
	}
	return true
}

// failure returns the error at the limit.
func (f *forwarding) failure(last outcome, cause error) error {
	if f.uncertain || last == lost && !f.op.Reads() {
		return &fault.FailureError{Refusal: unknownOutcome(f.x, f.op), Cause: cause, MayNotRepeat: !repeatable(f.x, f.op)}
	}
	return &fault.FailureError{Refusal: messages.ErrUnavailable, Cause: cause}
}

// send makes one attempt.
func (f *forwarding) send(node messages.Node, id organization.ID) (outcome, error) {
	ctx, cancel := context.WithCancel(f.x.r.Context())
	defer cancel()
	heard := make(chan struct{})
	go f.watch(ctx, cancel, heard, node, id)
	request, err := f.request(ctx)
	if err != nil {
		close(heard)
		return answered, err
	}
	response, err := f.server.nodes.Send(node, request, f.op.Streams())
	close(heard)
	if err != nil {
		return f.failed(err)
	}
	defer func() { _ = response.Body.Close() }()
	switch retry := response.Header.Get(headerRetry); {
	case retry == retryUncertain:
		f.doubt()
		return lost, errUncertain
	case response.StatusCode == http.StatusMisdirectedRequest, retry != "":
		return refused, fmt.Errorf("%w: epoch %s", errMisdirected, response.Header.Get(headerEpoch))
	case !f.op.Streams() && response.ContentLength >= 0 && response.ContentLength <= relayBytes: // it can be sent again if it is cut off
		content, err := io.ReadAll(response.Body)
		if err != nil {
			return f.failed(err)
		}
		response.Body = io.NopCloser(bytes.NewReader(content))
	}
	return answered, f.relay(ctx, response)
}

// failed classifies the error of an attempt.
func (f *forwarding) failed(err error) (outcome, error) {
	if dialing(err) {
		return unsent, err
	}
	f.doubt()
	return lost, err
}

// doubt notes that an attempt may have been executed.
func (f *forwarding) doubt() {
	if !f.op.Reads() {
		f.uncertain = true
		f.x.r.Header.Set(api.RepeatedHeader, "1") // also if this server becomes the owner
	}
}

// watch ends an attempt whose node is no longer the owner, or that a read has waited for long enough. It watches streams until their end.
func (f *forwarding) watch(ctx context.Context, cancel context.CancelFunc, heard <-chan struct{}, node messages.Node, id organization.ID) {
	var patience <-chan time.Time
	var closing <-chan struct{}
	switch {
	case f.op.Streams():
		closing = f.server.closing
	case f.op.Reads():
		limit := time.NewTimer(readWithin)
		defer limit.Stop()
		patience = limit.C
	}
	for {
		changed := f.server.router.Changed()
		if now, _, _, known := f.server.router.Owner(id); !known || now.ID != node.ID {
			if !f.stillMember(node) {
				cancel()
				return
			}
		}
		select {
		case <-changed:
		case <-patience:
			cancel()
			return
		case <-closing: // its reader connects to another node
			cancel()
			return
		case <-heard:
			if !f.op.Streams() {
				return
			}
			heard = nil
		case <-ctx.Done():
			return
		}
	}
}

// stillMember reports whether a former owner is still a member, and therefore hands over in order.
func (f *forwarding) stillMember(node messages.Node) bool {
	return !f.op.Streams() && f.server.router.Member(node.ID)
}

// request returns the request to the owner.
func (f *forwarding) request(ctx context.Context) (*http.Request, error) {
	r := f.x.r
	body := io.Reader(http.NoBody)
	switch {
	case f.x.small != nil:
		body = bytes.NewReader(f.x.small)
	case r.ContentLength != 0:
		f.consumed = true
		body = r.Body
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
	if errors.Is(err, errMisdirected) {
		x.w.Header().Set(headerEpoch, strconv.FormatUint(s.router.Epoch(), 10))
		x.w.WriteHeader(http.StatusMisdirectedRequest)
		return true
	}
	if errors.Is(err, messages.ErrUnavailable) {
		x.w.Header().Set(headerRetry, retryUnchanged)
		if fault.Is(err, fault.OutcomeUnknown) {
			x.w.Header().Set(headerRetry, retryUncertain)
		}
	}
	s.log.Debug("forwarded request failed", slog.String("request", x.id), slog.Any("error", err))
	return false
}
