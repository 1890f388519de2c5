package http

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/http/admission"
	"equity/http/api"
)

// Shedding returns a listener whose connections answer a request by themselves if the queue would refuse it at arrival.
// A refusal then costs one read and one write: the request is not parsed in full, no handler runs, nothing is logged.
// The listener must have been made by [StrictFraming], which knows where requests begin.
//
// Only requests whose head is received at once, in less than 4 KB, with a small body, and that need no check of their origin are
// answered here. The queue decides about all others, and about all requests while stopping reports true: the answers of this listener keep
// their connections open.
func (s *Server) Shedding(l net.Listener, stopping func() bool) net.Listener {
	return sheddingListener{l, s, stopping}
}

type sheddingListener struct {
	net.Listener
	server   *Server
	stopping func() bool
}

// Accept returns the next connection.
func (l sheddingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // the server distinguishes temporary errors
	}
	strict, is := conn.(*strictConn)
	if !is {
		return conn, nil
	}
	shedding := &sheddingConn{strictConn: strict, server: l.server, stopping: l.stopping}
	if peer, err := netip.ParseAddrPort(conn.RemoteAddr().String()); err == nil {
		address := peer.Addr().Unmap()
		shedding.proxied, shedding.network = trusted(address, l.server.settings.TrustedProxies), api.NetworkOf(address)
	}
	return shedding, nil
}

// sheddingConn refuses requests between those that the server reads.
type sheddingConn struct {
	*strictConn
	server   *Server
	stopping func() bool
	network  string // of the peer; empty if it is unknown
	proxied  bool   // the peer is a trusted proxy, so that its address is not the caller's
	answers  []byte // reused
	rest     int    // bytes of the body of the last refused request that have not arrived
}

// Times of a connection whose requests are refused.
const (
	shedWrite = 5 * time.Second
	// shedAtMost is the time after which the server reads a request again: its own limits begin with its wait.
	shedAtMost = 8 * time.Second
	shedIdle   = 2 * time.Minute
	shedHeader = 10 * time.Second
)

// Read returns bytes of a request that the server is to read. It does not return while requests are refused.
func (c *sheddingConn) Read(p []byte) (int, error) {
	// While a handler runs, the server reads a single byte in order to notice that the caller left.
	if len(p) == 1 || !c.framing.between() && c.rest == 0 {
		return c.strictConn.Read(p)
	}
	var began, extended time.Time
	for {
		n, err := c.strictConn.Read(p)
		passed := c.drop(n)
		passed += c.refuse(p[passed:n])
		if len(c.answers) > 0 {
			now := time.Now()
			if began.IsZero() {
				began = now
			}
			if now.Sub(extended) > time.Second || c.rest > 0 {
				extended = now
				c.within(now)
				_ = c.SetWriteDeadline(now.Add(shedWrite))
			}
			if _, failed := c.Write(c.answers); failed != nil {
				return 0, failed //nolint:wrapcheck // the server distinguishes the errors of a connection
			}
		}
		if passed < n || err != nil || extended.Sub(began) > shedAtMost {
			if !began.IsZero() {
				_ = c.SetReadDeadline(time.Now().Add(shedHeader))
			}
			return copy(p, p[passed:n]), err
		}
	}
}

// within sets the time for the rest of the body of a refused request, or for the next request.
func (c *sheddingConn) within(now time.Time) {
	allowed := shedIdle
	if c.rest > 0 {
		allowed = shedHeader
	}
	_ = c.SetReadDeadline(now.Add(allowed))
}

// drop returns the number of received bytes that belong to the body of a refused request.
func (c *sheddingConn) drop(received int) int {
	dropped := min(c.rest, received)
	if c.rest -= dropped; dropped > 0 && c.rest == 0 {
		c.within(time.Now())
	}
	return dropped
}

// refuse writes answers for the requests at the beginning of the data that the queue refuses, and returns their size. The rest of
// the body of the last one may be missing.
func (c *sheddingConn) refuse(data []byte) int {
	c.answers = c.answers[:0]
	passed := 0
	for passed < len(data) && !c.stopping() {
		head, plain := parseHead(data[passed:])
		if !plain {
			break
		}
		flow, known := c.flow(head)
		if !known {
			break
		}
		retry, refused := c.server.refuses(flow)
		if !refused {
			break
		}
		c.server.overload.note()
		c.answers = c.server.appendOverloaded(c.answers, head.requestID, retry)
		passed += head.size
	}
	c.rest += max(passed-len(data), 0)
	return min(passed, len(data))
}

// flow returns the flow of the request. It is unknown for a stranger behind a proxy.
func (c *sheddingConn) flow(head plainHead) (admission.Flow, bool) {
	if c.network == "" {
		return admission.Flow{}, false
	}
	sender := admission.Flow{Group: c.network, Caller: c.network}
	flow := c.server.familiar.flow(head.credential(), sender, string(head.organization))
	return flow, !c.proxied || flow != sender
}

// appendOverloaded appends an answer as [Server.failed] gives for a refusal of the queue.
func (s *Server) appendOverloaded(answer, requestID []byte, retry time.Duration) []byte {
	var own [requestIDLength]byte
	if len(requestID) == 0 {
		s.requests.next(&own)
		requestID = own[:]
	}
	const body = `{"error":"` + overloadedMessage + `","code":"` + string(fault.Overloaded) + `","requestId":"`
	answer = append(answer, s.shedHead...)
	answer = strconv.AppendInt(answer, int64((retry+time.Second-1)/time.Second), 10)
	answer = append(answer, "\r\nX-Request-Id: "...)
	answer = append(answer, requestID...)
	answer = append(answer, "\r\nContent-Length: "...)
	answer = strconv.AppendInt(answer, int64(len(body)+len(requestID)+len("\"}\n")), 10)
	answer = append(answer, "\r\n\r\n"+body...)
	answer = append(answer, requestID...)
	return append(answer, "\"}\n"...)
}

// newShedHead returns the part of the answer that is always the same.
func newShedHead(harden func(header http.Header, id string)) []byte {
	var head strings.Builder
	head.WriteString("HTTP/1.1 503 Service Unavailable\r\nContent-Type: " + api.ContentJSON + "\r\nCache-Control: no-store\r\n")
	header := map[string][]string{}
	harden(header, "")
	delete(header, "X-Request-Id")
	for name, values := range header {
		head.WriteString(name + ": " + values[0] + "\r\n")
	}
	head.WriteString("Retry-After: ")
	return []byte(head.String())
}
