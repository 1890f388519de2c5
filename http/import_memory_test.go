package http_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestConcurrentRefusedFilesUseLittleMemory sends several files of the maximum size at the same time.
//
//nolint:paralleltest // it measures the memory of the process
func TestConcurrentRefusedFilesUseLittleMemory(t *testing.T) {
	b := setup(t)
	var callers []*client
	var paths []string
	for _, name := range []string{"a", "b", "c"} {
		c := b.person(t, name+"@example.com")
		callers, paths = append(callers, c), append(paths, c.company(t)+"/import?kind=members")
	}
	file := strings.Repeat(",", 19<<20)
	const ceiling = 64 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, most := stats.HeapAlloc, stats.HeapAlloc
	var wait sync.WaitGroup
	for i, c := range callers {
		wait.Go(func() {
			if got := c.send(t, "POST", paths[i], file, "Content-Type", "text/csv"); got.status != http.StatusBadRequest || !strings.Contains(got.body, "tooLarge") {
				t.Errorf("%d %.300s", got.status, got.body)
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
			runtime.Gosched()
		}
	}
	if took := most - before; took > ceiling {
		t.Errorf("the heap grew by %d MB", took>>20)
	}
}

// begin sends a request with a streamed body.
func (c *client) begin(ctx context.Context, method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.Header.Set("Cookie", c.cookie)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	return w
}

// stalled is a body that blocks until it is released.
type stalled struct {
	begun, release chan struct{}
	once           sync.Once
	rest           *bytes.Reader
}

func (s *stalled) Read(into []byte) (int, error) {
	s.once.Do(func() { close(s.begun) })
	<-s.release
	return s.rest.Read(into)
}

func TestConcurrentImportOfTheSameCallerIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	path := owner.company(t) + "/import?kind=members&dryRun=true"
	body := &stalled{begun: make(chan struct{}), release: make(chan struct{}), rest: bytes.NewReader([]byte("fullName\nGrace Hopper\n"))}
	first := make(chan int)
	go func() {
		w := owner.begin(context.Background(), "POST", path, body, "Content-Type", "text/csv")
		first <- w.Code
	}()
	<-body.begun
	got := owner.must(t, "POST", path, "fullName\nAda Lovelace\n", http.StatusTooManyRequests, "Content-Type", "text/csv")
	if got.header.Get("Retry-After") != "5" {
		t.Errorf("%v", got.header)
	}
	close(body.release)
	select {
	case status := <-first:
		if status != http.StatusOK {
			t.Errorf("the first import: %d", status)
		}
	case <-time.After(time.Minute):
		t.Fatal("the first import does not end")
	}
	owner.must(t, "POST", path, "fullName\nAda Lovelace\n", http.StatusOK, "Content-Type", "text/csv")
}
