package simulation_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"equity/messages"
)

// kind determines the possible outcomes of an access.
type kind int

const (
	reading   kind = iota // a failed read has no effect
	writing               // a failed write may have been carried out, or may be carried out later
	appending             // like writing, and the error distinguishes a certain from an unknown outcome
	answering             // the answer to an append that has taken place
	serving               // a call of the outside service
	repeating             // like writing, but repeated all the time, and dropped when its caller stops waiting
	linking               // a request to another node
	replying              // the answer to it
	stepping              // a step of its own, which succeeds
	asking                // a question to another node, which has no effect
)

// access is a call of a node to the store or to the outside service. It waits until the world decides about its outcome.
type access struct {
	from   *node
	kind   kind
	text   string // identifies the access among those that began in the same step
	step   int
	effect func() error // reads or changes the store; only the world calls it
	answer func(error)
	// crossing is that of a request to another node.
	crossing *crossing
	// when reports that the world may decide about the access; nil for always.
	when func() bool
	// left reports that the caller has stopped waiting. void reports that it did so at the time of its call: it depends on the scheduler whether
	// such a call begins, so that it has no effect.
	left, void atomic.Bool
}

// isDropped reports that the access has no effect after its caller has stopped waiting.
func (a *access) isDropped() bool {
	return a.kind == reading || a.kind == repeating || a.kind == stepping || a.kind == asking
}

// fail answers an access with an unknown outcome.
func (a *access) fail(cause error) {
	if a.kind == appending || a.kind == answering {
		cause = fmt.Errorf("%w: %w", messages.ErrUnknownOutcome, cause)
	}
	a.answer(cause)
}

// gate collects the accesses that began since the last step.
type gate struct {
	mu      sync.Mutex
	arrived []*access
}

func (g *gate) add(a *access) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.arrived = append(g.arrived, a)
}

// take returns the new accesses in an order that does not depend on the scheduler.
func (g *gate) take(step int) []*access {
	g.mu.Lock()
	defer g.mu.Unlock()
	taken := slices.DeleteFunc(g.arrived, func(a *access) bool { return a.void.Load() })
	g.arrived = nil
	slices.SortStableFunc(taken, func(a, b *access) int {
		return cmp.Or(cmp.Compare(a.from.number, b.from.number), cmp.Compare(a.text, b.text))
	})
	for _, a := range taken {
		a.step = step
	}
	return taken
}

var (
	errCrashed = errors.New("the process has ended")
	errBroken  = errors.New("the connection was lost")
)

// wait performs an access, and returns when the world has decided about it or when the context ends. The effect may then still
// take place.
func (n *node) wait(ctx context.Context, kind kind, text string, effect func() error) error {
	return n.ask(ctx, &access{kind: kind, text: text, effect: effect})
}

// ask is like wait for an access without a sender.
func (n *node) ask(ctx context.Context, a *access) error {
	if n.dead.Load() {
		return errCrashed
	}
	if err := ctx.Err(); err != nil { // a select may have preferred another case
		return err
	}
	answer, began := make(chan error, 1), time.Now()
	a.from, a.answer = n, func(err error) { answer <- err }
	n.world.gate.add(a)
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		a.void.Store(time.Now().Equal(began))
		a.left.Store(true)
		return ctx.Err()
	}
}
