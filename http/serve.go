package http

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"equity/fault"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/oauth"
	"equity/http/pages"
	"equity/messages"
)

// exchange is one HTTP request and its answer.
type exchange struct {
	w        http.ResponseWriter
	r        *http.Request
	id       string
	at       time.Time
	endpoint string // the route template
	status   int
	ticket   *admission.Ticket // nil before the request is admitted
	place    *place            // in the waiting room; nil for a request that is not forwarded
	shed     bool              // refused because of overload
	// small is a body that was received into memory; nil without one.
	small []byte
	// received is the number of bytes of the body in memory.
	received int
	// forwarded is nil for a request of a client. stays reports that the request is answered here after another node was asked.
	forwarded *forwarded
	stays     bool
}

// ServeHTTP answers a request of the API, the pages, the reference or the browser app.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{headerCaller, api.CommandHeader, api.RepeatedHeader} { // only other nodes may send them
		r.Header.Del(name)
	}
	s.serve(w, r, nil) //nolint:contextcheck // the request has its own
}

// leave gives up the slot and the place in the waiting room.
func (x *exchange) leave() {
	x.ticket.Leave()
	x.place.leave()
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request, from *forwarded) {
	x := &exchange{r: r, id: s.requests.of(r), at: s.now(), endpoint: "none", forwarded: from}
	tracked := &tracking{ResponseWriter: w, exchange: x}
	x.w = tracked
	done := s.metrics.begin(from != nil)
	defer func() {
		if reason := recover(); reason != nil {
			s.recovered(x, tracked, reason)
		}
		x.leave()
		x.status = tracked.status
		done(x.endpoint, r.Method, x.status, s.now().Sub(x.at))
		s.access(x)
		if s.routed != nil {
			s.routed(x.r.Context(), x.r.Method, x.endpoint)
		}
	}()
	s.harden(w.Header(), x.id)
	if from == nil && s.cross(x) {
		return
	}
	s.dispatch(x)
}

// dispatch passes the request to the handler of its path.
func (s *Server) dispatch(x *exchange) {
	path := x.r.URL.Path
	if raw := strings.ToLower(x.r.URL.RawPath); strings.Contains(raw, "%2f") || strings.Contains(raw, "%5c") {
		s.Fail(x.w, api.NoPath(), x.id) // a proxy may have authorized it as another path
		return
	}
	if strings.HasPrefix(path, api.AppPrefix+api.Prefix) {
		x.r = withPath(x.r, path[len(api.AppPrefix):])
		path = x.r.URL.Path
	}
	page, name := pages.At(path)
	authorization := s.oauth.Handler(path)
	switch {
	case s.Contract.File(path) != nil:
		x.endpoint = path
		s.Contract.File(path).ServeHTTP(x.w, x.r)
	case strings.HasPrefix(path, api.Prefix+"/"):
		s.operate(x)
	case path == "/docs" || strings.HasPrefix(path, "/docs/"):
		x.endpoint = "/docs"
		s.reference.ServeHTTP(x.w, x.r)
	case path == oauth.MCPPath:
		x.endpoint = path
		s.serveTools(x)
	case authorization != nil:
		x.endpoint = path
		s.serveAuthorization(x, authorization)
	case page != nil:
		x.endpoint = name
		s.servePage(x, page)
	default:
		s.serveApp(x)
	}
}

// withPath returns the request with another path.
func withPath(r *http.Request, path string) *http.Request {
	moved := *r
	address := *r.URL
	address.Path, address.RawPath = path, ""
	moved.URL = &address
	return &moved
}

