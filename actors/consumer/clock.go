package consumer

import (
	"context"
	"log/slog"
	"time"

	"equity/messages"
	"equity/organization"
)

// Alarms stores the alarms of all organizations.
type Alarms interface {
	// Claim leases at most limit due alarms. No other server receives them until the lease ends.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Alarm, error)
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
}

// NewClock starts a Clock, which runs until it is stopped. Wake must not block.
func NewClock(
	ctx context.Context, alarms Alarms, wake func(id organization.ID, name string), now func() time.Time, log *slog.Logger,
) *Clock {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	c := &Clock{alarms: alarms, wake: wake, now: now, log: log, stop: stop, done: make(chan struct{})}
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

func (c *Clock) run(ctx context.Context) {
	tick := time.NewTicker(claimEvery)
	defer tick.Stop()
	for {
		for c.claim(ctx) {
			if ctx.Err() != nil {
				return
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
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
