package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/gomodule/redigo/redis"
)

// loader checks sessions: one GETEX each, which reads the value and pushes its expiry forward in a single round trip.
//
// Checks that arrive while a round trip is under way wait, and all leave together in the next. There is no goroutine
// for it: the first caller to find the connection free sends everything that waits and hands out the answers, and
// then the connection to somebody who waits. Alone, a caller pays for its own round trip and for no switch between
// goroutines; together, 256 callers share a handful of system calls.
type loader struct {
	pool   *redis.Pool
	prefix string
	idle   any // seconds; boxed once

	mu      sync.Mutex
	waiting []*check // behind the round trip under way
	spare   []*check // the slice of the last round trip, to be used again
	leading bool     // somebody has the connection
	closed  bool

	conn redis.Conn // used by the leader only
	free sync.Pool  // of *check
}

// check is one session to look up.
type check struct {
	key   string
	value []byte
	err   error
	turn  chan turn
}

// turn is what ends a caller's wait.
type turn bool

const (
	answered turn = true  // the check is done
	lead     turn = false // the connection is the caller's: it sends for all who wait, itself included
)

func newLoader(pool *redis.Pool, prefix string, idle int) *loader {
	l := &loader{pool: pool, prefix: prefix, idle: idle}
	l.free.New = func() any { return &check{turn: make(chan turn, 1)} }
	return l
}

var errClosed = errors.New("the session store is closed")

// load returns a session's value, false when there is none, and an error when Redis does not answer.
func (l *loader) load(id string) ([]byte, bool, error) {
	c, _ := l.free.Get().(*check)
	c.key = l.prefix + id
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil, false, errClosed
	}
	l.waiting = append(l.waiting, c)
	first := !l.leading
	l.leading = true
	l.mu.Unlock()
	if first || <-c.turn == lead {
		l.lead(c)
	}
	value, err := c.value, c.err
	c.key, c.value, c.err = "", nil, nil
	l.free.Put(c)
	if err != nil {
		return nil, false, fmt.Errorf("check session: %w", err)
	}
	return value, value != nil, nil
}

// lead sends for everybody who waits, hands the connection on, and then the answers out.
func (l *loader) lead(own *check) {
	l.mu.Lock()
	batch := l.waiting
	l.waiting, l.spare = l.spare[:0], nil
	l.mu.Unlock()

	l.exchange(batch)

	l.mu.Lock()
	var next *check
	if len(l.waiting) > 0 {
		next = l.waiting[0]
	} else {
		l.leading = false
		if l.closed {
			l.drop()
		}
	}
	l.mu.Unlock()
	if next != nil {
		next.turn <- lead
	}
	for _, c := range batch {
		if c != own {
			c.turn <- answered
		}
	}
	clear(batch)
	l.mu.Lock()
	l.spare = batch[:0]
	l.mu.Unlock()
}

// exchange makes the round trip. A connection that broke since it was last used is replaced once: to check again does
// no harm. One that does not answer in time is not waited for a second time.
func (l *loader) exchange(batch []*check) {
	reused := l.conn != nil
	done, err := l.attempt(batch)
	if err != nil && reused && !isTimeout(err) {
		done, err = l.attempt(batch)
	}
	if err != nil {
		for _, c := range batch[done:] {
			c.value, c.err = nil, err
		}
	}
}

// attempt sends the checks and reads the answers. It returns how many were answered; when it fails, the connection is
// dropped.
func (l *loader) attempt(batch []*check) (done int, err error) {
	defer func() {
		if err != nil {
			l.drop()
		}
	}()
	if l.conn == nil {
		if l.conn, err = l.pool.DialContext(context.Background()); err != nil {
			l.conn = nil
			return 0, err
		}
	}
	for _, c := range batch {
		if err := l.conn.Send("GETEX", c.key, "EX", l.idle); err != nil {
			return 0, err
		}
	}
	if err := l.conn.Flush(); err != nil {
		return 0, err
	}
	for i, c := range batch {
		reply, err := l.conn.Receive()
		if refusal, isRefusal := errors.AsType[redis.Error](err); isRefusal {
			c.value, c.err = nil, refusal // of this check alone
			continue
		}
		if err != nil {
			return i, err
		}
		c.value, _ = reply.([]byte)
		c.err = nil
	}
	return len(batch), nil
}

func (l *loader) drop() {
	if l.conn != nil {
		_ = l.conn.Close() // it failed already, or nobody needs it any more
		l.conn = nil
	}
}

// close refuses further checks. Those under way are answered; the last of them closes the connection.
func (l *loader) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if !l.leading {
		l.drop()
	}
	return nil
}

func isTimeout(err error) bool {
	fault, isNet := errors.AsType[net.Error](err)
	return isNet && fault.Timeout()
}

// closing gives a connection back and joins what went wrong.
func closing(conn redis.Conn, err error) error { return errors.Join(err, conn.Close()) }
