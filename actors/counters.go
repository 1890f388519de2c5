package actors

import "sync/atomic"

// Stats are counts since the start.
type Stats struct {
	// Live is the current number of organizations in memory.
	Live int
	// Appends counts the durable batches, Events their events and Answers the callers
	// answered with them. Events / Appends is the mean
	// size of a batch.
	Appends, Events, Answers uint64
	// Failures counts the failed appends.
	Failures uint64
	// Restarts counts the restarts of actors after a failed append, a failed load or a
	// panic.
	Restarts uint64
	// Snapshots counts the stored snapshots.
	Snapshots uint64
	// Damaged is the number of organizations that are refused because their journal
	// is damaged.
	Damaged int
}

// counters are the atomic counters of Stats.
type counters struct {
	appends, events, answers, failures, restarts, snapshots atomic.Uint64
}

// count adds a finished batch.
func (n *counters) count(b *batch, err error) {
	if err != nil {
		n.failures.Add(1)
		return
	}
	n.appends.Add(1)
	n.events.Add(uint64(len(b.append.Rows)))
	n.answers.Add(uint64(len(b.waiting)))
}

// Stats returns the counts since the start. It is cheap.
func (o *Organizations) Stats() Stats {
	n := o.shared.counters
	return Stats{
		Live: o.Live(), Appends: n.appends.Load(), Events: n.events.Load(), Answers: n.answers.Load(),
		Failures: n.failures.Load(), Restarts: n.restarts.Load(), Snapshots: n.snapshots.Load(),
		Damaged: o.shared.damages.count(),
	}
}
