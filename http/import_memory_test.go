package http_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/http/apitest"
)

// TestConcurrentRefusedFilesUseLittleMemory sends several files of the maximum size at the same time.
//
//nolint:paralleltest // it measures the memory of the process
func TestConcurrentRefusedFilesUseLittleMemory(t *testing.T) {
	b := apitest.Setup(t)
	var callers []*apitest.Client
	var paths []string
	for _, name := range []string{"a", "b", "c"} {
		c := b.NewPerson(t, name+"@example.com")
		callers, paths = append(callers, c), append(paths, c.NewOrganization(t)+"/import?kind=members")
	}
	file := strings.Repeat(",", 19<<20)
	grown := heapGrowth(func() {
		var wait sync.WaitGroup
		for i, c := range callers {
			wait.Go(func() {
				if got := c.Send(
					t, "POST", paths[i], file, "Content-Type", "text/csv",
				); got.Status != http.StatusBadRequest || !strings.Contains(got.Body, "tooLarge") {
					t.Errorf("%d %.300s", got.Status, got.Body)
				}
			})
		}
		wait.Wait()
	})
	if grown > 64<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
}

// heapGrowth returns the largest growth of the heap while the work runs. The samples do not stop the work.
func heapGrowth(work func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before := heap()
	most := before
	done := make(chan struct{})
	go func() { work(); close(done) }()
	for {
		select {
		case <-done:
			return most - before
		case <-time.After(time.Millisecond):
			most = max(most, heap())
		}
	}
}

// archive packs one file that consists of the parts.
func archive(t *testing.T, parts ...string) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed)
	})
	entry, err := w.Create("a.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if _, err := io.WriteString(entry, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// archiveOf returns an archive of empty files.
func archiveOf(t *testing.T, files int) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for i := range files {
		if _, err := w.CreateRaw(&zip.FileHeader{Name: strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// TestRefusedPackagesTakeLittleMemory sends small archives whose contents are large.
//
//nolint:paralleltest // it measures the memory of the process
func TestRefusedPackagesTakeLittleMemory(t *testing.T) {
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	path := owner.NewOrganization(t) + "/import"
	const begin = `{"file_type":"OCF_TRANSACTIONS_FILE","items":[`
	many := strings.Repeat(`{},`, 1<<20)
	for _, c := range []struct{ claim, body string }{
		{"objects beyond the limit", archive(t, begin, many, many)},
		{"one object of 50 MB", archive(t, begin, `{"id":"`, strings.Repeat("a", 50<<20))},
		{"300 MB of blanks", archive(t, begin, strings.Repeat(" ", 150<<20), strings.Repeat(" ", 150<<20))},
		{"a million levels", archive(t, strings.Repeat("[", 1<<20))},
		{"200,000 files", archiveOf(t, 200_000)},
	} {
		var got apitest.Answer
		grown := heapGrowth(func() { got = owner.Send(t, "POST", path, c.body, "Content-Type", "application/zip") })
		if got.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %.300s", c.claim, got.Status, got.Body)
		}
		if grown > 32<<20 {
			t.Errorf("%s: the heap grew by %d MB", c.claim, grown>>20)
		}
	}
}

// beginRequest sends a request with a streamed body.
func beginRequest(
	ctx context.Context, c *apitest.Client, method, path string, body io.Reader, headers ...string,
) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.Header.Set("Cookie", c.Cookie)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.HTTP.ServeHTTP(w, r)
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
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	path := owner.NewOrganization(t) + "/import?kind=members&dryRun=true"
	body := &stalled{begun: make(chan struct{}), release: make(chan struct{}), rest: bytes.NewReader([]byte("fullName\nGrace Hopper\n"))}
	first := make(chan int)
	go func() {
		w := beginRequest(context.Background(), owner, "POST", path, body, "Content-Type", "text/csv")
		first <- w.Code
	}()
	<-body.begun
	got := owner.Must(t, "POST", path, "fullName\nAda Lovelace\n", http.StatusTooManyRequests, "Content-Type", "text/csv")
	if got.Header.Get("Retry-After") != "5" {
		t.Errorf("%v", got.Header)
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
	owner.Must(t, "POST", path, "fullName\nAda Lovelace\n", http.StatusOK, "Content-Type", "text/csv")
}
