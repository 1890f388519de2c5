package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"equity/cmd/equity/telemetry"
	"equity/persistence/storetest"
)

// collector receives traces and metrics by OTLP over HTTP.
type collector struct {
	address string

	mu      sync.Mutex
	raw     []byte // of all requests
	key     string // of the last request
	spans   []*tracev1.Span
	metrics map[string]bool
}

func openCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{metrics: map[string]bool{}}
	server := httptest.NewServer(c)
	storetest.Cleanup(t, server.Close)
	c.address = server.URL
	return c
}

// ServeHTTP receives one export.
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw, c.key = append(c.raw, body...), r.Header.Get("X-Api-Key")
	var traces collectortrace.ExportTraceServiceRequest
	var metrics collectormetrics.ExportMetricsServiceRequest
	switch r.URL.Path {
	case "/v1/traces":
		err = proto.Unmarshal(body, &traces)
	case "/v1/metrics":
		err = proto.Unmarshal(body, &metrics)
	default:
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, resource := range traces.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	for _, resource := range metrics.ResourceMetrics {
		for _, scope := range resource.ScopeMetrics {
			for _, one := range scope.Metrics {
				c.metrics[one.Name] = true
			}
		}
	}
}

// named returns the spans with the name.
func (c *collector) named(name string) (found []*tracev1.Span) {
	for _, span := range c.spans {
		if span.Name == name {
			found = append(found, span)
		}
	}
	return found
}

func TestTracesLeadFromTheRequestToTheAppend(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCollector(t)
			s := setup(t)
			s.variables["DATABASE_URL"] = factory(t)
			s.variables["OTEL_EXPORTER_OTLP_ENDPOINT"], s.variables["OTEL_EXPORTER_OTLP_HEADERS"] = c.address, "X-Api-Key=collector-key"
			r := s.serve(t, "--demo")
			v := r.signIn(t)
			_, _, list := v.send(t, http.MethodGet, "/v1/organization", "")
			_, rest, _ := strings.Cut(list, `"id":"`)
			home := "/v1/organization/" + rest[:36]
			if status, _, body := v.send(t, http.MethodPatch, home, `{"website":"https://traced.example.com"}`); status != http.StatusOK {
				t.Fatalf("%d %s", status, body)
			}
			v.send(t, http.MethodGet, "/v1/nothing/path-secret?token=query-secret", "")
			v.send(t, http.MethodGet, "/healthz", "")
			r.end(t) // exports the rest
			c.check(t)
		})
	}
}

func (c *collector) check(t *testing.T) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	parents := c.named("PATCH /organization/{organization}")
	if len(parents) != 1 {
		var names []string
		for _, span := range c.spans {
			names = append(names, span.Name)
		}
		t.Fatalf("%d spans of the request among %q", len(parents), names)
	}
	child := func(of *tracev1.Span, name string) *tracev1.Span {
		for _, span := range c.named(name) {
			if bytes.Equal(span.ParentSpanId, of.SpanId) && bytes.Equal(span.TraceId, of.TraceId) {
				return span
			}
		}
		t.Fatalf("the span %s has no child %s", of.Name, name)
		return nil
	}
	command := child(parents[0], "command")
	last := command.StartTimeUnixNano
	for _, name := range []string{"mailbox", "decide", "append"} {
		step := child(command, name)
		if step.StartTimeUnixNano < last || step.EndTimeUnixNano < step.StartTimeUnixNano || step.EndTimeUnixNano > command.EndTimeUnixNano {
			t.Errorf("%s is not in the order of the steps", name)
		}
		last = step.StartTimeUnixNano
	}
	if len(c.named("GET /healthz")) > 0 || slices.ContainsFunc(c.spans, func(s *tracev1.Span) bool { return s.Name == "GET" }) {
		t.Error("a health check is traced, or a span has no route")
	}
	for _, metric := range []string{"equity_journal_events_total", "equity_http_requests_total", "equity_http_request_duration_seconds"} {
		if !c.metrics[metric] {
			t.Errorf("the metric %s was not exported; there are %d", metric, len(c.metrics))
		}
	}
	if c.key != "collector-key" {
		t.Errorf("the header is %q", c.key)
	}
	for _, secret := range []string{"path-secret", "query-secret", demoPassword, demoEmail} {
		if bytes.Contains(c.raw, []byte(secret)) {
			t.Errorf("%q was exported", secret)
		}
	}
}

// TestTraceContinuesAtTheOwner passes a request of a client from one server to another.
func TestTraceContinuesAtTheOwner(t *testing.T) {
	t.Parallel()
	c := openCollector(t)
	on, err := telemetry.Start(t.Context(), telemetry.Options{Endpoint: c.address, OneIn: 1, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	owner := on.Forwarded(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { on.Routed()(r.Context(), r.Method, "/owner") }))
	first := on.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		on.Routed()(r.Context(), r.Method, "/first")
		forwarded := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		on.Propagate()(r.Context(), forwarded.Header)
		owner.ServeHTTP(w, forwarded)
	}))
	request := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	first.ServeHTTP(httptest.NewRecorder(), request)
	if err := on.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	parents, children := c.named("GET /first"), c.named("GET /owner")
	if len(parents) != 1 || len(children) != 1 {
		t.Fatalf("%d and %d spans", len(parents), len(children))
	}
	if !bytes.Equal(children[0].TraceId, parents[0].TraceId) || !bytes.Equal(children[0].ParentSpanId, parents[0].SpanId) {
		t.Error("the owner does not continue the trace of the first server")
	}
	if hex.EncodeToString(parents[0].TraceId) == "0af7651916cd43dd8448eb211c80319c" {
		t.Error("the trace of the client is continued")
	}
}

func TestServerWorksWithoutItsCollector(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["OTEL_EXPORTER_OTLP_ENDPOINT"], s.variables["SHUTDOWN_TIMEOUT"] = "http://127.0.0.1:1", "2s"
	r := s.serve(t, "--demo")
	r.signIn(t)
	r.end(t)
	mustContain(t, r.log.String(), "were not exported")
}

// TestTelemetryThatIsOffAddsNothing checks that requests and commands take the same path as without it.
func TestTelemetryThatIsOffAddsNothing(t *testing.T) {
	t.Parallel()
	off, err := telemetry.Start(t.Context(), telemetry.Options{})
	if err != nil || off != nil {
		t.Fatalf("%v %v", off, err)
	}
	next := http.NewServeMux()
	if off.Handler(next) != http.Handler(next) || off.Forwarded(next) != http.Handler(next) || off.Routed() != nil || off.Propagate() != nil || off.Traced() != nil || off.Close(t.Context()) != nil || off.Export(t.Context(), nil) != nil {
		t.Error("telemetry is not off")
	}
}
