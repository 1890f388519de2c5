package consumer

import (
	"sync/atomic"
	"time"
)

// Stats are counts of a consumer since the start.
type Stats struct {
	// Attempts counts the calls with events, Failures those that failed, and Events the complete effects.
	Attempts, Failures, Events uint64
	// Rounds counts all calls, including those without events.
	Rounds uint64
	// Children is the current number of instances in memory.
	Children int64
	// Lag is the age of the last handled event when its effect was complete.
	Lag time.Duration
}

type counters struct {
	attempts, failures, events, rounds atomic.Uint64
	children, lag                      atomic.Int64
}

// Stats returns the counts by the name of the consumer.
func (s *Set) Stats() map[string]Stats {
	all := map[string]Stats{}
	for name, n := range s.stats {
		all[name] = Stats{
			Attempts: n.attempts.Load(), Failures: n.failures.Load(), Events: n.events.Load(), Rounds: n.rounds.Load(),
			Children: n.children.Load(), Lag: time.Duration(n.lag.Load()),
		}
	}
	return all
}

// count adds the outcome of one call.
func (n *counters) count(events []Event, out Outcome, now time.Time) {
	n.rounds.Add(1)
	if len(events) > 0 {
		n.attempts.Add(1)
	}
	if out.Err != nil || out.Failure != nil {
		n.failures.Add(1)
	}
	if out.Done > 0 {
		n.events.Add(uint64(out.Done))
		n.lag.Store(int64(max(now.Sub(events[out.Done-1].RecordedAt), 0)))
	}
}
