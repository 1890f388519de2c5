package http_test

import (
	"bufio"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	equityhttp "equity/http"
	"equity/persistence/storetest"
)

// fullListener has no descriptor for a connection as often as it is told.
type fullListener struct {
	net.Listener
	full *atomic.Int32
}

func (l fullListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil && l.full.Add(-1) >= 0 {
		_ = conn.Close()
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return conn, err
}

// idleFrom opens a connection from the address and receives an answer.
func idleFrom(t *testing.T, address, server string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = conn.Close() })
	if !isAnswered(conn) {
		t.Fatal("no answer")
	}
	return conn
}

func isAnswered(conn net.Conn) bool {
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: equity\r\n\r\n")); err != nil {
		return false
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil
}

func TestIdleConnectionsOfOneClientEndFirst(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), ReadHeaderTimeout: time.Minute}
	var connections equityhttp.IdleConnections
	connections.Watch(server)
	note, idle := server.ConnState, make(chan bool, 100)
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		note(conn, state)
		if state == http.StateIdle {
			idle <- true
		}
	}
	full := fullListener{listener, &atomic.Int32{}}
	go func() { _ = server.Serve(connections.Listener(full)) }()
	storetest.Cleanup(t, func() { _ = server.Close() })

	var many [8]net.Conn
	for i := range many {
		many[i] = idleFrom(t, "127.0.0.2", listener.Addr().String())
	}
	one := idleFrom(t, "127.0.0.3", listener.Addr().String())
	for range len(many) + 1 {
		<-idle
	}
	full.full.Store(1)
	refused, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = refused.Close()

	idleFrom(t, "127.0.0.4", listener.Addr().String())
	ended := 0
	for _, conn := range many {
		if !isAnswered(conn) {
			ended++
		}
	}
	if ended != len(many)/2 || !isAnswered(one) {
		t.Errorf("%d of %d connections of the client with the most have ended, and that of another one works: %t", ended, len(many), isAnswered(one))
	}
}

func TestQuietConnectionsAreAwaitedBriefly(t *testing.T) {
	t.Parallel()
	const quiet = 250 * time.Millisecond
	for name, test := range map[string]struct {
		idle, request bool          // an idle connection; it begins a request after 200 ms
		repeat        time.Duration // interval of the changes of another connection; 0 for none
		least, most   time.Duration
	}{
		"NoIdleConnection":         {false, false, 0, 0, 0},
		"IdleConnection":           {true, false, 0, quiet, quiet + 10*time.Millisecond},
		"LastRequest":              {true, true, 0, 200 * time.Millisecond, 210 * time.Millisecond},
		"ConnectionsInUse":         {true, false, 100 * time.Millisecond, 2 * time.Second, 2*time.Second + 10*time.Millisecond},
		"ConnectionsUnusedForLong": {true, false, time.Second, quiet, quiet + 10*time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var connections equityhttp.IdleConnections
				server := &http.Server{ReadHeaderTimeout: time.Minute}
				connections.Watch(server)
				one, other := net.Pipe()
				defer func() { _, _ = one.Close(), other.Close() }()
				if test.idle {
					server.ConnState(one, http.StateIdle)
				}
				if test.request {
					time.AfterFunc(200*time.Millisecond, func() { server.ConnState(one, http.StateActive) })
				}
				if test.repeat > 0 {
					ticker := time.NewTicker(test.repeat)
					defer ticker.Stop()
					go func() {
						for range 30 {
							<-ticker.C
							server.ConnState(other, http.StateActive)
						}
					}()
				}
				begin := time.Now()
				connections.AwaitQuiet()
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("waited for %s", took)
				}
				if test.repeat > 0 {
					time.Sleep(time.Minute) // of the bubble: the other connection ends
				}
			})
		})
	}
}
