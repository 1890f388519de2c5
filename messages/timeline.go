package messages

import (
	"sync/atomic"
	"time"
)

// Timeline has the times of the steps of one command, for traces. The actor of the organization writes it until the command is answered. A
// nil Timeline is not written.
type Timeline struct {
	// Begun and Decided bound the decision, Appending and Durable the append of the batch with the command. The last two are zero
	// if no event was recorded.
	Begun, Decided, Appending, Durable time.Time

	answered atomic.Bool
}

// Begin sets the beginning of the decision.
func (t *Timeline) Begin(now func() time.Time) {
	if t != nil {
		t.Begun = now()
	}
}

// Decide sets the end of the decision.
func (t *Timeline) Decide(now func() time.Time) {
	if t != nil {
		t.Decided = now()
	}
}

// Answer ends the writes of the actor.
func (t *Timeline) Answer() {
	if t != nil {
		t.answered.Store(true)
	}
}

// Answered reports whether the actor has written its last time. Before, the times must not be read.
func (t *Timeline) Answered() bool { return t.answered.Load() }
