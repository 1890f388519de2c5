package webhook

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// answerWait is the time after which a round no longer waits for an answer. Later events have their first attempts meanwhile.
	answerWait = 2 * time.Second
	// flightTime is the time after which an attempt without an outcome is repeated, for example after a crash. The attempt has ended before.
	flightTime = attemptTime + 5*time.Second
	// keepLanded is the time for which an outcome is kept that no round takes, because another server has the organization.
	keepLanded = time.Minute
)

// flight is an attempt that has outlasted its round. The store has its delivery with another attempt at the time repeated.
type flight struct {
	delivery Delivery
	repeated time.Time
	cancel   context.CancelFunc
	failure  error
	landed   bool // delivery and failure are the outcome
}

// flights are the attempts that have outlasted their rounds, by the keys of webhooks. They are safe for concurrent use.
type flights struct {
	mu sync.Mutex
	of map[string][]*flight
}

func newFlights() *flights { return &flights{of: map[string][]*flight{}} }

// start adds an attempt.
func (f *flights) start(key string, one *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[key] = append(f.of[key], one)
}

// land stores the outcome of an attempt for the next round.
func (f *flights) land(key string, one *flight, d Delivery, failure error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	one.delivery, one.failure, one.landed = d, failure, true
	time.AfterFunc(keepLanded, func() { f.remove(key, func(other *flight) bool { return other == one }) })
}

// collect removes and returns the attempts with an outcome.
func (f *flights) collect(key string) []*flight {
	return f.remove(key, func(one *flight) bool { return one.landed })
}

// end cancels the attempts of a webhook that is off. Their outcomes do not count.
func (f *flights) end(key string) {
	for _, one := range f.remove(key, func(*flight) bool { return true }) {
		one.cancel()
	}
}

func (f *flights) remove(key string, is func(*flight) bool) (removed []*flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.of[key] = slices.DeleteFunc(f.of[key], func(one *flight) bool {
		if is(one) {
			removed = append(removed, one)
			return true
		}
		return false
	})
	if len(f.of[key]) == 0 {
		delete(f.of, key)
	}
	return removed
}

// underWay returns the times of the repetitions of the attempts without an outcome, by the ids of their events.
func (f *flights) underWay(key string) map[string]time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	events := map[string]time.Time{}
	for _, one := range f.of[key] {
		if !one.landed {
			events[one.delivery.EventID] = one.repeated
		}
	}
	return events
}

// first returns the time of the first repetition of an attempt without an outcome; zero without one.
func (f *flights) first(key string) (first time.Time) {
	for _, at := range f.underWay(key) {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}
