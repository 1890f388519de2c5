package http

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"equity/http/api"
)

// IdleConnections closes connections without a request when no descriptor is left for a new one: those of the client that has the most.
type IdleConnections struct {
	mu   sync.Mutex
	idle map[string]map[net.Conn]bool // by the network of the client
	// changes is the number of changes of states.
	changes uint64
}

// Watch makes the server report the states of its connections.
func (i *IdleConnections) Watch(server *http.Server) {
	i.idle = map[string]map[net.Conn]bool{}
	server.ConnState = i.note
}

func (i *IdleConnections) note(conn net.Conn, state http.ConnState) {
	network := peerNetwork(conn)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.changes++
	if state != http.StateNew && state != http.StateIdle {
		delete(i.idle[network], conn)
		if len(i.idle[network]) == 0 {
			delete(i.idle, network)
		}
		return
	}
	if i.idle[network] == nil {
		i.idle[network] = map[net.Conn]bool{}
	}
	i.idle[network][conn] = true
}

// release closes half of the idle connections of the client that has the most, and reports whether there were any.
func (i *IdleConnections) release() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	var most map[net.Conn]bool
	for _, connections := range i.idle {
		if len(connections) > len(most) {
			most = connections
		}
	}
	left := len(most) / 2
	for conn := range most {
		if len(most) == left {
			break
		}
		delete(most, conn)
		_ = conn.Close()
	}
	return most != nil
}

// Times of a server that stops, after its listener was closed.
const (
	// quietTime is the time without a request after which idle connections may be closed.
	quietTime = 250 * time.Millisecond
	// quietWithin limits the wait for it.
	quietWithin = 2 * time.Second
	quietPoll   = 5 * time.Millisecond
)

// AwaitQuiet waits until no connection is idle, or no connection has begun or ended a request for a quarter of a second, for at most two seconds.
// The server must have no listener any more, and must answer each request with Connection: close. A caller that just sends its next request on an
// idle connection then receives an answer instead of the end of the connection.
func (i *IdleConnections) AwaitQuiet() {
	ticker := time.NewTicker(quietPoll)
	defer ticker.Stop()
	begin := time.Now()
	since, last := begin, uint64(0)
	for now := begin; now.Sub(begin) < quietWithin; now = <-ticker.C {
		i.mu.Lock()
		idle, changes := len(i.idle), i.changes
		i.mu.Unlock()
		if changes != last {
			since, last = now, changes
		}
		if idle == 0 || now.Sub(since) >= quietTime {
			return
		}
	}
}

// Listener returns a listener that releases idle connections instead of failing for want of descriptors.
func (i *IdleConnections) Listener(l net.Listener) net.Listener { return releasingListener{l, i} }

type releasingListener struct {
	net.Listener
	connections *IdleConnections
}

// Accept returns the next connection.
func (l releasingListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) || !l.connections.release() {
			return conn, err //nolint:wrapcheck // the server distinguishes temporary errors
		}
	}
}

func peerNetwork(conn net.Conn) string {
	peer, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return ""
	}
	return api.NetworkOf(peer.Addr().Unmap())
}
