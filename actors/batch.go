package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// batch is what leaves for the journal at once, and who waits for it.
type batch struct {
	append  messages.Append
	waiting []waiter
	// view is published when the batch is durable.
	view *messages.View
}

// waiter is a caller and what it is told when the batch is durable. That includes
// refusals and dry runs: they were decided on state that the batch makes true.
type waiter struct {
	caller *actor.PID
	reply  any
}

// mostWaiting bounds a batch: a caller beyond it is turned away at once.
const mostWaiting = 16384

func newBatch(org organization.ID) *batch {
	return &batch{append: messages.Append{Organization: org}}
}

func (b *batch) empty() bool { return len(b.append.Rows) == 0 }

// answer tells every caller the outcome: its reply, or the error for all.
func (b *batch) answer(send func(*actor.PID, any), err error) {
	for _, w := range b.waiting {
		if err != nil {
			w.reply = &messages.Reply{Err: err}
		}
		if w.caller != nil {
			send(w.caller, w.reply)
		}
	}
	b.waiting = nil
}
