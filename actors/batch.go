package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// batch contains the rows of one append and the callers that wait for it.
type batch struct {
	append  messages.Append
	waiting []waiter
	// view is published when the batch is durable.
	view *messages.View
}

// waiter is a caller and its reply once the batch is durable. Refusals and
// dry runs wait too if they were decided on state that depends on the batch.
type waiter struct {
	caller *actor.PID
	reply  any
	// recorded reports that the caller's own events are in the batch.
	recorded bool
}

// mostWaiting bounds the waiting callers. Further callers are refused at once.
const mostWaiting = 16384

// newBatch returns an empty batch with the capacity of the last one.
func newBatch(org organization.ID, last *batch) *batch {
	b := &batch{append: messages.Append{Organization: org}}
	if last != nil {
		b.append.Rows = make([]messages.Row, 0, len(last.append.Rows))
		b.waiting = make([]waiter, 0, len(last.waiting))
	}
	return b
}

func (b *batch) empty() bool { return len(b.append.Rows) == 0 }

// answer sends the outcome to all callers: the reply, or the error of the append. Refusals and
// dry runs changed nothing in either case.
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

// tell sends the answer to a waiting caller.
func tell(c actor.Context, caller *actor.PID, answer any) {
	if caller != nil {
		c.Send(caller, answer)
	}
}
