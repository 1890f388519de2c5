package chat

import (
	"context"
	"sync"
)

// turns lets one goroutine at a time provision a user or a team. Other servers are not excluded: turns only spare conflicts, which some versions
// of the chat server report as failures of its own.
type turns[ID comparable] struct {
	mu  sync.Mutex
	all map[ID]*turn
}

func newTurns[ID comparable]() *turns[ID] { return &turns[ID]{all: map[ID]*turn{}} }

// turn is a lock with the number of goroutines that hold or want it.
type turn struct {
	free    chan struct{}
	waiting int
}

// take waits for the turn of the user or organization. The caller ends it with the result.
func (t *turns[ID]) take(ctx context.Context, id ID) (end func(), err error) {
	t.mu.Lock()
	one := t.all[id]
	if one == nil {
		one = &turn{free: make(chan struct{}, 1)}
		t.all[id] = one
	}
	one.waiting++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(t.all, id)
		}
	}
	select {
	case one.free <- struct{}{}:
		return func() {
			<-one.free
			forget()
		}, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}
