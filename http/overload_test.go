package http_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
)

// setupSerial starts a server that processes one request at a time.
func setupSerial(t *testing.T, wait time.Duration) *bundle {
	t.Helper()
	return setup(t, func(settings *equityhttp.Settings, _ *equityhttp.Services) {
		settings.Queue = equityhttp.QueueSettings{Parallel: 1, Wait: wait}
	})
}

func TestOverloadIsRefusedWithRetryAfter(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.server, 1)
	got := b.anonymous().must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	if got.text(t, "code") != "overloaded" || got.header.Get("Retry-After") != "1" {
		t.Errorf("%s, Retry-After %q", got.body, got.header.Get("Retry-After"))
	}
}

func TestOverloadRefusesPages(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.server, 1)
	b.anonymous().must(t, "GET", "/share/x", "", http.StatusServiceUnavailable)
}

func TestRefusedRequestsAreNotLoggedOneByOne(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.server, 1)
	for range 5 {
		b.anonymous().must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	}
	if lines := strings.Count(b.log.String(), "level=WARN") + strings.Count(b.log.String(), "level=INFO"); lines != 1 {
		t.Errorf("%d lines:\n%s", lines, b.log)
	}
}

func TestRefusedRequestsAreCounted(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.server, 1)
	b.anonymous().must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	families, err := b.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "equity_http_requests_refused_total" && family.GetMetric()[0].GetCounter().GetValue() == 1 {
			return
		}
	}
	t.Error("the refused request was not counted")
}

func TestBodyOfARefusedRequestIsNotReceived(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	equityhttp.RefuseArrivals(b.server, everybody)
	reading := make(chan struct{})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/organization", &signalingReader{strings.NewReader(`{"name":"A"}`), reading})
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", owner.cookie)
	r.ContentLength = int64(len(`{"name":"A"}`))
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	select {
	case <-reading:
		t.Error("the body was read")
	default:
	}
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
}

func TestSlowSenderHoldsNoSlot(t *testing.T) {
	t.Parallel()
	for name, length := range map[string]int64{"small body": 100, "large body": 1 << 19, "unknown length": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupSerial(t, time.Minute)
			owner := b.person(t, "owner@example.com")
			ctx, leave := context.WithCancel(t.Context())
			body, sender := io.Pipe()
			reading := make(chan struct{})
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/organization", &signalingReader{body, reading})
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", owner.cookie)
			r.ContentLength = length
			done := make(chan struct{})
			go func() { b.server.ServeHTTP(httptest.NewRecorder(), r); close(done) }()
			<-reading
			owner.must(t, "GET", "/v1/organization", "", http.StatusOK)
			leave()
			_ = sender.CloseWithError(io.ErrUnexpectedEOF)
			<-done
		})
	}
}

// signalingReader signals its first read.
type signalingReader struct {
	io.Reader
	reading chan struct{}
}

func (a *signalingReader) Read(p []byte) (int, error) {
	if a.reading != nil {
		close(a.reading)
		a.reading = nil
	}
	return a.Reader.Read(p)
}

func TestSlowReaderHoldsNoSlot(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Minute)
	owner := b.person(t, "owner@example.com")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/organization", nil)
	r.Header.Set("Cookie", owner.cookie)
	slow := &slowWriter{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), read: make(chan struct{})}
	done := make(chan struct{})
	go func() { b.server.ServeHTTP(slow, r); close(done) }()
	<-slow.writing
	owner.must(t, "GET", "/v1/organization", "", http.StatusOK)
	close(slow.read)
	<-done
}

// slowWriter is a client that blocks until it is released.
type slowWriter struct {
	*httptest.ResponseRecorder
	writing, read chan struct{}
}

func (w *slowWriter) Write(p []byte) (int, error) {
	close(w.writing)
	<-w.read
	return w.ResponseRecorder.Write(p)
}

func TestRequestsCountForTheirFairShare(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := last(owner.company(t))
	owner.must(t, "GET", "/v1/organization/"+home, "", http.StatusOK)
	for _, c := range []struct{ claim, cookie, named, group string }{
		{"a member's request counts for the organization", owner.cookie, home, home},
		{"a request outside of organizations counts for the user", owner.cookie, "", owner.user.ID.String()},
		{"an invented organization has no share of its own", owner.cookie, "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", owner.user.ID.String()},
		{"an invented cookie counts for its network", "connect.sid=invented", home, "198.51.100.7"},
		{"a request without a cookie counts for its network", "", home, "198.51.100.7"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = "198.51.100.7:1234"
			if c.cookie != "" {
				r.Header.Set("Cookie", c.cookie)
			}
			if group, _ := equityhttp.FlowOf(b.server, r, c.named); group != c.group {
				t.Errorf("counts for %s, want %s", group, c.group)
			}
		})
	}
}
