package persistence

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// errSilent reports that the server neither answered nor accepted data within the store timeout. It does
// not implement net.Error with Timeout() true: pgx would keep such a connection open.
var errSilent = errors.New("the store did not answer within the store timeout")

// deadlineConn limits the duration of each read and each write. If a server is frozen or the network drops packets, the TCP
// connection stays established; without this limit a call without a deadline would never return. The limit
// counts from the start of each read, so a long result may take longer in total while it makes progress.
type deadlineConn struct {
	net.Conn
	limit time.Duration

	mu             sync.Mutex
	reading, wrote time.Time // the driver's own deadlines; zero if unset
}

// dialWithDeadline returns a dial function for connections with limited reads and writes.
func dialWithDeadline(dial pgconn.DialFunc, limit time.Duration) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &deadlineConn{Conn: conn, limit: limit}, nil
	}
}

// Read reads with the limit.
func (c *deadlineConn) Read(into []byte) (int, error) {
	c.arm(&c.reading, c.Conn.SetReadDeadline)
	number, err := c.Conn.Read(into)
	return number, c.expired(err, &c.reading)
}

// Write writes with the limit.
func (c *deadlineConn) Write(data []byte) (int, error) {
	c.arm(&c.wrote, c.Conn.SetWriteDeadline)
	number, err := c.Conn.Write(data)
	return number, c.expired(err, &c.wrote)
}

// arm sets the earlier of the driver's deadline and the limit. The mutex prevents it from undoing a deadline that the driver
// sets concurrently to interrupt the call.
func (c *deadlineConn) arm(own *time.Time, set func(time.Time) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	deadline := time.Now().Add(c.limit)
	if !own.IsZero() && own.Before(deadline) {
		deadline = *own
	}
	_ = set(deadline) // on a closed connection the next call fails
}

// expired converts a timeout to errSilent, unless the driver's own deadline has passed.
func (c *deadlineConn) expired(err error, own *time.Time) error {
	fault, isNet := errors.AsType[net.Error](err)
	if !isNet || !fault.Timeout() {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !own.IsZero() && !time.Now().Before(*own) {
		return err
	}
	return fmt.Errorf("%w (%s)", errSilent, c.limit)
}

// SetDeadline sets the driver's deadlines.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading, c.wrote = t, t
	return c.Conn.SetDeadline(t)
}

// SetReadDeadline sets the driver's deadline for reads.
func (c *deadlineConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading = t
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline sets the driver's deadline for writes.
func (c *deadlineConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote = t
	return c.Conn.SetWriteDeadline(t)
}
