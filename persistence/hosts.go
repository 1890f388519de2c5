package persistence

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// hostTimeout bounds the connection to one of several servers, so that time is left for the others.
	hostTimeout = time.Second
	// silentAfter is the time without an answer after which a server or a name server counts as silent. It bounds lookups.
	silentAfter = 500 * time.Millisecond
	// avoidSilent is the time for which a silent server or name is not asked again.
	avoidSilent = 2 * time.Second
)

var errAvoided = errors.New("the server did not answer a moment ago")

// hosts connects to one of several servers of an address. A server that refuses connections costs no time. One that does not answer, because its
// machine is down or cut off, would cost the time in which the next one could be reached. It is avoided for a moment, unless all are silent.
type hosts struct {
	find pgconn.LookupFunc
	dial pgconn.DialFunc

	mutex sync.Mutex
	// known are the last found addresses by name.
	known map[string][]string
	// silent contains the times at which names and addresses did not answer; zero for those that did.
	silent map[string]time.Time
}

// avoidSilentHosts makes the connections of an address with several servers independent of silent ones. A connect_timeout in the address has priority.
func avoidSilentHosts(config *pgx.ConnConfig, ownTimeout bool) {
	several := false
	for _, other := range config.Fallbacks {
		several = several || other.Host != config.Host || other.Port != config.Port
	}
	if !several {
		return
	}
	if !ownTimeout {
		config.ConnectTimeout = min(config.ConnectTimeout, hostTimeout)
	}
	h := &hosts{find: config.LookupFunc, dial: config.DialFunc, known: map[string][]string{}, silent: map[string]time.Time{}}
	config.LookupFunc, config.DialFunc = h.lookup, h.connect
}

// lookup returns the addresses of a name, or the last known ones if the name server does not answer.
func (h *hosts) lookup(ctx context.Context, name string) ([]string, error) {
	if known, avoided := h.avoidedName(name); avoided {
		return known, nil
	}
	limited, cancel := context.WithTimeout(ctx, silentAfter)
	defer cancel()
	found, err := h.find(limited, name)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if err == nil {
		h.known[name] = found
		delete(h.silent, name)
		return found, nil
	}
	if limited.Err() == nil {
		return nil, err
	}
	h.silent[name] = time.Now()
	if known := h.known[name]; known != nil {
		return known, nil
	}
	return nil, err
}

// avoidedName returns the known addresses of a name whose last lookup was not answered a moment ago.
func (h *hosts) avoidedName(name string) (known []string, avoided bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	known = h.known[name]
	return known, known != nil && time.Since(h.silent[name]) < avoidSilent
}

// connect connects to an address.
func (h *hosts) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if h.avoided(address) {
		return nil, errAvoided
	}
	began := time.Now()
	conn, err := h.dial(ctx, network, address)
	if err != nil {
		h.unanswered(address, began)
		return nil, err
	}
	return &hostConn{Conn: conn, hosts: h, address: address, began: began}, nil
}

// avoided reports whether the server was silent a moment ago and another one was not.
func (h *hosts) avoided(address string) bool {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if time.Since(h.silent[address]) >= avoidSilent {
		return false
	}
	for other, at := range h.silent {
		if other != address && at.IsZero() {
			return true
		}
	}
	return false
}

// answered notes that a server has answered.
func (h *hosts) answered(address string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.silent[address] = time.Time{}
}

// unanswered notes the end of an attempt without an answer. One that ended early was refused, or its caller stopped waiting.
func (h *hosts) unanswered(address string, began time.Time) {
	if time.Since(began) < silentAfter {
		return
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.silent[address] = time.Now()
}

// hostConn notes whether its server answers.
type hostConn struct {
	net.Conn

	hosts   *hosts
	address string
	began   time.Time
	noted   atomic.Bool
}

// Read reads from the connection.
func (c *hostConn) Read(into []byte) (int, error) {
	number, err := c.Conn.Read(into)
	if number > 0 && c.noted.CompareAndSwap(false, true) {
		c.hosts.answered(c.address)
	}
	return number, err
}

// Close closes the connection.
func (c *hostConn) Close() error {
	if c.noted.CompareAndSwap(false, true) {
		c.hosts.unanswered(c.address, c.began)
	}
	return c.Conn.Close()
}
