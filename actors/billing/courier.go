package billing

import (
	"context"
	"log/slog"
	"time"

	"equity/organization"
)

// Assigner finds the organizations of received events.
type Assigner interface {
	// Assign finds the organizations of at most limit new events, and reports whether further events may be new.
	Assign(ctx context.Context, limit int) (assigned []organization.ID, more bool, err error)
	// Waiting returns the organizations with events that were received before the given time and not looked at since.
	Waiting(ctx context.Context, before time.Time) ([]organization.ID, error)
}

// Cursors makes consumers due.
type Cursors interface {
	// Arm makes an instance of a consumer due. Head is the end of the journal.
	Arm(ctx context.Context, id organization.ID, name string, head uint64, now time.Time) error
}

// The limits of the courier.
const (
	assignEvery = 10 * time.Second
	assignTime  = 30 * time.Second
	assignLimit = 100
	// overdue is the age of events for which an organization is woken again.
	overdue = time.Minute
)

// Waker makes the consumer of an organization due, also after a restart.
type Waker struct {
	cursors Cursors
	wake    func(id organization.ID, name string)
	now     func() time.Time
}

// NewWaker returns a Waker. Wake wakes an instance of a consumer and does not wait.
func NewWaker(cursors Cursors, wake func(id organization.ID, name string), now func() time.Time) *Waker {
	return &Waker{cursors, wake, now}
}

func (w *Waker) rouse(ctx context.Context, id organization.ID) error {
	if err := w.cursors.Arm(ctx, id, consumerName, 0, w.now()); err != nil {
		return err
	}
	w.wake(id, consumerName)
	return nil
}

// Courier assigns received events to organizations and wakes these.
type Courier struct {
	inbox  Assigner
	waker  *Waker
	log    *slog.Logger
	knocks chan struct{}
	stop   context.CancelFunc
	done   chan struct{}
}

// NewCourier returns a Courier, which runs after Start.
func NewCourier(inbox Assigner, waker *Waker, log *slog.Logger) *Courier {
	return &Courier{inbox: inbox, waker: waker, log: log, knocks: make(chan struct{}, 1), stop: func() {}, done: make(chan struct{})}
}

// Start starts the courier. It runs until it is stopped.
func (c *Courier) Start(ctx context.Context) {
	ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(c.done)
		tick := time.NewTicker(assignEvery)
		defer tick.Stop()
		for {
			if err := c.Deliver(ctx); err != nil && ctx.Err() == nil {
				c.log.Warn("billing events not assigned", "cause", err)
			}
			select {
			case <-tick.C:
			case <-c.knocks:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// Stop stops the courier.
func (c *Courier) Stop() {
	c.stop()
	<-c.done
}

// Knock reports a new event.
func (c *Courier) Knock() {
	select {
	case c.knocks <- struct{}{}:
	default: // a run follows already
	}
}

// Deliver assigns all new events, and wakes organizations with overdue ones.
func (c *Courier) Deliver(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, assignTime)
	defer cancel()
	roused := map[organization.ID]bool{}
	for more := true; more; {
		assigned, further, err := c.inbox.Assign(ctx, assignLimit)
		if err != nil {
			return err
		}
		for _, id := range assigned {
			if roused[id] {
				continue
			}
			if err := c.waker.rouse(ctx, id); err != nil {
				return err
			}
			roused[id] = !further // a later event may arrive while the organization looks at the first ones
		}
		more = further
	}
	late, err := c.inbox.Waiting(ctx, c.waker.now().Add(-overdue))
	if err != nil {
		return err
	}
	for _, id := range late {
		if !roused[id] {
			if err := c.waker.rouse(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// Kept is the time for which received events are kept.
const Kept = 30 * 24 * time.Hour
