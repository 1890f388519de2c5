package hook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// The limits of an intake.
const (
	mostWaiting = 4096
	mostGroup   = 256
	groupBytes  = 4 << 20
	acceptTime  = 30 * time.Second
)

// Acceptances stores hooks.
type Acceptances interface {
	// Accept counts and stores the hooks in one transaction and returns a receipt for each.
	Accept(ctx context.Context, hooks []messages.Hook, windows []messages.CallWindow) ([]messages.HookReceipt, error)
}

// Intake stores hooks of all organizations in groups, so that many callers share one transaction. It is safe for concurrent use.
type Intake struct {
	store   Acceptances
	windows []messages.CallWindow
	wake    func(id organization.ID, name string)
	log     *slog.Logger
	queue   chan arrival
	done    chan struct{}

	mu     sync.RWMutex
	closed bool
}

// arrival is a waiting hook.
type arrival struct {
	hook messages.Hook
	done func(messages.HookReceipt, error)
}

// NewIntake starts an intake. Wake wakes the consumer of an organization; it must not block.
func NewIntake(store Acceptances, limits Limits, wake func(id organization.ID, name string), log *slog.Logger) *Intake {
	i := &Intake{
		store: store, windows: limits.Windows(), wake: wake, log: log, queue: make(chan arrival, mostWaiting), done: make(chan struct{}),
	}
	go i.run()
	return i
}

// Windows returns the limits of the hooks of an organization.
func (i *Intake) Windows() []messages.CallWindow { return i.windows }

// Accept stores the hook and calls done with the outcome, from another goroutine. It does not wait. If the queue is full, it calls done
// at once with [messages.ErrUnavailable]. Done must not block.
func (i *Intake) Accept(hook messages.Hook, done func(messages.HookReceipt, error)) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.closed {
		done(messages.HookReceipt{}, messages.ErrUnavailable)
		return
	}
	select {
	case i.queue <- arrival{hook, done}:
	default:
		done(messages.HookReceipt{}, messages.ErrUnavailable)
	}
}

// Close stores the waiting hooks and stops the intake.
func (i *Intake) Close() {
	i.mu.Lock()
	if !i.closed {
		i.closed = true
		close(i.queue)
	}
	i.mu.Unlock()
	<-i.done
}

func (i *Intake) run() {
	defer close(i.done)
	var group []arrival
	for first := range i.queue {
		group = append(group[:0], first)
		group = i.gather(group)
		i.commit(group)
		clear(group)
	}
}

// gather adds the waiting hooks, within the limits of a group.
func (i *Intake) gather(group []arrival) []arrival {
	size := sizeOf(&group[0].hook)
	for len(group) < mostGroup && size < groupBytes {
		select {
		case next, open := <-i.queue:
			if !open {
				return group
			}
			size += sizeOf(&next.hook)
			group = append(group, next)
		default:
			return group
		}
	}
	return group
}

// sizeOf returns the approximate size of a hook, in bytes.
func sizeOf(hook *messages.Hook) int {
	if hook.Agent != nil {
		return len(hook.Agent.Message)
	}
	return len(hook.Wake.Text)
}

// commit stores a group and answers its callers.
func (i *Intake) commit(group []arrival) {
	ctx, cancel := context.WithTimeout(context.Background(), acceptTime)
	defer cancel()
	receipts, err := i.accept(ctx, group)
	if err != nil && len(group) > 1 && ctx.Err() == nil { // a hook that the store refuses must not affect others
		i.log.Warn("a group of hooks was not stored", "number", len(group), "cause", err)
		for _, one := range group {
			i.commit([]arrival{one})
		}
		return
	}
	if err != nil {
		i.log.Warn("hooks not stored", "number", len(group), "cause", err)
	}
	woken := map[organization.ID]bool{}
	for n, one := range group {
		if err != nil {
			one.done(messages.HookReceipt{}, messages.ErrUnavailable)
			continue
		}
		if id := one.hook.Source().Organization; one.hook.Agent != nil && receipts[n].Stored() && !woken[id] {
			woken[id] = true
			i.wake(id, messages.HookConsumer)
		}
		one.done(receipts[n], nil)
	}
}

func (i *Intake) accept(ctx context.Context, group []arrival) ([]messages.HookReceipt, error) {
	hooks := make([]messages.Hook, len(group))
	for n := range group {
		hooks[n] = group[n].hook
	}
	return i.store.Accept(ctx, hooks, i.windows)
}
