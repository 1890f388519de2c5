package actors

import (
	"context"
	"runtime"
	"sync"

	"equity/organization"
)

// heads compares the views of this server with the ends of the journals. All readers share queries without a timer: one query is running, and
// the organizations of the readers that arrive meanwhile form the next one, which begins after their arrival.
type heads struct {
	journal Journal
	mutex   sync.Mutex
	running bool
	next    *headQuery // of the readers that have arrived since the begin of the running query; nil without any
}

// headQuery is one query for the ends of several journals. Its result is set before done is closed.
type headQuery struct {
	ids  map[organization.ID]struct{}
	done chan struct{}
	last map[organization.ID]uint64
	err  error
}

func newHeads(journal Journal) *heads { return &heads{journal: journal} }

// read returns the sequence of the last row of one journal; 0 without rows.
func (h *heads) read(ctx context.Context, id organization.ID) (uint64, error) {
	last, err := h.readAll(ctx, id)
	return last[id], err
}

// readAll returns the sequences of the last rows of the journals. Those without rows are absent. Callers must not change the result.
func (h *heads) readAll(ctx context.Context, ids ...organization.ID) (map[organization.ID]uint64, error) {
	h.mutex.Lock()
	if h.next == nil {
		h.next = &headQuery{ids: make(map[organization.ID]struct{}, len(ids)), done: make(chan struct{})}
	}
	q := h.next
	for _, id := range ids {
		q.ids[id] = struct{}{}
	}
	leads := !h.running
	h.running = true
	h.mutex.Unlock()
	if leads {
		h.run(context.WithoutCancel(ctx), q) // others may share the result; it ends within the limit of the store
		return q.last, q.err
	}
	select {
	case <-q.done:
		return q.last, q.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run executes the next query, and the one after it if readers have arrived meanwhile. Goroutines that can run do so before, so that readers who
// are about to arrive share the query: on a busy server most do, and on an idle one nobody waits.
func (h *heads) run(ctx context.Context, q *headQuery) {
	runtime.Gosched()
	h.mutex.Lock()
	h.next = nil
	h.mutex.Unlock()
	ids := make([]organization.ID, 0, len(q.ids))
	for id := range q.ids {
		ids = append(ids, id)
	}
	q.last, q.err = h.journal.Heads(ctx, ids)
	close(q.done)
	h.mutex.Lock()
	next := h.next
	h.running = next != nil
	h.mutex.Unlock()
	if next != nil {
		go h.run(ctx, next)
	}
}
