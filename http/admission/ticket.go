package admission

import "context"

// Ticket represents the slot of a request. It is safe for concurrent use.
type Ticket struct {
	queue *Queue
	flow  Flow

	// The queue's mutex guards the following fields.
	holders  int // 1 while the slot is held, minus 1 for each Release without a Resume
	ended    bool
	returned bool // no longer counted as open
}

// Leave returns the slot permanently. Further calls have no effect.
func (t *Ticket) Leave() {
	if t == nil {
		return
	}
	t.queue.mutex.Lock()
	held, open := t.holders == 1 && !t.ended, !t.returned
	t.ended, t.returned = true, true
	t.queue.mutex.Unlock()
	if held {
		t.queue.leave(t.flow)
	}
	if open {
		t.queue.open.remove(t.flow)
	}
}

// Release returns the slot until Resume. Of several calls, only the first returns the slot.
func (t *Ticket) Release() {
	t.queue.mutex.Lock()
	held := t.holders == 1 && !t.ended
	t.holders--
	t.queue.mutex.Unlock()
	if held {
		t.queue.leave(t.flow)
	}
}

// Resume takes a slot again after Release. Of several calls, only the last takes a slot. The error is that of
// [Queue.Enter]; the ticket then has no slot.
func (t *Ticket) Resume(ctx context.Context) error {
	t.queue.mutex.Lock()
	last := t.holders == 0 && !t.ended
	if !last {
		t.holders++
	}
	t.queue.mutex.Unlock()
	if !last {
		return nil
	}
	wait := t.queue.settings.Wait
	if t.queue.settings.Returning {
		wait = forever
	}
	if err := t.queue.enter(ctx, t.flow, 0, wait); err != nil {
		t.queue.mutex.Lock()
		t.ended = true
		t.queue.mutex.Unlock()
		return err
	}
	t.queue.mutex.Lock()
	t.holders++
	t.queue.mutex.Unlock()
	return nil
}

type contextKey struct{}

// NewContext returns a context that carries the ticket.
func NewContext(ctx context.Context, t *Ticket) context.Context {
	return context.WithValue(ctx, contextKey{}, t)
}

// FlowOf returns the flow of the context's ticket, or the zero Flow without a ticket.
func FlowOf(ctx context.Context) Flow {
	if t, _ := ctx.Value(contextKey{}).(*Ticket); t != nil {
		return t.flow
	}
	return Flow{}
}

// IsAlone reports whether no other request has or awaits a slot of the context's queue. It returns false without a ticket.
func IsAlone(ctx context.Context) bool {
	t, _ := ctx.Value(contextKey{}).(*Ticket)
	if t == nil {
		return false
	}
	t.queue.mutex.Lock()
	defer t.queue.mutex.Unlock()
	return t.queue.running <= 1 && t.queue.waiting.requests == 0
}

// WaitWithoutSlot calls wait without holding the slot of the context's ticket, and takes a slot again afterwards. It is intended
// for waits on the client, on another queue or on another server. It returns the error of wait, or otherwise the error
// of taking the slot.
func WaitWithoutSlot(ctx context.Context, wait func() error) error {
	t, _ := ctx.Value(contextKey{}).(*Ticket)
	if t == nil {
		return wait()
	}
	t.Release()
	err := wait()
	if failed := t.Resume(ctx); err == nil {
		err = failed
	}
	return err
}
