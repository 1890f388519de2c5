package consumer

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"equity/messages"
	"equity/organization"
)

// Alarms stores the alarms of all organizations.
type Alarms interface {
	// Claim leases at most limit due alarms. No other server receives them until the lease ends.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Alarm, error)
	// ClaimEach leases the alarms of the given instances, also those that are not due, unless another server has a lease.
	ClaimEach(ctx context.Context, now time.Time, lease time.Duration, wanted []messages.Alarm) ([]messages.Alarm, error)
}

// The limits of the clock.
const (
	claimEvery = time.Second
	claimTime  = 30 * time.Second
	claimLimit = 100
)

// Clock wakes the organizations with due alarms. Each server has one.
type Clock struct {
	alarms Alarms
	wake   func(id organization.ID, name string)
	now    func() time.Time
	log    *slog.Logger
	stop   context.CancelFunc
	done   chan struct{}

	requested chan struct{} // has an element while alarms are wanted
	mutex     sync.Mutex
	wanted    map[instance]struct{} // guarded by the mutex
}

// instance identifies an alarm.
type instance struct {
	organization organization.ID
	consumer     string
}

// NewClock starts a Clock, which runs until it is stopped. Wake must not block.
func NewClock(
	ctx context.Context, alarms Alarms, wake func(id organization.ID, name string), now func() time.Time, log *slog.Logger,
) *Clock {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &Clock{
		alarms: alarms, wake: wake, now: now, log: log, stop: stop, done: make(chan struct{}),
		requested: make(chan struct{}, 1), wanted: map[instance]struct{}{},
	}
	go func() {
		defer close(c.done)
		c.run(ctx)
	}()
	return c
}

// Stop stops the Clock. Claimed alarms are due again after their lease.
func (c *Clock) Stop() {
	c.stop()
	<-c.done
}

// Request claims an alarm at once, and wakes its organization unless another server has claimed it. It does not block.
func (c *Clock) Request(id organization.ID, name string) {
	c.mutex.Lock()
	c.wanted[instance{id, name}] = struct{}{}
	c.mutex.Unlock()
	select {
	case c.requested <- struct{}{}:
	default: // it is about to claim
	}
}

// takeWanted returns the requested alarms.
func (c *Clock) takeWanted() []messages.Alarm {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	wanted := make([]messages.Alarm, 0, len(c.wanted))
	for one := range c.wanted {
		wanted = append(wanted, messages.Alarm{Organization: one.organization, Consumer: one.consumer})
	}
	clear(c.wanted)
	return wanted
}

func (c *Clock) run(ctx context.Context) {
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	for {
		for c.claim(ctx) {
			if ctx.Err() != nil {
				return
			}
		}
		for waiting := true; waiting; {
			select {
			case <-c.requested:
				c.claimWanted(ctx)
			case <-tick.C:
				waiting = false
			case <-ctx.Done():
				return
			}
		}
	}
}

// claimWanted wakes the organizations of the requested alarms. Those that are not claimed are due later.
func (c *Clock) claimWanted(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	for some := range slices.Chunk(c.takeWanted(), claimLimit) {
		claimed, err := c.alarms.ClaimEach(limited, c.now(), messages.WakeLease, some)
		if err != nil && ctx.Err() == nil {
			c.log.Warn("alarms not claimed", "cause", err)
		}
		for _, alarm := range claimed {
			c.wake(alarm.Organization, alarm.Consumer)
		}
	}
}

// claim wakes the organizations of due alarms, and reports whether more may be due.
func (c *Clock) claim(ctx context.Context) bool {
	limited, cancel := context.WithTimeout(ctx, claimTime)
	defer cancel()
	due, err := c.alarms.Claim(limited, c.now(), messages.WakeLease, claimLimit)
	if err != nil {
		if ctx.Err() == nil {
			c.log.Warn("alarms not read", "cause", err)
		}
		return false
	}
	for _, alarm := range due {
		c.wake(alarm.Organization, alarm.Consumer)
	}
	return len(due) == claimLimit
}
