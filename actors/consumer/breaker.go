package consumer

import (
	"errors"
	"sync"
	"time"
)

// The circuit breaker of a service: 5 failures within 30 seconds, apart from the time of the calls, open it for 30 seconds. The first call
// afterwards is a probe, and a failed probe opens it again. Any success closes it and ends the count of failures.
const (
	breakerFailures = 5
	breakerWindow   = 30 * time.Second
	breakerOpen     = 30 * time.Second
	// mostBreakers bounds the remembered services.
	mostBreakers = 10_000
)

// ErrOpen reports that the circuit breaker of the service is open, so that no call was made.
var ErrOpen = errors.New("the service failed repeatedly and is not called for now")

// Breakers are the circuit breakers of services by their keys: a host whose outcome is the same for all organizations, or an organization with
// an address. They are safe for concurrent use.
type Breakers struct {
	now func() time.Time

	mu       sync.Mutex
	services map[string]*breaker
}

// breaker is the state of one service with recent failures.
type breaker struct {
	failures [breakerFailures]time.Time // ring
	next     int                        // position of the oldest failure
	opened   time.Time                  // zero while the breaker is closed
	probed   time.Time                  // start of the running probe; zero without one
}

// NewBreakers returns breakers that are closed. They use the clock of the consumers.
func NewBreakers(now func() time.Time) *Breakers {
	return &Breakers{now: now, services: map[string]*breaker{}}
}

// OpenUntil returns the time of the next probe of an open breaker; zero if it is closed.
func (b *Breakers) OpenUntil(key string) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if found := b.services[key]; found != nil && !found.opened.IsZero() {
		return found.opened.Add(breakerOpen)
	}
	return time.Time{}
}

// Allow returns a function that reports the outcome of the call to the service, with nil for success. If the breaker is open, it
// returns an error that wraps ErrOpen with the time of the next attempt.
func (b *Breakers) Allow(key string) (done func(error), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	probe, now := false, b.now()
	if found := b.services[key]; found != nil && !found.opened.IsZero() {
		until := found.opened.Add(breakerOpen)
		if until.After(now) {
			return nil, Wait(ErrOpen, until)
		}
		if !found.probed.IsZero() && now.Before(found.probed.Add(breakerOpen)) { // a probe without an outcome expires
			return nil, Wait(ErrOpen, now.Add(time.Second))
		}
		found.probed, probe = now, true
	}
	return func(cause error) { b.report(key, now, cause == nil, probe) }, nil
}

// report records the outcome of a call that began at the time.
func (b *Breakers) report(key string, began time.Time, succeeded, probe bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if succeeded {
		delete(b.services, key)
		return
	}
	found := b.services[key]
	if found == nil {
		if len(b.services) >= mostBreakers {
			clear(b.services) // the state of a service is learned again from its next failures
		}
		found = &breaker{}
		b.services[key] = found
	}
	now := b.now()
	if probe {
		found.probed, found.opened = time.Time{}, now
		return
	}
	found.failures[found.next] = now
	found.next = (found.next + 1) % breakerFailures
	if oldest := found.failures[found.next]; found.opened.IsZero() && !oldest.IsZero() && began.Sub(oldest) <= breakerWindow {
		found.opened = now
	}
}
