package bench_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"equity/cmd/equity/bench"
	"equity/persistence/storetest"
)

// setup starts a server with the handler and returns its address.
func setup(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	storetest.Cleanup(t, server.Close)
	return server.Listener.Addr().String()
}

// says starts a server that answers the first bytes of each connection with the text and closes it.
func says(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, text)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestRequestIsWhatAServerReads(t *testing.T) {
	t.Parallel()
	address := setup(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		cookie, err := r.Cookie("connect.sid")
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/a" || r.Host != "h" || cookie.Value != "s%3A1" ||
			string(body) != `{"a":1}` || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("X-More") != "yes" {
			t.Errorf("read %s %s of %s with %v: %s", r.Method, r.URL, r.Host, r.Header, body)
		}
		w.Header().Set("ETag", `"7"`)
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "made")
	})
	request := bench.NewRequest("POST", "/v1/a", "h", "s%3A1", []byte(`{"a":1}`), "X-More: yes")
	tag, body, err := bench.Exchange(t.Context(), address, request, 201, true)
	if err != nil || tag != `"7"` || string(body) != "made" {
		t.Errorf("tag %s, body %q, %v", tag, body, err)
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	get := bench.NewRequest("GET", "/", "h", "", nil)
	t.Run("an answer that was not read is skipped before the next one", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat("x", 300_000) // longer than any buffer
		address := setup(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "300000")
			_, _ = io.WriteString(w, long)
		})
		if err := bench.ExchangeTwice(t.Context(), address, get, 200); err != nil {
			t.Error(err)
		}
	})
	t.Run("an answer with an unexpected status is an error with its text", func(t *testing.T) {
		t.Parallel()
		address := setup(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such thing", http.StatusNotFound) })
		_, _, err := bench.Exchange(t.Context(), address, get, 200, false)
		if err == nil || !strings.Contains(err.Error(), "status 404, not 200: no such thing") {
			t.Error(err)
		}
	})
	for _, status := range []int{http.StatusNotModified, http.StatusNoContent} {
		t.Run("an answer with the status "+http.StatusText(status)+" needs no length", func(t *testing.T) {
			t.Parallel()
			address := setup(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			if err := bench.ExchangeTwice(t.Context(), address, get, status); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAnswerThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim, text string
		none        bool // the text is detectably not an HTTP response
	}{
		{"an empty answer", "", false},
		{"another protocol", "220 ready\r\n\r\n", true},
		{"an answer cut off in its headers", "HTTP/1.1 200 OK\r\nContent-Le", false},
		{"an answer cut off in its body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", false},
		{"an answer of unknown length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		{"an invalid length", "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", true},
		{"a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", true},
		{"a header without end", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 100_000), false},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			_, _, err := bench.Exchange(t.Context(), says(t, test.text), bench.NewRequest("GET", "/", "h", "", nil), 200, true)
			if err == nil || test.none != errors.Is(err, bench.ErrAnswer) {
				t.Errorf("error is %v", err)
			}
		})
	}
	if _, _, err := bench.Exchange(t.Context(), "127.0.0.1:1", nil, 200, false); err == nil {
		t.Error("a server that is not there answers")
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	get := bench.NewRequest("GET", "/", "h", "", nil)
	t.Run("a load counts every answer once", func(t *testing.T) {
		t.Parallel()
		var served atomic.Int64
		address := setup(t, func(http.ResponseWriter, *http.Request) { served.Add(1) })
		done, rate, err := bench.Load(t.Context(), address, 4, 50*time.Millisecond, 200, get)
		if err != nil || done == 0 || done != served.Load() || rate <= 0 || rate > float64(done)/0.05 {
			t.Errorf("%d counted of %d at %f a second: %v", done, served.Load(), rate, err)
		}
	})
	t.Run("a load ends with the first unexpected answer", func(t *testing.T) {
		t.Parallel()
		var served atomic.Int64
		address := setup(t, func(w http.ResponseWriter, _ *http.Request) {
			if served.Add(1) > 20 {
				w.WriteHeader(http.StatusConflict)
			}
		})
		_, _, err := bench.Load(t.Context(), address, 4, time.Hour, 200, get)
		if err == nil || !strings.Contains(err.Error(), "status 409") {
			t.Error(err)
		}
	})
	t.Run("a load does not begin after the end of its context", func(t *testing.T) {
		t.Parallel()
		address := setup(t, func(http.ResponseWriter, *http.Request) { t.Error("asked") })
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := bench.Load(ctx, address, 4, time.Hour, 200, get); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
