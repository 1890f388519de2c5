package simulation_test

import (
	"slices"
	"time"

	"equity/organization"
)

// disturb pauses, resumes, cuts off or crashes a node.
func (w *world) disturb() bool {
	n := w.servers[w.random.IntN(len(w.servers))]
	if holder := w.holder(w.organizations[0]); holder != nil && !holder.dead.Load() && w.random.IntN(2) == 0 {
		n = holder
	}
	kinds := 8
	if w.plan.Cluster {
		kinds = 12
	}
	switch roll := w.random.IntN(kinds); {
	case n.paused:
		n.paused = false
		w.note("n%d resumes", n.number)
	case n.cut:
		n.cut = false
		w.note("n%d reaches the store again", n.number)
	case n.apart && w.random.IntN(3) == 0:
		n.apart = false
		w.note("n%d reaches the other nodes again", n.number)
	case w.lapsed(n):
		w.crash(n)
		w.start(n.server)
	case roll < 4 && w.plan.Pauses:
		n.paused = true
		w.note("n%d pauses", n.number)
	case roll < 6 && w.plan.Outages:
		n.cut = true
		w.note("n%d does not reach the store", n.number)
	case roll == 6 && w.plan.Crashes:
		w.crash(n)
		w.start(n.server)
	case roll > 7 && w.random.IntN(2) == 0:
		n.stop()
		w.note("n%d leaves", n.number)
	case roll > 7:
		n.apart = true
		w.note("n%d does not reach the other nodes", n.number)
	default:
		return false
	}
	return true
}

// holder returns the node that is asked first for an organization, or that may serve it, or nil.
func (w *world) holder(id organization.ID) *node {
	switch {
	case w.plan.Cluster:
		return w.store.first(id)
	case w.plan.Leases:
		return w.lives[w.store.lease.holder]
	default:
		return nil
	}
}

// lapsed reports whether the life of the node is over, because it lost its lease.
func (w *world) lapsed(n *node) bool {
	select {
	case <-n.ended:
		return true
	default:
		return false
	}
}

// crash ends a life at once. Its accesses may take place, without an answer.
func (w *world) crash(n *node) {
	w.note("n%d crashes", n.number)
	n.dead.Store(true)
	w.accesses = slices.DeleteFunc(w.accesses, func(a *access) bool {
		if a.from != n {
			return false
		}
		if a.kind != reading && a.kind != stepping && a.kind != asking && w.random.IntN(2) == 0 {
			w.ghosts = append(w.ghosts, a)
		}
		a.fail(errCrashed)
		return true
	})
	n.stop()
	if w.plan.Cluster {
		n.endLife()
	}
}

// heal ends all faults.
func (w *world) heal() {
	w.settle() // a node may be about to end
	w.note("all faults end")
	w.healed = true
	w.ghosts = nil
	for i, n := range w.servers {
		n.paused, n.cut, n.apart = false, false, false
		if w.lapsed(n) {
			w.crash(n)
			w.start(i)
		}
	}
}

// end stops all nodes.
func (w *world) end() {
	for _, n := range w.servers {
		n.stop()
	}
	for range 5000 {
		w.settle()
		// A request that outlasts its node waits for its access of the store still.
		if len(w.accesses) == 0 && !slices.ContainsFunc(w.lives, func(n *node) bool { return !w.lapsed(n) }) {
			w.pass(time.Millisecond)
			return
		}
		switch {
		case w.resolve():
		default:
			w.pass(time.Second)
		}
	}
	w.violate("a node that is stopped ends", "after %s", time.Now().Format(time.TimeOnly))
}
