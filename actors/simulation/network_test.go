package simulation_test

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// call lets a client begin an operation, repeat one, or give up waiting.
func (w *world) call() bool {
	c := w.clients[w.random.IntN(len(w.clients))]
	switch op := c.current; {
	case op == nil && c.left > 0:
		c.left--
		op = w.draw(c)
		c.current = op
		w.operations = append(w.operations, op)
		w.request(op)
	case op == nil:
		return false
	case op.latest().outcome != waiting:
		w.request(op)
	case !w.healed:
		a := op.latest()
		calls, waits := 10, a.to != nil && !a.to.dead.Load()
		if w.plan.Forward { // an answer takes more events
			calls, waits = 40, true
		}
		if waits && w.random.IntN(calls) > 0 {
			return false
		}
		if a.cancel != nil && w.random.IntN(2) == 0 {
			a.cancel()
		}
		w.note("%s gives up", a.label())
		w.finish(a, unknown)
	default:
		return false
	}
	return true
}

func (o *operation) latest() *attempt { return o.attempts[len(o.attempts)-1] }

// request sends the next attempt of an operation, mostly to the server that answered last.
func (w *world) request(op *operation) {
	if op.pinned {
		w.requestAt(op, w.servers[op.client.server])
		return
	}
	others, astray := 1, 1 // of three requests, and of four
	if w.plan.Cluster {
		others, astray = 2, 3
	}
	if w.random.IntN(3) < others || op.client.server >= len(w.servers) {
		op.client.server = w.random.IntN(len(w.servers))
	}
	if w.plan.seesAll() && w.random.IntN(4) >= astray {
		if holder := w.holder(op.organization); holder != nil && !w.lapsed(holder) {
			op.client.server = holder.server
		}
	}
	w.requestAt(op, w.servers[op.client.server])
}

func (w *world) requestAt(op *operation, to *node) {
	a := &attempt{operation: op, number: len(op.attempts) + 1, called: w.steps, head: w.store.head(op.organization)}
	op.attempts = append(op.attempts, a)
	w.packets = append(w.packets, &packet{attempt: a, to: to})
	w.note("%s to n%d: %s", a.label(), to.number, op.describe())
}

// deliver delivers, repeats or loses a message.
func (w *world) deliver() bool {
	ready := 0
	for _, p := range w.packets {
		if !w.waits(p) {
			ready++
		}
	}
	if ready == 0 {
		return false
	}
	pick := w.random.IntN(ready)
	i := slices.IndexFunc(w.packets, func(p *packet) bool {
		if w.waits(p) {
			return false
		}
		pick--
		return pick < 0
	})
	p := w.packets[i]
	w.packets = slices.Delete(w.packets, i, i+1)
	troubled := !w.healed && w.random.IntN(100) < w.plan.Losses
	if p.answer != nil {
		w.respond(p, troubled)
		return true
	}
	switch {
	case p.to.dead.Load():
		w.finish(p.attempt, nothing)
	case troubled && w.random.IntN(2) == 0:
		w.note("%s is lost", p.label())
		w.finish(p.attempt, unknown)
	case troubled && (p.keyed || p.reads()):
		w.note("%s is repeated", p.label())
		p.repeated = true
		w.packets = append(w.packets, &packet{attempt: p.attempt, to: p.to})
		w.arrive(p)
	default:
		w.arrive(p)
	}
	return true
}

// waits reports whether the message has to wait for its node.
func (w *world) waits(p *packet) bool {
	if p.answer != nil {
		return p.answer.from.paused
	}
	return p.to.paused || w.alone(p.attempt) && p.to.alone > 0
}

// alone reports whether the request may have to wait within its node until it may read the past. Several such requests would continue in an order
// that the scheduler chooses. Therefore a node has one of them at a time.
func (*world) alone(a *attempt) bool {
	return a.kind == opPast || a.keyed && (a.number > 1 || a.repeated)
}

// arrive hands a request to its node. The floors are those of the call if the node was running then.
func (w *world) arrive(p *packet) {
	a, to := p.attempt, p.to
	if a.to == nil {
		a.to = to
		a.floor = to.floors[a.organization]
		if w.plan.seesAll() {
			a.floor = max(a.floor, w.floors[a.organization])
		}
	}
	w.note("n%d receives %s", to.number, a.label())
	a.deliveries++
	d := &delivery{attempt: a, name: fmt.Sprintf("%s.%d", a.label(), a.deliveries), routed: w.plan.Forward && w.random.IntN(4) > 0}
	ctx, cancel := context.WithCancel(to.life)
	a.cancel = cancel
	if w.alone(a) {
		to.occupy(d)
	}
	w.carryOut(ctx, to, d)
}

// carryOut carries out a request at the node.
func (w *world) carryOut(ctx context.Context, at *node, d *delivery) {
	begin, healed := time.Now(), w.healed
	go func() {
		given := at.route(ctx, d)
		at.resumed(d)
		given.late = healed && w.plan.Patience >= 10*time.Second && time.Since(begin) >= w.plan.Patience
		w.answers.Lock()
		defer w.answers.Unlock()
		w.answers.given = append(w.answers.given, given)
	}()
}

// respond delivers an answer to its client. The client knows the outcome of the first one only.
func (w *world) respond(p *packet, lost bool) {
	a, given := p.attempt, p.answer
	if given.late {
		w.violate("a caller is answered in time when the faults end", "%s: %s", a.label(), given.describe())
	}
	if a.outcome != waiting {
		return
	}
	if lost {
		w.note("the answer to %s is lost", a.label())
		w.finish(a, unknown)
		return
	}
	a.reply, a.view, a.err, a.to = given.reply, given.view, given.err, given.from
	w.finish(a, result(given.err))
	if a.outcome != done || a.kind == opPast {
		return
	}
	seen := given.reply.Sequence
	if a.view != nil {
		seen = a.view.Sequence
		a.client.views[a.organization] = a.view
	}
	if head := w.store.head(a.organization); seen > head {
		w.violate("an answer shows durable events only", "%s shows %d; the journal ends at %d", a.label(), seen, head)
	}
	given.from.floors[a.organization] = max(given.from.floors[a.organization], seen)
	w.floors[a.organization] = max(w.floors[a.organization], seen)
}

// mostAttempts bounds the attempts of operations without a key.
const mostAttempts = 4

// finish records the knowledge of the client, and ends the operation unless the client has to repeat it.
func (w *world) finish(a *attempt, known outcome) {
	if a.outcome != waiting {
		return // the client has given up
	}
	a.outcome, a.returned, a.upTo = known, w.steps, w.store.head(a.organization)
	op := a.operation
	w.note("%s: %s", a.label(), known)
	repeat := false
	switch {
	case known == done, known == refused:
	case op.keyed:
		repeat = true
	case known == nothing || op.reads():
		repeat = len(op.attempts) < mostAttempts
	}
	if repeat {
		return // the client repeats it later
	}
	op.done = true
	op.client.current = nil
}
