package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"equity/fault"
	"equity/http/admission"
)

// HashingSlots carries out a few password hashes at a time: each takes 64 MiB, and a flood of sign-ins must leave room
// for everything else. A slot rests after each hash for the duration of the hash, so that it uses half of a processor
// at most. Networks take turns, so that a flood from one of them does not keep others from signing in.
type HashingSlots struct {
	queue *admission.Queue
	now   func() time.Time
}

const hashPatience = 2 * time.Second // the longest wait for a slot

// NewHashingSlots returns slots for parallel hashes, or the slots of the queue if it is not nil.
func NewHashingSlots(parallel int, queue *admission.Queue, now func() time.Time) HashingSlots {
	if queue == nil {
		queue = admission.New(admission.Settings{Parallel: parallel, Wait: hashPatience, Patient: true})
	}
	return HashingSlots{queue, now}
}

// Do runs the work in a slot, which is free again when it has rested. The request holds no other slot meanwhile.
func (h HashingSlots) Do(ctx context.Context, work func() error) error {
	return admission.WaitWithoutSlot(ctx, func() error {
		ticket, err := h.queue.Enter(ctx, admission.FlowOf(ctx))
		if err != nil {
			return overloaded(err)
		}
		begin := h.now()
		defer func() { time.AfterFunc(h.now().Sub(begin), ticket.Leave) }()
		return work()
	})
}

// overloaded converts an error of the queue. A canceled request is not a failure of the server.
func overloaded(cause error) error {
	cause = fmt.Errorf("hash password: %w", cause)
	refusal, is := errors.AsType[*admission.RefusalError](cause)
	if !is {
		return cause
	}
	return &fault.FailureError{
		Refusal: fault.Refuse(fault.Unavailable, "Too many passwords are waiting to be checked. Try again later."),
		Cause:   cause, RetryAfter: refusal.RetryAfter,
	}
}
