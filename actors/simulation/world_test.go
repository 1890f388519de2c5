package simulation_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// world runs a schedule. In each step it waits until no goroutine can continue, draws one event (the outcome of an access, the delivery
// of a message, a fault, or the passing of time) and lets it happen. At most one event happens at a time, so that the scheduler has no
// influence on the history.
type world struct {
	plan    plan
	random  *rand.Rand
	system  *actor.ActorSystem
	store   *store
	gate    gate
	servers []*node // the present lives
	lives   []*node // all lives
	clients []*client
	steps   int
	healed  bool // no more faults

	accesses []*access
	ghosts   []*access // failed writes that may still take place
	packets  []*packet
	answers  struct {
		sync.Mutex
		given []answer
	}

	organizations []organization.ID
	holders       []captable.EntityID
	security      captable.SecurityID
	pool          captable.PoolRef
	operations    []*operation
	effects       []effect
	replays       []replay
	// requested and served are the numbers of the last request of work, by organization.
	requested, served map[organization.ID]int
	// floors are the sequences that any client has seen, by organization.
	floors    map[organization.ID]uint64
	violation *violation
	verbose   bool
	history   strings.Builder
}

// packet is a message between a client and a node.
type packet struct {
	*attempt
	to     *node   // of a request
	answer *answer // nil for a request
}

// violation is a broken claim.
type violation struct{ claim, detail string }

func (v *violation) Error() string { return v.claim + ": " + v.detail }

// violate records the first violation.
func (w *world) violate(claim, format string, values ...any) {
	if w.violation == nil {
		w.violation = &violation{claim, fmt.Sprintf(format, values...)}
	}
	w.note("violation: "+claim+": "+format, values...)
}

// note adds a line to the history.
func (w *world) note(format string, values ...any) {
	if w.verbose {
		fmt.Fprintf(&w.history, "%4d %s ", w.steps, time.Now().Format("15:04:05.000000000"))
		fmt.Fprintf(&w.history, format, values...)
		w.history.WriteByte('\n')
	}
}

// label returns the short name of an organization.
func (w *world) label(id organization.ID) string {
	return string(rune('A' + slices.Index(w.organizations, id)))
}

// run executes the schedule. It must be called in a bubble.
func (w *world) run() {
	for server := range w.plan.Servers {
		w.start(server)
		w.pass(time.Millisecond)
	}
	for i := range w.plan.Clients {
		w.clients = append(w.clients, &client{
			number: i + 1, left: w.plan.Operations, views: map[organization.ID]*messages.View{}, server: w.random.IntN(w.plan.Servers),
		})
	}
	for range w.plan.Steps {
		w.settle()
		if w.violation != nil || !w.act() {
			break
		}
	}
	w.heal()
	if w.violation == nil {
		w.drain()
	}
	w.end()
	if w.violation == nil {
		w.check()
	}
}

// settle lets the last event take full effect, and collects the resulting accesses and answers. Each step has a time of its own.
func (w *world) settle() {
	w.pass(time.Duration(1000 + w.random.IntN(1000)))
	w.steps++
	w.collect()
}

func (w *world) collect() {
	w.accesses = slices.DeleteFunc(w.accesses, func(a *access) bool {
		return a.left.Load() && a.isDropped()
	})
	for _, a := range w.gate.take(w.steps) {
		if a.from.dead.Load() {
			a.fail(errCrashed)
			continue
		}
		if a.kind == stepping && a.left.Load() {
			continue
		}
		w.note("n%d begins: %s", a.from.number, a.text)
		w.accesses = append(w.accesses, a)
		if x := a.crossing; x != nil { // its node is free until it answers
			w.release(x.of, a.from)
		}
	}
	w.answers.Lock()
	defer w.answers.Unlock()
	slices.SortFunc(w.answers.given, func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.from.number, b.from.number), cmp.Compare(a.label(), b.label()))
	})
	for i := range w.answers.given {
		given := w.answers.given[i]
		w.release(given.delivery, given.from)
		if given.crossing != nil {
			w.returns(&given)
			continue
		}
		given.repeated = given.repeated || given.doubtful
		if !given.from.dead.Load() {
			w.note("n%d answers %s: %s", given.from.number, given.label(), given.describe())
			w.packets = append(w.packets, &packet{attempt: given.attempt, answer: &given})
		}
	}
	w.answers.given = nil
}

// release lets the next request of the node begin.
func (*world) release(d *delivery, at *node) {
	if d.alone {
		d.alone = false
		at.alone--
	}
}

