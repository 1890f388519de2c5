package consumer

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// The delays between attempts: full jitter below a bound that doubles from the first to the longest.
const (
	firstDelay   = time.Second
	longestDelay = 5 * time.Minute
)

// Delay returns the delay after so many consecutive failures, at least 1. It is random below the bound.
func Delay(failures int) time.Duration { return delay(failures, rand.N[time.Duration]) }

func delay(failures int, jitter func(below time.Duration) time.Duration) time.Duration {
	bound := longestDelay
	if doublings := max(failures, 1) - 1; doublings < 9 { // 1 s·2⁹ exceeds the longest
		bound = min(firstDelay<<doublings, longestDelay)
	}
	return jitter(bound) + 1
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

// NotBefore returns the earliest time of the next attempt that the error names; zero without one.
func NotBefore(err error) time.Time {
	postponement, _ := errors.AsType[postponed](err)
	return postponement.until
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
