package consumer

import (
	"errors"
	"sync"
	"time"
)

// The circuit breaker of a host: 5 failures within 30 seconds open it for 30 seconds. The first call afterwards is a
// probe. A successful probe closes the breaker, and a failed one opens it again.
const (
	breakerFailures = 5
	breakerWindow   = 30 * time.Second
	breakerOpen     = 30 * time.Second
	// mostBreakers bounds the remembered hosts.
	mostBreakers = 10_000
)

// ErrOpen reports that the circuit breaker of the host is open, so that no call was made.
var ErrOpen = errors.New("the service failed repeatedly and is not called for now")

// Breakers are the circuit breakers of hosts. They are shared by all organizations and safe for concurrent use.
type Breakers struct {
	now func() time.Time

	mu    sync.Mutex
	hosts map[string]*breaker
}

// breaker is the state of one host with recent failures.
type breaker struct {
	failures [breakerFailures]time.Time // ring
	next     int                        // position of the oldest failure
	opened   time.Time                  // zero while the breaker is closed
	probed   time.Time                  // start of the running probe; zero without one
}

// NewBreakers returns breakers that are closed. They use the clock of the consumers.
func NewBreakers(now func() time.Time) *Breakers {
	return &Breakers{now: now, hosts: map[string]*breaker{}}
}

// Allow returns a function that reports the outcome of the call to the host, with nil for success. If the breaker is open, it
// returns an error that wraps ErrOpen with the time of the next attempt.
func (b *Breakers) Allow(host string) (done func(error), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	probe := false
	if found := b.hosts[host]; found != nil && !found.opened.IsZero() {
		now := b.now()
		until := found.opened.Add(breakerOpen)
		if until.After(now) {
			return nil, Wait(ErrOpen, until)
		}
		if !found.probed.IsZero() && now.Before(found.probed.Add(breakerOpen)) { // a probe without an outcome expires
			return nil, Wait(ErrOpen, now.Add(time.Second))
		}
		found.probed, probe = now, true
	}
	return func(cause error) { b.report(host, cause == nil, probe) }, nil
}

// report records the outcome of a call.
func (b *Breakers) report(host string, succeeded, probe bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := b.hosts[host]
	switch {
	case succeeded && (found == nil || probe):
		delete(b.hosts, host)
		return
	case succeeded:
		return
	case found == nil:
		if len(b.hosts) >= mostBreakers {
			clear(b.hosts) // the state of a host is learned again from its next failures
		}
		found = &breaker{}
		b.hosts[host] = found
	}
	now := b.now()
	if probe {
		found.probed, found.opened = time.Time{}, now
		return
	}
	found.failures[found.next] = now
	found.next = (found.next + 1) % breakerFailures
	if oldest := found.failures[found.next]; found.opened.IsZero() && !oldest.IsZero() && now.Sub(oldest) <= breakerWindow {
		found.opened = now
	}
}
