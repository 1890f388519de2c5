package http_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// paceOf serves the handler with a grace period for bodies, and returns a connection to it.
func paceOf(t *testing.T, grace time.Duration, handler http.HandlerFunc) net.Conn {
	t.Helper()
	const rate = 64 << 10
	server := httptest.NewServer(equityhttp.Paced(handler, equityhttp.Pace{Grace: time.Minute, BodyGrace: grace, BytesPerSecond: rate}))
	storetest.Cleanup(t, server.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	return conn
}

func write(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

func TestStalledBodyIsRefusedAfterItsGrace(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"known length": "Content-Length: 100\r\n\r\nx", "unknown length": "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := apitest.Setup(t)
			conn := paceOf(t, 20*time.Millisecond, b.HTTP.ServeHTTP)
			write(t, conn, "POST /v1/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+head)
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			text, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusBadRequest || !strings.Contains(
				string(text), "at least 64 KB per second",
			) || !answer.Close {
				t.Errorf("%s %s %v", answer.Status, text, err)
			}
		})
	}
}

func TestTricklingBodyIsRefused(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	conn := paceOf(t, 50*time.Millisecond, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		failed <- err
	})
	write(t, conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
	for {
		_, _ = io.WriteString(conn, "x") // it fails after the refusal
		select {
		case err := <-failed:
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error(err)
			}
			return
		case <-time.After(5 * time.Millisecond): // the pace of the sender
		}
	}
}

// The sender takes longer than the grace, and sends at the minimum rate. The handler works longer than the grace afterwards.
func TestSteadyBodyIsReceivedAndItsRequestIsNotCancelled(t *testing.T) {
	t.Parallel()
	const grace, pieces = 400 * time.Millisecond, 10
	type outcome struct {
		size int
		err  error
	}
	done := make(chan outcome, 1)
	conn := paceOf(t, grace, func(_ http.ResponseWriter, r *http.Request) {
		content, err := io.ReadAll(r.Body)
		if err == nil {
			select {
			case <-r.Context().Done():
				err = context.Cause(r.Context())
			case <-time.After(grace + 50*time.Millisecond):
			}
		}
		done <- outcome{len(content), err}
	})
	write(t, conn, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
	piece := "4000\r\n" + strings.Repeat("x", 0x4000) + "\r\n" // 250 ms at the minimum rate
	for range pieces {
		write(t, conn, piece)
		<-time.After(50 * time.Millisecond) // the pace of the sender
	}
	write(t, conn, "0\r\n\r\n")
	if got := <-done; got.err != nil || got.size != pieces*0x4000 {
		t.Errorf("%d bytes, %v", got.size, got.err)
	}
}

// A claimed length allocates no memory for bytes that do not arrive.
func TestAnnouncedBodiesTakeNoMemory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	b := apitest.Setup(t)
	s := newStaller(t, b)
	const requests = 50
	grown := heapGrowth(func() {
		for range requests {
			s.stall("POST", "/v1/user/login", "{", api.MediaJSON, "", api.SmallBody)
		}
	})
	if grown > requests*api.SmallBody/2 {
		t.Errorf("%d KB for each request", grown/requests>>10)
	}
}
