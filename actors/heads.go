package actors

import (
	"context"
	"sync"

	"equity/organization"
)

// heads reads the ends of journals. Callers that arrive while a read is running share the next one, which begins after their arrival.
type heads struct {
	journal Journal
	mutex   sync.Mutex
	running map[organization.ID]*headRead
}

type headRead struct {
	done     chan struct{} // closed when the result is set
	sequence uint64
	err      error
	next     *headRead // for the callers that have arrived since the begin; guarded by the mutex
}

func newHeads(journal Journal) *heads {
	return &heads{journal: journal, running: map[organization.ID]*headRead{}}
}

// read returns the sequence of the last row; 0 without rows.
func (h *heads) read(ctx context.Context, id organization.ID) (uint64, error) {
	h.mutex.Lock()
	running := h.running[id]
	if running == nil {
		own := &headRead{done: make(chan struct{})}
		h.running[id] = own
		h.mutex.Unlock()
		h.run(ctx, id, own)
		return own.sequence, own.err
	}
	if running.next == nil {
		running.next = &headRead{done: make(chan struct{})}
	}
	shared := running.next
	h.mutex.Unlock()
	select {
	case <-shared.done:
		return shared.sequence, shared.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// run executes a read, and then starts the next one.
func (h *heads) run(ctx context.Context, id organization.ID, r *headRead) {
	r.sequence, _, r.err = h.journal.Head(ctx, id)
	h.mutex.Lock()
	next := r.next
	if next == nil {
		delete(h.running, id)
	} else {
		h.running[id] = next
	}
	h.mutex.Unlock()
	close(r.done)
	if next != nil {
		go h.run(context.WithoutCancel(ctx), id, next) // ends within the limit of the store
	}
}
