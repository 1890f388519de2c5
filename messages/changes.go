package messages

import (
	"context"
	"sync/atomic"
)

// Changes records whether a request has stored anything, or may have. A request that fails after its first stored change
// must not be answered as if nothing had been stored.
type Changes struct{ any atomic.Bool }

type changesKey struct{}

// WithChanges returns a context in which stores record their changes, and the record.
func WithChanges(ctx context.Context) (context.Context, *Changes) {
	changes := &Changes{}
	return context.WithValue(ctx, changesKey{}, changes), changes
}

// WithoutChanges returns a context whose changes are not recorded. It is for side effects that are independent of the request,
// such as counted attempts and the expiry of sessions.
func WithoutChanges(ctx context.Context) context.Context {
	return context.WithValue(ctx, changesKey{}, (*Changes)(nil))
}

// NoteChange records in the context that a change was stored, or that its outcome is unknown.
func NoteChange(ctx context.Context) {
	if changes, _ := ctx.Value(changesKey{}).(*Changes); changes != nil {
		changes.any.Store(true)
	}
}

// Any reports whether a change was recorded.
func (c *Changes) Any() bool { return c.any.Load() }