func (a *answer) describe() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.view != nil:
		return fmt.Sprintf("view of %d, stale %v", a.view.Sequence, !a.view.StaleSince.IsZero())
	default:
		return fmt.Sprintf("sequence %d, replayed %v", a.reply.Sequence, a.reply.Replayed)
	}
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// act lets one event happen, unless all clients are done.
func (w *world) act() bool {
	if w.idle() {
		return false
	}
	for {
		var acted bool
		if w.plan.Replays && w.random.IntN(25) == 0 {
			acted = w.replay()
		}
		if acted {
			return true
		}
		switch roll := w.random.IntN(100); {
		case roll < 50:
			acted = w.resolve()
		case roll < 70:
			acted = w.deliver()
		case roll < 85:
			acted = w.call()
		case roll < 93:
			acted = w.advance()
		case roll < 96:
			acted = w.haunt()
		default:
			acted = (!w.plan.Forward || w.random.IntN(3) == 0) && w.disturb()
		}
		if acted {
			return true
		}
	}
}

// idle reports whether all clients are done.
func (w *world) idle() bool {
	return !slices.ContainsFunc(w.clients, func(c *client) bool { return c.left > 0 || c.current != nil })
}

// advance lets a random time pass, mostly a short one.
func (w *world) advance() bool {
	d := time.Duration(10_000)
	for d < w.plan.LongestWait && w.random.IntN(5) > 0 {
		d *= 3
	}
	d = time.Duration(w.random.Int64N(int64(d)))
	if w.plan.seesAll() && w.random.IntN(8) == 0 { // a lease may end
		d = time.Duration(w.random.Int64N(int64(2 * (leaseTime + leaseMargin))))
	}
	w.note("%v pass", d)
	w.pass(d)
	return true
}

// resolve decides about an access.
func (w *world) resolve() bool {
	ready := 0
	for _, a := range w.accesses {
		if w.ready(a) {
			ready++
		}
	}
	if ready == 0 {
		return false
	}
	pick := w.random.IntN(ready)
	for i, a := range w.accesses {
		if !w.ready(a) {
			continue
		}
		if pick--; pick < 0 {
			w.accesses = slices.Delete(w.accesses, i, i+1)
			w.decide(a)
			return true
		}
	}
	return false
}

// decide draws the outcome of an access.
func (w *world) decide(a *access) {
	cut, failures := a.from.cut && a.kind != serving, w.plan.Failures
	if a.kind == linking || a.kind == replying || a.kind == asking {
		cut, failures = false, max(failures, w.plan.Losses)
	}
	if a.kind == stepping {
		cut, failures = false, 0
	}
	if w.healed || !cut && w.random.IntN(100) >= failures {
		if a.kind == linking && !w.healed && a.crossing.of.isRepeatable() && w.random.IntN(200) < failures {
			w.note("%s is repeated", a.text)
			a.crossing.of.repeated = true
			w.ghosts = append(w.ghosts, a)
		}
		err := a.effect()
		if w.plan.Cluster && a.kind == appending && w.random.IntN(3) == 0 {
			w.note("n%d: %s: %v, and the answer is on its way", a.from.number, a.text, err)
			w.accesses = append(w.accesses, &access{
				from: a.from, kind: answering, text: "answer to " + a.text, effect: func() error { return err }, answer: a.answer,
			})
			return
		}
		w.note("n%d: %s: %v", a.from.number, a.text, err)
		a.answer(err)
		return
	}
	roll := w.random.IntN(4)
	switch {
	case a.kind == replying:
		w.note("n%d: %s is lost", a.from.number, a.text)
	case a.kind == appending && roll == 0:
		w.note("n%d: %s is refused", a.from.number, a.text)
		a.answer(fmt.Errorf("%w: %w", messages.ErrNotStored, errBroken))
		return
	case a.kind == serving && roll == 0 && strings.HasPrefix(a.text, "send"):
		err := refusals()[w.random.IntN(2)]
		w.note("n%d: %s: %v", a.from.number, a.text, err)
		a.answer(err)
		return
	case roll <= 1:
		err := a.effect()
		w.note("n%d: %s: %v, and the answer is lost", a.from.number, a.text, err)
	case roll == 2 && a.kind != reading && a.kind != asking:
		w.ghosts = append(w.ghosts, a)
		w.note("n%d: %s is late", a.from.number, a.text)
	default:
		w.note("n%d: %s is lost", a.from.number, a.text)
	}
	a.fail(errBroken)
}

// haunt lets a failed write take place.
func (w *world) haunt() bool {
	if len(w.ghosts) == 0 {
		return false
	}
	i := w.random.IntN(len(w.ghosts))
	a := w.ghosts[i]
	if a.kind == linking && !w.ready(a) {
		return false
	}
	w.ghosts = slices.Delete(w.ghosts, i, i+1)
	w.note("n%d: %s takes place: %v", a.from.number, a.text, a.effect())
	return true
}

// result returns the outcome of an answer.
func result(err error) outcome {
	switch {
	case err == nil:
		return done
	case errors.Is(err, messages.ErrOutcomeUnknown):
		return unknown
	case errors.Is(err, messages.ErrUnavailable):
		return nothing
	default:
		return refused
	}
}