// operate runs the operation of the request.
func (s *Server) operate(x *exchange) {
	if path := x.r.URL.Path; strings.HasSuffix(path, "/") {
		x.r = withPath(x.r, strings.TrimSuffix(path, "/"))
	}
	found, path, err := s.routes.find(x.r)
	if err != nil {
		s.Fail(x.w, api.NoPath(), x.id)
		return
	}
	x.endpoint = found.path
	method := x.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op := found.methods[method]
	if op == nil {
		x.w.Header().Set("Allow", found.allow)
		s.Fail(x.w, errNoMethod(x.r.Method), x.id)
		return
	}
	if op.TakesFiles() {
		x.r.Body = &uploadBody{ReadCloser: x.r.Body}
	}
	err = s.admitted(x, op, path["organization"])
	if err == nil {
		err = s.withOutcome(x, op, func() error { return s.answer(x, op, path) })
	}
	if err != nil {
		s.failed(x, op, err)
	}
}

// admitted waits for admission. It receives a small body first.
func (s *Server) admitted(x *exchange, op *api.Operation, named string) error {
	if op.TakesBody(x.r) {
		if err := s.receiveSmall(x, named); err != nil {
			return err
		}
	}
	return s.enterQueue(x, named)
}

// answer runs the operation and sends its answer.
func (s *Server) answer(x *exchange, op *api.Operation, path map[string]string) error {
	caller, session, err := s.caller(x, op)
	if err != nil {
		return err
	}
	ctx, stale := api.WithStaleness(x.context())
	request := &api.Request{
		Operation: op.ID, ID: x.id, At: x.at, Path: path, RawQuery: x.r.URL.RawQuery, Header: x.r.Header.Get,
		Body: x.body(), Length: x.r.ContentLength, Receive: func(read func() error) error { return admission.WaitWithoutSlot(ctx, read) },
		Caller: caller, Route: route(s, x, op), Forwarded: x.forwarded != nil,
		Repeated: x.r.Header.Get(api.RepeatedHeader) != "",
	}
	answer, err := s.Run(ctx, request)
	if away, is := errors.AsType[*elsewhereError](err); is {
		here, err := forward(s, x, op, caller, session, away.id)
		if err == nil && !here && succeeded(x.w) {
			s.familiar.remember(x.r, caller.User, path["organization"])
		}
		if err != nil || !here {
			return err
		}
		x.stays = true
		return s.answer(x, op, path)
	}
	defer answer.Done()
	if _, told := errors.AsType[*fault.Error](err); !told {
		err = s.overloaded(err) // a wait may have lost the slot
	}
	change := answer.Session
	if !session.User.IsZero() && change.IsZero() {
		s.sessions.Refresh(x.w, session) // rolling expiry, also with an error
	}
	if err != nil {
		return err
	}
	s.familiar.remember(x.r, caller.User, path["organization"])
	if err := s.changeSession(x, caller.User, change); err != nil {
		return api.Unavailable(fmt.Errorf("session: %w", err))
	}
	stale.Header(x.w, s.now())
	if answer.Cookie != nil {
		http.SetCookie(x.w, answer.Cookie)
	}
	for _, cookie := range answer.Cookies {
		http.SetCookie(x.w, cookie)
	}
	if x.r.Method == http.MethodHead {
		answer.TakeOver = nil
	}
	if x.stays && (!op.Takes(api.IdempotencyHeader) || x.r.Header.Get(api.IdempotencyHeader) == "") {
		answer.Replayed = false // the key is the id of a lost attempt
	}
	return answer.Write(x.w, x.r)
}

// session returns the caller's session.
func (s *Server) session(x *exchange, op *api.Operation) (messages.Session, error) {
	session, found, err := s.sessions.Load(x.r)
	if err != nil {
		return messages.Session{}, api.Unavailable(fmt.Errorf("session: %w", err))
	}
	if !found {
		return messages.Session{}, nil
	}
	if !session.VerifiedAt.IsZero() && !op.Reads() { // it may have ended since
		return messages.Session{}, &fault.FailureError{Refusal: messages.RefuseUnavailable("The store of the sessions")}
	}
	return session, nil
}

