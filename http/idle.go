package http

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"

	"equity/http/api"
)

// IdleConnections closes connections without a request when no descriptor is left for a new one: those of the client that has the most.
type IdleConnections struct {
	mu   sync.Mutex
	idle map[string]map[net.Conn]bool // by the network of the client
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
