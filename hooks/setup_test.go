package hooks_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/confine/confinetest"
	"equity/hooks"
	"equity/hooks/transform"
	"equity/messages"
)

// TestMain runs transforms in children of the test program.
func TestMain(m *testing.M) { confinetest.Main(m, transform.Work()) }

// recorder ends each run at once with its result.
type recorder struct {
	result messages.HookResult
	err    error

	mu        sync.Mutex
	events    []string
	heartbeat bool
	agents    []messages.HookAgent
	wakes     []messages.HookWake
}

func (r *recorder) Wake(_ context.Context, wake messages.HookWake) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	r.wakes = append(r.wakes, wake)
	r.events = append(r.events, wake.Text)
	r.heartbeat = r.heartbeat || wake.Mode == messages.HookNow
	return nil
}

func (r *recorder) Agent(_ context.Context, agent messages.HookAgent) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return "", r.err
	}
	r.agents = append(r.agents, agent)
	r.events = append(r.events, messages.HookSummary(agent.Name, r.result))
	r.heartbeat = r.heartbeat || agent.WakeMode == messages.HookNow
	return agent.RunID, nil
}

// bundle is a gateway with a recording dispatcher and a clock that stands still.
type bundle struct {
	*recorder
	gateway *hooks.Gateway
	now     time.Time
}

// start returns a gateway for the JSON of the object hooks.
func start(t *testing.T, config string, o hooks.Options) *bundle {
	t.Helper()
	b := &bundle{recorder: &recorder{result: messages.HookResult{Status: "ok", Summary: "done"}}}
	b.now = time.Date(2026, 2, 3, 4, 5, 6, 789e6, time.UTC)
	parsed, err := hooks.ParseConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	o.Now = func() time.Time { return b.now }
	if o.Transformer == nil {
		o.Transformer = transform.NewRunner(confinetest.Runner(transform.Work()))
	}
	if b.gateway, err = hooks.New(parsed, b.recorder, o); err != nil {
		t.Fatal(err)
	}
	return b
}

// plainConfig has one token.
const plainConfig = `{"enabled":true,"token":"hook-secret"}`

// send sends a request with the token. Each header has the form "Name: value".
func (b *bundle) send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	return b.anonymous(method, target, body, append([]string{"Authorization: Bearer hook-secret"}, headers...)...)
}

// post sends a body with the token.
func (b *bundle) post(target, body string, headers ...string) *httptest.ResponseRecorder {
	return b.send(http.MethodPost, target, body, headers...)
}

// anonymous sends a request without a token.
func (b *bundle) anonymous(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	b.gateway.ServeHTTP(w, r)
	return w
}

// last returns the last run.
func (b *bundle) last(t *testing.T) messages.HookAgent {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.agents) == 0 {
		t.Fatal("no run was requested")
	}
	return b.agents[len(b.agents)-1]
}

// refused checks an answer with an error.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int, text string) {
	t.Helper()
	var body struct {
		OK    *bool  `json:"ok"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%v: %d %s", err, w.Code, w.Body)
	}
	if w.Code != status || body.OK == nil || *body.OK || body.Error != text {
		t.Errorf("got %d %s, want %d %q", w.Code, w.Body, status, text)
	}
	if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("content type %q", got)
	}
}

// plainly checks an answer with a text.
func plainly(t *testing.T, w *httptest.ResponseRecorder, status int, text string) {
	t.Helper()
	if w.Code != status || w.Body.String() != text || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("got %d %q %q, want %d %q", w.Code, w.Body, w.Header().Get("Content-Type"), status, text)
	}
}
