package simulation_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"equity/actors"
	"equity/http/routing"
	"equity/messages"
)

// crossing is an attempt to carry out a request at another node, with the policy of the product.
type crossing struct {
	from    *node
	of      *delivery // at the node that forwards it
	number  int
	to      messages.Node
	attempt routing.Attempt
	copies  int // that have arrived
	cancels []context.CancelFunc
	result  chan crossed
}

// crossed is the end of a crossing: an answer, or an error of the link.
type crossed struct {
	given answer
	err   error
}

// end ends the crossing, unless it has ended.
func (x *crossing) end(with crossed) {
	select {
	case x.result <- with:
	default:
	}
}

func (x *crossing) label() string { return fmt.Sprintf("%s>%d", x.of.label(), x.number) }

// errUnreached is the error of a connection that was not established.
var errUnreached = errors.New("the node was not reached")

// route answers a request here, or forwards a change to the node that is asked first.
func (n *node) route(ctx context.Context, d *delivery) answer {
	m, is := n.member.(*membership)
	forwarded := d.crossing != nil && n.world.store.planted != forwardsForwarded
	if !is || !d.routed || d.reads() || forwarded {
		return n.serve(ctx, d)
	}
	if _, self := m.First(d.organization); self {
		return n.serve(ctx, d)
	}
	return n.forward(ctx, m, d)
}

// forward forwards a request.
func (n *node) forward(ctx context.Context, m *membership, d *delivery) answer {
	f := &forwarding{node: n, of: d}
	hash := sha256.Sum256([]byte(d.label()))
	request := &routing.Request{
		Organization: d.organization, Repeatable: d.isRepeatable(), Once: d.operation.number%5 == 0, Command: [16]byte(hash[:16]),
		Send: f.send, Alive: links{n}.alive,
	}
	verdict, attempt, _ := routing.Forward(ctx, m.Member, request)
	if verdict == routing.Local && f.attempts > 0 { // other requests of this node may have continued at the same time
		if err := n.ask(ctx, &access{kind: stepping, text: "answer " + d.label() + " here", when: func() bool { return n.alone == 0 }, effect: func() error {
			n.occupy(d)
			n.world.begins(d.attempt)
			return nil
		}}); err != nil {
			verdict = routing.Unchanged
			if attempt.Repeated {
				verdict = routing.Unknown
			}
		}
	}
	given := answer{from: n}
	switch verdict {
	case routing.Relayed:
		given = f.given
	case routing.Local:
		if d.executes = attempt; n.world.store.planted == renamesRepetitions {
			d.executes.Command[15]++
		}
		given = n.serve(ctx, d)
		if attempt.Repeated && result(given.err) == nothing && n.world.store.planted != hidesUncertainty {
			given.err = messages.ErrOutcomeUnknown
		}
	case routing.Unchanged:
		given.err = messages.ErrUnavailable
	case routing.Unknown:
		given.err = messages.ErrOutcomeUnknown
	}
	given.delivery, given.from, given.doubtful = d, n, attempt.Repeated && result(given.err) != nothing
	return given
}

// change carries out a command. A change with an id is checked before, like the operations of the product check its record. The check of a repetition may
// fail because an earlier attempt was executed, so that it asks for the recorded events.
func (n *node) change(ctx context.Context, organizations *actors.Organizations, d *delivery) (messages.Reply, error) {
	command := d.command(n.now())
	if d.keyed || command.IdempotencyKey == "" || command.DryRun {
		return organizations.Do(ctx, command)
	}
	view, err := organizations.View(ctx, d.organization)
	if err != nil {
		return messages.Reply{}, err
	}
	n.pause(ctx)
	if _, refusal := redecide(d.attempt, view.State, nil); refusal != nil {
		if !d.executes.Repeated || n.world.store.planted == forgetsRepetitions {
			return messages.Reply{}, refusal
		}
		command.Body = nil
		reply, err := organizations.Do(ctx, command)
		if errors.Is(err, messages.ErrNotRecorded) {
			return messages.Reply{}, refusal
		}
		return reply, err
	}
	return organizations.Do(ctx, command)
}

// occupy makes the request the one that may wait within the node.
func (n *node) occupy(d *delivery) {
	n.alone++
	d.alone = true
}