// failed sends an error and logs its private cause.
func (s *Server) failed(x *exchange, op *api.Operation, err error) {
	if x.r.Context().Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, messages.ErrUnavailable)) {
		s.log.Debug("caller went away", slog.String("request", x.id), slog.String("operation", op.ID))
		return
	}
	if started(x.w) && errors.Is(err, os.ErrDeadlineExceeded) {
		s.log.Info("answer cut off: its reader is too slow", slog.String("request", x.id), slog.String("operation", op.ID))
		panic(http.ErrAbortHandler)
	}
	if started(x.w) { // abort the connection, so that the client detects the incomplete body
		s.log.Log(
			x.r.Context(), api.FailureLevel(x.r.Context()), "stream broke", slog.String("request", x.id), slog.String("operation", op.ID),
			slog.Any("error", err),
		)
		panic(http.ErrAbortHandler)
	}
	markForwarded(s, x, err)
	_, x.shed = errors.AsType[*admission.RefusalError](err)
	var status int
	if rest := x.restOfUpload(op); rest != nil && !x.shed {
		status = rest.refuse(x, func() int { return s.Fail(x.w, err, x.id) })
	} else {
		status = s.Fail(x.w, err, x.id)
	}
	if x.shed {
		return
	}
	if status >= http.StatusInternalServerError {
		s.log.Log(x.r.Context(), api.FailureLevel(x.r.Context()), "operation failed", slog.String("request", x.id), slog.String("operation", op.ID),
			slog.Int("status", status), slog.Any("error", err))
	}
}

// recovered answers a panic with an internal error.
func (s *Server) recovered(x *exchange, w *tracking, reason any) {
	if reason == http.ErrAbortHandler { //nolint:errorlint,err113 // compared as in net/http
		panic(reason)
	}
	s.log.Error("panic", slog.String("request", x.id), slog.String("route", x.endpoint),
		slog.Any("reason", reason), slog.String("stack", string(debug.Stack())))
	if w.status == 0 {
		s.Fail(w, fmt.Errorf("%w: %v", api.ErrPanic, reason), x.id)
	}
}

// tracking records the status and size of the response.
type tracking struct {
	http.ResponseWriter
	exchange *exchange
	status   int
}

// WriteHeader records the status.
func (t *tracking) WriteHeader(status int) {
	if t.status == 0 {
		t.status = status
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write records the implicit status.
func (t *tracking) Write(bytes []byte) (int, error) {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	t.exchange.leave() // a slow reader holds no slot
	return t.ResponseWriter.Write(bytes)
}

// FlushError sends the answer so far. The server may wait for the rest of a body that the handler did not read: the request holds no slot meanwhile.
func (t *tracking) FlushError() error {
	t.exchange.leave()
	return http.NewResponseController(t.ResponseWriter).Flush() //nolint:wrapcheck // the caller compares it
}

// Hijack takes over the connection for an answer with the status 200 that continues after the request.
func (t *tracking) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err == nil {
		t.status = http.StatusOK
		t.exchange.leave()
	}
	return conn, buffered, err //nolint:wrapcheck // the caller compares it
}

// Unwrap returns the underlying writer for http.ResponseController.
func (t *tracking) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func started(w http.ResponseWriter) bool {
	t, ok := w.(*tracking)
	return ok && t.status != 0
}

func succeeded(w http.ResponseWriter) bool {
	t, ok := w.(*tracking)
	return ok && t.status < http.StatusBadRequest
}

// access logs the request: errors at a visible level, others at debug level.
func (s *Server) access(x *exchange) {
	level := slog.LevelDebug
	if x.status >= http.StatusBadRequest && !x.shed { // a line per refusal would add to the overload
		level = slog.LevelInfo
	}
	if ctx := x.r.Context(); s.log.Enabled(ctx, level) {
		s.log.LogAttrs(ctx, level, "request", slog.String("request", x.id), slog.String("method", x.r.Method),
			slog.String("route", x.endpoint), slog.Int("status", x.status), slog.Duration("took", s.now().Sub(x.at)))
	}
}
