package simulation_test

import (
	"slices"
	"time"

	"equity/messages"
	"equity/organization"
)

// drain continues without faults until all clients are done and all effects are present.
func (w *world) drain() {
	for _, c := range w.clients {
		c.left = 0
	}
	if !w.until("an operation ends when the faults end", 2000, w.idle) {
		return
	}
	serves := func(n *node) bool {
		switch {
		case n.serving() == nil:
			return false
		case w.plan.Cluster:
			return w.store.lists(n.identity().ID)
		default:
			return !w.plan.Leases || w.store.lease.holder == n.number
		}
	}
	if !w.until("a node serves when the faults end", 2000, func() bool { return slices.ContainsFunc(w.servers, serves) }) {
		return
	}
	for _, id := range w.organizations {
		for _, n := range w.servers {
			if serves(n) {
				w.conclude(n, id)
			}
		}
	}
	if w.until(
		"each event has its effect when the faults end", mostDrained, func() bool { return w.missing() == "" },
	) && w.plan.Cluster && w.plan.Consumers {
		w.hasten()
	}
}

const (
	// mostDrained bounds the steps until all effects are present. Signs of life take steps too.
	mostDrained = 8000
	// soon is the time after which an event has its effect if all nodes run and no claim is left from the past.
	soon = 6 * time.Second
)

// hasten writes through each node when all claims of the past are over. The effects follow soon.
func (w *world) hasten() {
	end := time.Now().Add(messages.WakeLease + 2*w.plan.Skew)
	if !w.until("time passes when the faults end", mostDrained, func() bool { return time.Now().After(end) }) {
		return
	}
	for round := range 3 {
		for _, n := range w.servers {
			if w.conclude(n, w.organizations[round%len(w.organizations)]); w.violation != nil {
				return
			}
		}
		begin := time.Now() // a write through a node that waits for another one may take seconds
		late := func() bool { return time.Since(begin) > soon+2*w.plan.Skew }
		if !w.until("each event has its effect when the faults end", mostDrained, func() bool { return w.missing() == "" || late() }) {
			return
		}
		if late() {
			w.violate("each event has its effect soon when all nodes run", "not within %v: %s", time.Since(begin), w.missing())
			return
		}
	}
}

// until continues without faults until the condition holds.
func (w *world) until(claim string, most int, holds func() bool) bool {
	for range most {
		w.settle()
		if w.violation != nil {
			return false
		}
		if holds() {
			return true
		}
		switch {
		case w.resolve(), w.deliver():
		default:
			for i, n := range w.servers {
				if w.lapsed(n) {
					w.crash(n)
					w.start(i)
				}
			}
			w.pass(renewEvery * 2 / 3) // a holder keeps its lease
			for _, c := range w.clients {
				w.resume(c)
			}
		}
	}
	w.violate(claim, "not at %s: %s", time.Now().Format(time.DateTime), w.missing())
	return false
}

// resume repeats the operation of a client if its last attempt has failed.
func (w *world) resume(c *client) {
	if c.current == nil {
		return
	}
	if a := c.current.latest(); a.to != nil && a.to.dead.Load() {
		w.finish(a, unknown)
	}
	if c.current != nil && c.current.latest().outcome != waiting {
		w.request(c.current)
	}
}

// conclude writes and reads through a node. Afterwards it must show the end of the journal.
func (w *world) conclude(n *node, id organization.ID) {
	c := &client{number: 100 + n.number, views: map[organization.ID]*messages.View{}, server: n.server}
	w.clients = append(w.clients, c)
	c.begun = 2 * len(w.operations)
	write := &operation{client: c, number: c.begun + 1, kind: opInvite, keyed: true, organization: id}
	for _, op := range []*operation{write, {client: c, number: c.begun + 2, kind: opRead, organization: id}} {
		c.current = op
		op.pinned = true
		w.operations = append(w.operations, op)
		w.request(op)
		if !w.until("a node answers when the faults end", 1000, func() bool { return op.done }) {
			return
		}
	}
}
