package actors

import "sync/atomic"

// Stats are what the actors have done since the start.
type Stats struct {
	// Live is how many organizations are in memory now.
	Live int
	// Appends counts the batches that became durable, Events what was in them and
	// Answers the callers that were answered with them: Events / Appends is the mean
	// size of a batch.
	Appends, Events, Answers uint64
	// Failures counts the batches that the journal did not confirm.
	Failures uint64
	// Restarts counts the actors that started anew, whether an append or a load had
	// failed or a command panicked.
	Restarts uint64
	// Snapshots counts the snapshots that were stored.
	Snapshots uint64
	// Damaged is the number of organizations that are refused because their journal
	// failed its checks.
	Damaged int
}

// counters are what Stats is made of. Actors add to them, anybody reads them.
type counters struct {
	appends, events, answers, failures, restarts, snapshots atomic.Uint64
}

// count notes a batch that has settled.
func (n *counters) count(b *batch, err error) {
	if err != nil {
		n.failures.Add(1)
		return
	}
	n.appends.Add(1)
	n.events.Add(uint64(len(b.append.Rows)))
	n.answers.Add(uint64(len(b.waiting)))
}

// Stats tells what the actors have done since the start. It costs next to nothing.
func (o *Organizations) Stats() Stats {
	n := o.shared.counters
	return Stats{
		Live: o.Live(), Appends: n.appends.Load(), Events: n.events.Load(), Answers: n.answers.Load(),
		Failures: n.failures.Load(), Restarts: n.restarts.Load(), Snapshots: n.snapshots.Load(),
		Damaged: o.shared.damages.count(),
	}
}
