package hooks

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"equity/messages"
)

// bodyTime bounds the time in which a client sends the body.
const bodyTime = 30 * time.Second

// Handles reports whether the path of the request belongs to the gateway.
func (g *Gateway) Handles(r *http.Request) bool {
	_, ok := g.below(r)
	return ok
}

// below returns the part of the path behind that of the gateway. The path keeps its escapes.
func (g *Gateway) below(r *http.Request) (string, bool) {
	if g.base == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(withoutDots(r.URL.EscapedPath()), g.base)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// withoutDots resolves the segments "." and "..", as browsers do.
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.Contains(path, "/%2") {
		return path
	}
	var kept []string
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case "..":
			if len(kept) > 1 {
				kept = kept[:len(kept)-1]
			}
		case ".":
		default:
			kept = append(kept, segment)
			continue
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
}

// ServeHTTP answers a request. A path outside the gateway is 404.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := g.now()
	recorded := &statusWriter{ResponseWriter: w}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	g.serve(recorded, r)
	g.log.Info("hook", "method", r.Method, "path", r.URL.Path, "status", recorded.status, "took", g.now().Sub(started)) // without the query
}

// statusWriter remembers the status of the answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the writer of the server.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// request is an authorized request.
type request struct {
	*http.Request
	source messages.HookSource
	token  [32]byte // hash
	query  url.Values
	path   string // below the gateway, without slashes at the beginning
	body   any
	raw    []byte // of body; {} if the request has none
}

// serve runs the checks in the order of the interface.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	path, ok := g.below(r)
	if !ok {
		plain(w, http.StatusNotFound, "Not Found")
		return
	}
	query := r.URL.Query()
	if g.strict {
		if query.Has(tokenQuery) {
			plain(
				w, http.StatusBadRequest,
				"Send the hook token as Authorization: Bearer <token> or in the header x-service-token: query parameters are not allowed",
			)
			return
		}
		if !isPost(w, r) { // later releases do not count the token of another method
			return
		}
	}
	in := &request{Request: r, query: query, path: strings.TrimLeft(path, "/")}
	if !g.admit(r.Context(), w, in) || !isPost(w, r) {
		return
	}
	if in.path == "" {
		plain(w, http.StatusNotFound, "Not Found")
		return
	}
	if !g.receive(w, in) {
		return
	}
	switch in.path {
	case actionWake:
		wake, err := wakeOf(in.body)
		g.wake(r.Context(), w, in, wake, err)
	case actionAgent:
		agent, err := agentOf(in.body)
		g.agent(r.Context(), w, in, agent, true, err)
	default:
		g.mapped(r.Context(), w, in)
	}
}

// isPost refuses other methods.
func isPost(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodPost {
		return true
	}
	w.Header().Set("Allow", http.MethodPost)
	plain(w, http.StatusMethodNotAllowed, "Method Not Allowed")
	return false
}

// admit checks the token, and refuses clients with many failures.
func (g *Gateway) admit(ctx context.Context, w http.ResponseWriter, in *request) bool {
	token, inAddress := tokenOf(in.Request, in.query)
	client := g.client(in.Request)
	source, hash, ok, err := g.authorize(ctx, token)
	switch {
	case err != nil:
		g.failure(w, err)
		return false
	case token == "" || !ok:
		if wait, limited := g.limiter.fail(client, g.now()); limited {
			g.log.Warn("hook tokens of a client are refused", "client", client)
			retryAfter(w, wait)
			plain(w, http.StatusTooManyRequests, "Too Many Requests")
			return false
		}
		plain(w, http.StatusUnauthorized, "Unauthorized")
		return false
	}
	g.limiter.succeed(client)
	if inAddress {
		g.log.Warn("a hook token in an address is deprecated, because addresses are logged: send it in the header Authorization")
	}
	in.source, in.token = source, hash
	return true
}