// forwarding is a request that a node forwards.
type forwarding struct {
	node     *node
	of       *delivery
	attempts int
	given    answer // of the owner
}

// send makes an attempt. The link may lose, delay and repeat both the request and the answer.
func (f *forwarding) send(ctx context.Context, to messages.Node, attempt routing.Attempt, heard func()) (routing.Outcome, error) {
	f.attempts++
	n, w := f.node, f.node.world
	if err := ctx.Err(); err != nil {
		return routing.Lost, err
	}
	x := &crossing{from: n, of: f.of, number: f.attempts, to: to, attempt: attempt, result: make(chan crossed, 1)}
	w.gate.add(&access{
		from: n, kind: linking, text: "forward " + x.label() + " to n" + to.ID, crossing: x, effect: func() error { return w.cross(x) }, //nolint:contextcheck // the receiver has its own
		answer: func(err error) {
			if err != nil {
				x.end(crossed{err: err})
			}
		},
	})
	select {
	case got := <-x.result:
		heard()
		return f.outcome(got)
	case <-ctx.Done():
		w.gate.add(&access{from: n, kind: serving, text: "cancel " + x.label() + " at n" + to.ID, effect: func() error {
			for _, cancel := range x.cancels {
				cancel()
			}
			return nil
		}, answer: func(error) {}})
		return routing.Lost, ctx.Err()
	}
}

func (f *forwarding) outcome(got crossed) (routing.Outcome, error) {
	switch {
	case errors.Is(got.err, errUnreached), got.err != nil && f.node.world.store.planted == trustsBrokenLinks:
		return routing.Unsent, got.err
	case got.err != nil:
		return routing.Lost, got.err
	}
	outcome := routing.OutcomeOf(got.given.err)
	if outcome == routing.Answered {
		f.given = got.given
		return outcome, nil
	}
	return outcome, got.given.err
}

// cross hands a forwarded request to its receiver.
func (w *world) cross(x *crossing) error {
	to := links{x.from}.find(x.to)
	if to == nil {
		return errUnreached
	}
	if x.of.crossing != nil {
		w.violate("a request is forwarded at most once", "%s by n%d", x.label(), x.from.number)
	}
	a := x.of.attempt
	if x.copies++; x.copies == 1 {
		w.begins(a)
	}
	d := &delivery{attempt: a, name: fmt.Sprintf("%s.%d", x.label(), x.copies), routed: true, crossing: x, executes: x.attempt}
	ctx, cancel := context.WithCancel(to.life)
	x.cancels = append(x.cancels, cancel)
	if w.repeats(x, x.copies) {
		to.occupy(d)
	}
	w.carryOut(ctx, to, d)
	return nil
}

// begins notes the head of the journal when the last execution of a request begins.
func (w *world) begins(a *attempt) {
	if a.outcome == waiting {
		a.head = w.store.head(a.organization)
	}
}

// returns sends the answer to a forwarded request back.
func (w *world) returns(given *answer) {
	x := given.crossing
	if given.from.dead.Load() {
		x.end(crossed{err: errCrashed})
		return
	}
	w.note("n%d answers %s: %s", given.from.number, given.label(), given.describe())
	w.accesses = append(w.accesses, &access{
		from: given.from, kind: replying, step: w.steps, text: "answer to " + given.label(), effect: func() error {
			if (links{given.from}).find(x.from.identity()) == nil {
				return errBroken
			}
			x.end(crossed{given: *given})
			return nil
		}, answer: func(err error) {
			if err != nil {
				x.end(crossed{err: err})
			}
		},
	})
}

// repeats reports whether a copy of a forwarded request may be a repetition; see [world.alone].
func (w *world) repeats(x *crossing, copies int) bool { return copies > 1 || w.alone(x.of.attempt) }

// ready reports whether the world may decide about an access. A forwarded request waits for its receiver like one of a client.
func (w *world) ready(a *access) bool {
	switch {
	case a.from.paused:
		return false
	case a.when != nil:
		return a.when()
	case a.kind != linking:
		return true
	}
	to := links{a.from}.find(a.crossing.to)
	return to == nil || !to.paused && (to.alone == 0 || !w.repeats(a.crossing, a.crossing.copies+1))
}
