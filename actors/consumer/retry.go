package consumer

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"
)

// The delays between attempts: full jitter below a bound that doubles from the first to the longest.
const (
	firstDelay   = time.Second
	longestDelay = 5 * time.Minute
)

// Delay returns the delay after so many consecutive failures, at least 1. It is random below the bound.
func Delay(failures int) time.Duration {
	bound := longestDelay
	if doublings := max(failures, 1) - 1; doublings < 9 { // 1 s·2⁹ exceeds the longest
		bound = min(firstDelay<<doublings, longestDelay)
	}
	return rand.N(bound) + 1 //nolint:gosec // only spreads attempts
}

// permanent marks an error that no further attempt can repair.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent marks an error that no further attempt can repair. The instance stops at the event.
func Permanent(err error) error { return permanent{err} }

func isPermanent(err error) bool {
	_, is := errors.AsType[permanent](err)
	return is
}

// postponed marks an error with the earliest time of the next attempt.
type postponed struct {
	error
	until   time.Time
	uncount bool
}

func (p postponed) Unwrap() error { return p.error }

// Postpone returns the error with the earliest time of the next attempt, as requested by a service.
func Postpone(err error, until time.Time) error { return postponed{error: err, until: until} }

// Wait returns the error of an attempt that was not made, because the service is known to be unavailable until that time. It
// does not count as a failure.
func Wait(err error, until time.Time) error {
	return postponed{error: err, until: until, uncount: true}
}

// RetryAfter returns the time of a Retry-After header: seconds or a date. It is zero without one, and at most a day ahead.
func RetryAfter(header http.Header, now time.Time) time.Time {
	const most = 24 * time.Hour
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return now.Add(min(time.Duration(min(seconds, int(most/time.Second)))*time.Second, most))
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return now.Add(min(at.Sub(now), most))
	}
	return time.Time{}
}

// The circuit breaker of a host: so many failures within the window open it for a time.
const (
	breakerFailures = 5
	breakerWindow   = 30 * time.Second
	breakerBucket   = time.Second
	breakerOpen     = 30 * time.Second
	// mostBreakers bounds the remembered hosts.
	mostBreakers = 10_000
)

// ErrOpen reports that the circuit breaker of the host is open, so that no call was made.
var ErrOpen = errors.New("the service failed repeatedly and is not called for now")

// Breakers are the circuit breakers of hosts. They are shared by all organizations and safe for concurrent use.
type Breakers struct {
	mu    sync.Mutex
	hosts map[string]*breaker
}

type breaker struct {
	*gobreaker.TwoStepCircuitBreaker[struct{}]

	mu     sync.Mutex
	opened time.Time
}

// NewBreakers returns breakers that are closed.
func NewBreakers() *Breakers { return &Breakers{hosts: map[string]*breaker{}} }

// Allow returns a function that reports the outcome of the call to the host, with nil for success. If the breaker is open, it
// returns an error that wraps ErrOpen with the time of the next attempt.
func (b *Breakers) Allow(host string, now time.Time) (done func(error), err error) {
	found := b.of(host)
	finish, err := found.Allow()
	if err == nil {
		return finish, nil
	}
	found.mu.Lock()
	defer found.mu.Unlock()
	until := found.opened.Add(breakerOpen)
	if !until.After(now) { // half open: another call is the probe
		until = now.Add(time.Second)
	}
	return nil, Wait(ErrOpen, until)
}

func (b *Breakers) of(host string) *breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	if found, ok := b.hosts[host]; ok {
		return found
	}
	if len(b.hosts) >= mostBreakers {
		clear(b.hosts) // closed breakers are cheap to learn again
	}
	made := &breaker{}
	made.TwoStepCircuitBreaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		Name: host, MaxRequests: 1, Interval: breakerWindow, BucketPeriod: breakerBucket, Timeout: breakerOpen,
		ReadyToTrip: func(counts gobreaker.Counts) bool { return counts.TotalFailures >= breakerFailures },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				made.mu.Lock()
				defer made.mu.Unlock()
				made.opened = time.Now()
			}
		},
	})
	b.hosts[host] = made
	return made
}
