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
	// recorded says that the caller's own events are in the journal when the batch is.
	recorded bool
}

// mostWaiting bounds how many callers wait: one beyond is turned away at once.
const mostWaiting = 16384

// newBatch makes an empty batch with as much room as the last one needed.
func newBatch(org organization.ID, last *batch) *batch {
	b := &batch{append: messages.Append{Organization: org}}
	if last != nil {
		b.append.Rows = make([]messages.Row, 0, len(last.append.Rows))
		b.waiting = make([]waiter, 0, len(last.waiting))
	}
	return b
}

func (b *batch) empty() bool { return len(b.append.Rows) == 0 }

// answer tells every caller the outcome: its reply, or why there is none. Who was
// to be told of a refusal or a dry run has changed nothing, whatever happened.
func (b *batch) answer(c actor.Context, err error) {
	for _, w := range b.waiting {
		switch {
		case err == nil:
		case w.recorded:
			w.reply = &messages.Reply{Err: outcome(err)}
		default:
			w.reply = &messages.Reply{Err: messages.ErrUnavailable}
		}
		tell(c, w.caller, w.reply)
	}
	b.waiting = nil
}

// tell sends the answer to the caller, if it waits for one.
func tell(c actor.Context, caller *actor.PID, answer any) {
	if caller != nil {
		c.Send(caller, answer)
	}
}
