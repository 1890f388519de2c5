package assistant

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// UseStore stores the calls of tools.
type UseStore interface {
	AddUses(ctx context.Context, uses []messages.ToolUse) error
	// Uses returns the calls in an organization after the time, in their order.
	Uses(ctx context.Context, in organization.ID, since time.Time) ([]messages.ToolUse, error)
}

// Uses stores the calls of tools shortly after they happened, many at a time. A crash loses the calls of the last moment.
type Uses struct {
	store  UseStore
	log    *slog.Logger
	signal chan struct{}

	mu      sync.Mutex
	pending []messages.ToolUse
	storing sync.Mutex // held during a write
}

// NewUses returns the Uses of the store. See [Uses.Run].
func NewUses(store UseStore, log *slog.Logger) *Uses {
	return &Uses{store: store, log: log, signal: make(chan struct{}, 1)}
}

// mostPending bounds the calls that wait while the store is unavailable.
const mostPending = 10_000

// Add stores a call later. It does not block.
func (u *Uses) Add(use messages.ToolUse) {
	u.mu.Lock()
	if len(u.pending) < mostPending {
		u.pending = append(u.pending, use)
	}
	u.mu.Unlock()
	select {
	case u.signal <- struct{}{}:
	default:
	}
}

// Since returns the calls in an organization after the time, in their order, with all that were added before.
func (u *Uses) Since(ctx context.Context, in organization.ID, since time.Time) ([]messages.ToolUse, error) {
	if err := u.flush(ctx); err != nil {
		return nil, err
	}
	return u.store.Uses(ctx, in, since)
}

// Run stores the added calls until the context ends, and then the rest.
func (u *Uses) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastFlush)
			defer cancel()
			u.report(u.flush(last))
			return
		case <-u.signal:
			u.report(u.flush(ctx))
		}
	}
}

// lastFlush bounds the last write.
const lastFlush = 5 * time.Second

func (u *Uses) report(err error) {
	if err != nil {
		u.log.Warn("calls of tools were not stored", "cause", err)
	}
}

// flush stores the pending calls. After a failure they remain pending.
func (u *Uses) flush(ctx context.Context) error {
	u.storing.Lock()
	defer u.storing.Unlock()
	u.mu.Lock()
	batch := u.pending
	u.pending = nil
	u.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := u.store.AddUses(ctx, batch)
	if err != nil {
		u.mu.Lock()
		u.pending = append(batch, u.pending...)
		u.mu.Unlock()
	}
	return err
}
