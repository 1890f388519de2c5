package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gomodule/redigo/redis"
)

// loader reads sessions with one round trip each: with GETEX, which extends the expiry, or with GET and PTTL, which changes nothing.
//
// Checks that arrive during a round trip wait and are sent together in the next one. There is no separate goroutine:
// the first caller that finds the connection free sends all waiting checks, distributes the replies, and passes
// the connection to a waiting caller. A single caller pays only for its own round trip, without a switch between
// goroutines; 256 concurrent callers share a few system calls.
type loader struct {
	pool   *redis.Pool
	prefix string
	idle   any // seconds; boxed once

	mu      sync.Mutex
	waiting []*check // waiting for the next round trip
	spare   []*check // the slice of the last round trip, for reuse
	leading bool     // somebody has the connection
	closed  bool

	conn redis.Conn // used by the leader only
	free sync.Pool  // of *check
}

// check is one session to look up.
type check struct {
	key    string
	extend bool // the expiry
	value  []byte
	left   int64 // ms until the expiry, if it is not extended
	err    error
	turn   chan turn
}

// turn ends a caller's wait.
type turn bool

const (
	answered turn = true  // the check is done
	lead     turn = false // the caller owns the connection and sends all waiting checks, including its own
)

func newLoader(pool *redis.Pool, prefix string, idle int) *loader {
	l := &loader{pool: pool, prefix: prefix, idle: idle}
	l.free.New = func() any { return &check{turn: make(chan turn, 1)} }
	return l
}

var errClosed = errors.New("the session store is closed")

// load returns a session's value, or nil if it does not exist, and its remaining time to live unless the expiry is extended. It
// returns an error if Redis does not answer.
func (l *loader) load(key string, extend bool) ([]byte, time.Duration, error) {
	c, _ := l.free.Get().(*check)
	c.key, c.extend, c.left = l.prefix+key, extend, 0
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil, 0, errClosed
	}
	l.waiting = append(l.waiting, c)
	first := !l.leading
	l.leading = true
	l.mu.Unlock()
	if first || <-c.turn == lead {
		l.lead(c)
	}
	value, left, err := c.value, time.Duration(c.left)*time.Millisecond, c.err
	c.key, c.value, c.err = "", nil, nil
	l.free.Put(c)
	if err != nil {
		return nil, 0, fmt.Errorf("check session: %w", err)
	}
	return value, left, nil
}

// lead sends all waiting checks, passes the connection on, and then distributes the replies.
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

// exchange makes the round trip. A connection that broke while idle is replaced once, because repeating a check is
// harmless. After a timeout there is no second attempt.
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

// attempt sends the checks and reads the replies. It returns the number of answered checks. On failure it drops the
// connection.
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
		if err := l.send(c); err != nil {
			return 0, err
		}
	}
	if err := l.conn.Flush(); err != nil {
		return 0, err
	}
	for i, c := range batch {
		if err := l.receive(c); err != nil {
			return i, err
		}
	}
	return len(batch), nil
}

func (l *loader) send(c *check) error {
	if c.extend {
		return l.conn.Send("GETEX", c.key, "EX", l.idle)
	}
	if err := l.conn.Send("GET", c.key); err != nil {
		return err
	}
	return l.conn.Send("PTTL", c.key)
}

// receive reads the replies of one check. A refusal of Redis applies to this check only.
func (l *loader) receive(c *check) error {
	reply, err := l.conn.Receive()
	refusal, isRefusal := errors.AsType[redis.Error](err)
	if err != nil && !isRefusal {
		return err
	}
	c.value, _ = reply.([]byte)
	c.err = nil
	if !c.extend {
		left, err := redis.Int64(l.conn.Receive())
		if other, isRefusal := errors.AsType[redis.Error](err); isRefusal {
			refusal = other
		} else if err != nil {
			return err
		}
		c.left = left
	}
	if refusal != "" {
		c.value, c.err = nil, refusal
	}
	return nil
}

func (l *loader) drop() {
	if l.conn != nil {
		_ = l.conn.Close() // it has failed or is no longer needed
		l.conn = nil
	}
}

// close refuses further checks. Running checks are completed; the last one closes the connection.
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

// closing closes a connection and joins the errors.
func closing(conn redis.Conn, err error) error { return errors.Join(err, conn.Close()) }
