package processtest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
)

// Connections counts connections, and those that the peer has closed without an announcement: the client closes a connection itself after an answer with
// Connection: close.
type Connections struct {
	opened, closed atomic.Int64
}

// Watch makes the transport count its connections.
func (c *Connections) Watch(transport *http.Transport) *http.Transport {
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c.opened.Add(1)
		return watched{conn, c}, nil
	}
	return transport
}

// Opened returns the number of connections.
func (c *Connections) Opened() int64 { return c.opened.Load() }

// Closed returns the number of connections that the peer has closed or reset.
func (c *Connections) Closed() int64 { return c.closed.Load() }

type watched struct {
	net.Conn
	connections *Connections
}

// Read counts the end of the connection unless the client has closed it.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		w.connections.closed.Add(1)
	}
	return n, err
}
