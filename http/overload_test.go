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
	"equity/http/apitest"
)

// setupSerial starts a server that processes one request at a time.
func setupSerial(t *testing.T, wait time.Duration) *apitest.Server {
	t.Helper()
	return apitest.Setup(t, func(settings *equityhttp.Settings, _ *equityhttp.Services) {
		settings.Queue = equityhttp.QueueSettings{Parallel: 1, Wait: wait}
	})
}

func TestOverloadIsRefusedWithRetryAfter(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.HTTP, 1)
	got := b.Anonymous().Must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	if got.Text(t, "code") != "overloaded" || got.Header.Get("Retry-After") != "1" {
		t.Errorf("%s, Retry-After %q", got.Body, got.Header.Get("Retry-After"))
	}
}

func TestOverloadRefusesPages(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.HTTP, 1)
	b.Anonymous().Must(t, "GET", "/share/x", "", http.StatusServiceUnavailable)
}

func TestRefusedRequestsAreNotLoggedOneByOne(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.HTTP, 1)
	for range 5 {
		b.Anonymous().Must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	}
	if lines := strings.Count(b.Log.String(), "level=WARN") + strings.Count(b.Log.String(), "level=INFO"); lines != 1 {
		t.Errorf("%d lines:\n%s", lines, b.Log)
	}
}

func TestRefusedRequestsAreCounted(t *testing.T) {
	t.Parallel()
	b := setupSerial(t, time.Millisecond)
	equityhttp.TakeSlots(b.HTTP, 1)
	b.Anonymous().Must(t, "GET", "/v1/organization", "", http.StatusServiceUnavailable)
	families, err := b.Metrics.Gather()
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
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	equityhttp.RefuseArrivals(b.HTTP, everybody)
	reading := make(chan struct{})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/organization", &signalingReader{strings.NewReader(`{"name":"A"}`), reading})
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", owner.Cookie)
	r.ContentLength = int64(len(`{"name":"A"}`))
	w := httptest.NewRecorder()
	b.HTTP.ServeHTTP(w, r)
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
			owner := b.NewPerson(t, "owner@example.com")
			ctx, leave := context.WithCancel(t.Context())
			body, sender := io.Pipe()
			reading := make(chan struct{})
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/organization", &signalingReader{body, reading})
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", owner.Cookie)
			r.ContentLength = length
			done := make(chan struct{})
			go func() { b.HTTP.ServeHTTP(httptest.NewRecorder(), r); close(done) }()
			<-reading
			owner.Must(t, "GET", "/v1/organization", "", http.StatusOK)
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
	owner := b.NewPerson(t, "owner@example.com")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/organization", nil)
	r.Header.Set("Cookie", owner.Cookie)
	slow := &slowWriter{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), read: make(chan struct{})}
	done := make(chan struct{})
	go func() { b.HTTP.ServeHTTP(slow, r); close(done) }()
	<-slow.writing
	owner.Must(t, "GET", "/v1/organization", "", http.StatusOK)
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
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := apitest.IDOf(owner.NewOrganization(t))
	owner.Must(t, "GET", "/v1/organization/"+home, "", http.StatusOK)
	for _, c := range []struct{ claim, cookie, named, group string }{
		{"a member's request counts for the organization", owner.Cookie, home, home},
		{"a request outside of organizations counts for the user", owner.Cookie, "", owner.User.ID.String()},
		{"an invented organization has no share of its own", owner.Cookie, "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", owner.User.ID.String()},
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
			if group, _ := equityhttp.FlowOf(b.HTTP, r, c.named); group != c.group {
				t.Errorf("counts for %s, want %s", group, c.group)
			}
		})
	}
}
