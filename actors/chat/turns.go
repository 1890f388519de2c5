package chat

import (
	"context"
	"sync"

	"equity/organization"
)

// turns lets one goroutine at a time provision a user. Other servers are not excluded: turns only spare conflicts, which some versions
// of the chat server report as failures of its own.
type turns struct {
	mu    sync.Mutex
	users map[organization.UserID]*turn
}

// turn is a lock with the number of goroutines that hold or want it.
type turn struct {
	free    chan struct{}
	waiting int
}

// take waits for the turn of the user. The caller ends it with the result.
func (t *turns) take(ctx context.Context, user organization.UserID) (end func(), err error) {
	t.mu.Lock()
	one := t.users[user]
	if one == nil {
		one = &turn{free: make(chan struct{}, 1)}
		t.users[user] = one
	}
	one.waiting++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(t.users, user)
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