// receive reads the body.
func (g *Gateway) receive(w http.ResponseWriter, in *request) bool {
	_ = http.NewResponseController(w).SetReadDeadline(g.now().Add(bodyTime)) // not every writer has one
	tooLarge := in.ContentLength > g.maxBody
	var raw []byte
	var err error
	if !tooLarge {
		raw, err = io.ReadAll(io.LimitReader(in.Body, g.maxBody+1))
		tooLarge = int64(len(raw)) > g.maxBody
	}
	switch {
	case tooLarge:
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusRequestEntityTooLarge, "payload too large")
		return false
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, "request body timeout")
		return false
	case err != nil:
		refuse(w, http.StatusBadRequest, "the body cannot be read")
		return false
	}
	trimmed := trim(strings.ToValidUTF8(string(raw), "\uFFFD"))
	if trimmed == "" {
		trimmed = "{}"
	}
	if in.body, err = parseValue([]byte(trimmed)); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return false
	}
	in.raw = []byte(trimmed)
	switch in.body.(type) {
	case *object, []any:
	default:
		in.body, in.raw = newObject(), []byte("{}")
	}
	return true
}

// wake passes an event to the dispatcher.
func (g *Gateway) wake(ctx context.Context, w http.ResponseWriter, in *request, wake messages.HookWake, err error) {
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	wake.HookSource = in.source
	wake.Repetition = in.repetition(wake.Text, wake.Mode)
	if err := g.dispatcher.Wake(ctx, wake); err != nil {
		g.failure(w, err)
		return
	}
	answer(w, http.StatusOK, struct {
		OK   bool   `json:"ok"`
		Mode string `json:"mode"`
	}{true, wake.Mode})
}

// agent passes a run to the dispatcher. Requested reports that the request itself named the session.
func (g *Gateway) agent(ctx context.Context, w http.ResponseWriter, in *request, agent messages.HookAgent, requested bool, err error) {
	given := agent
	if err == nil {
		err = g.policy.apply(&agent, requested, g.newID)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	agent.HookSource, agent.RunID = in.source, g.newID()
	agent.Repetition = in.repetition(given) // without the random session key
	runID, err := g.dispatcher.Agent(ctx, agent)
	if err != nil {
		g.failure(w, err)
		return
	}
	answer(w, http.StatusAccepted, struct {
		OK    bool   `json:"ok"`
		RunID string `json:"runId"`
	}{true, runID})
}

// mapped answers a request with the first mapping that selects it.
func (g *Gateway) mapped(ctx context.Context, w http.ResponseWriter, in *request) {
	s := &scope{payload: in.body, headers: headersOf(in.Request), query: map[string]string{}, path: in.path, now: g.now()}
	for name, values := range in.query {
		if name != tokenQuery {
			s.query[name] = values[len(values)-1]
		}
	}
	found, err := g.apply(ctx, s, TransformInput{
		Organization: in.source.Organization, Payload: in.raw, Headers: maps.Clone(s.headers), URL: addressOf(in), Path: in.path,
	})
	limit, limited := errors.AsType[*messages.CallLimitError](err)
	switch {
	case limited:
		g.failure(w, limit)
	case errors.Is(err, errSkipped):
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, errFailed):
		if !errors.Is(err, context.Canceled) {
			g.log.Warn("hook mapping failed", "path", in.path, "cause", err)
		}
		refuse(w, http.StatusInternalServerError, errFailed.Error())
	case err != nil:
		refuse(w, http.StatusBadRequest, err.Error())
	case found == nil:
		plain(w, http.StatusNotFound, "Not Found")
	case found.wake != nil:
		g.wake(ctx, w, in, *found.wake, nil)
	default:
		g.agent(ctx, w, in, *found.agent, false, nil)
	}
}

// headersOf returns the headers for templates, with names in lower case. Headers with credentials are removed.
func headersOf(r *http.Request) map[string]string {
	headers := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		switch name {
		case "Authorization", "Proxy-Authorization", "Cookie", tokenHeader:
		default:
			headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	return headers
}

// addressOf returns the address of the request without the token.
func addressOf(in *request) string {
	address := url.URL{Scheme: "http", Host: in.Host, Path: in.URL.Path, RawPath: in.URL.RawPath}
	var kept []string
	for pair := range strings.SplitSeq(in.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(name); pair != "" && (err != nil || decoded != tokenQuery) {
			kept = append(kept, pair)
		}
	}
	address.RawQuery = strings.Join(kept, "&")
	return address.String()
}
