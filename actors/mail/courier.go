// Package mail sends mail: by SMTP, or to files if no server is configured.
//
// [Consumer] sends the mail that events of organizations cause. [Courier] sends the messages of the outbox: mail without an
// organization, such as codes, and mail whose recipient was refused for now. Both record a message as sent after its delivery,
// so that it is delivered at least once, and twice only after a crash between both steps.
package mail

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
)

// Outbox stores pending mail.
type Outbox interface {
	// Claim leases at most limit due messages. No other courier receives them until the lease ends.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Mail, error)
	// Sent records the delivery of a claimed message.
	Sent(ctx context.Context, id [16]byte, now time.Time) error
	// Failed records a failed delivery. The message is due again at next, or never if next is zero.
	Failed(ctx context.Context, id [16]byte, reason string, next time.Time) error
}

// Transport delivers one message.
type Transport interface {
	Send(ctx context.Context, mail messages.Mail) error
}

// Sender is notified of bounced mail that was caused by an event.
type Sender interface {
	// Bounced reports that the recipient was permanently refused. It may be called more than once.
	Bounced(ctx context.Context, mail messages.Mail) error
}

var (
	// ErrRefused is wrapped by the error of a transport if the recipient was permanently refused.
	ErrRefused = errors.New("recipient refused")
	// ErrDeferred is wrapped by the error of a transport if the recipient was refused for now, so that the server can send mail
	// to others.
	ErrDeferred = errors.New("recipient deferred")
)

// Settings configure the courier.
type Settings struct {
	// Every is the interval between checks of the outbox without a notification.
	Every time.Duration
	// Now is the clock.
	Now func() time.Time
}

const (
	roundTime    = 2 * time.Minute // a round ends before its lease
	lease        = 3 * time.Minute
	mostAtOnce   = 20
	mostAttempts = 12 // about two days with the delays of retryAfter
	longestDelay = 6 * time.Hour
)

// Courier is a handle of the actor that delivers mail.
type Courier struct {
	system *actor.ActorSystem
	pid    *actor.PID
}

// courier delivers the outbox in rounds: one at a time, immediately again while messages
// are due, and then at the next tick or notification.
type courier struct {
	outbox    Outbox
	transport Transport
	sender    Sender
	settings  Settings
	log       *slog.Logger
	cancel    context.CancelFunc
	done      chan struct{} // closed at the end of the running round; nil without one
	knocked   bool
	tick      *time.Timer
}

type (
	knock struct{}
	round struct{ more bool }
)

// NewCourier starts a courier in the actor system.
func NewCourier(
	system *actor.ActorSystem, outbox Outbox, transport Transport, sender Sender, settings Settings, log *slog.Logger,
) *Courier {
	props := actor.PropsFromProducer(func() actor.Actor {
		return &courier{outbox: outbox, transport: transport, sender: sender, settings: settings, log: log}
	})
	return &Courier{system: system, pid: system.Root.Spawn(props)}
}

// Knock notifies the courier of new mail. It does not block.
func (c *Courier) Knock() { c.system.Root.Send(c.pid, &knock{}) }

// Stop stops the courier after the current message.
func (c *Courier) Stop() error { return c.system.Root.PoisonFuture(c.pid).Wait() } //nolint:forbidigo // called from outside, at the end

// Receive handles one message.
func (c *courier) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		c.deliver(ctx)
	case *knock:
		c.knocked = true
		c.deliver(ctx)
	case *round:
		c.rest(ctx, m.more)
	case *actor.Stopping:
		c.end()
	case *actor.Stopped, *actor.Restarting:
	default:
		c.log.Error("unknown message to the courier")
	}
}

// deliver starts a round in a goroutine, unless one is running.
func (c *courier) deliver(ctx actor.Context) {
	if c.done != nil {
		return
	}
	if c.tick != nil {
		c.tick.Stop()
	}
	c.knocked = false
	limit, cancel := context.WithTimeout(context.Background(), roundTime)
	done := make(chan struct{})
	c.cancel, c.done = cancel, done
	self, root := ctx.Self(), ctx.ActorSystem().Root
	go func() {
		defer close(done)
		defer cancel()
		root.Send(self, &round{more: c.run(limit)})
	}()
}

// rest waits for the next tick, or starts the next round immediately if more messages are due.
func (c *courier) rest(ctx actor.Context, more bool) {
	<-c.done // the round has ended, because it sends this message last
	c.done = nil
	if more || c.knocked {
		c.deliver(ctx)
		return
	}
	self, root := ctx.Self(), ctx.ActorSystem().Root
	c.tick = time.AfterFunc(c.settings.Every, func() { root.Send(self, &knock{}) })
}

func (c *courier) end() {
	if c.tick != nil {
		c.tick.Stop()
	}
	if c.done != nil {
		c.cancel()
		<-c.done
	}
}

// run delivers due messages and reports whether more may be due.
func (c *courier) run(ctx context.Context) bool {
	claimed, err := c.outbox.Claim(ctx, c.settings.Now(), lease, mostAtOnce)
	if err != nil {
		if ctx.Err() == nil { // cancelled by a stop
			c.log.Warn("outbox not read", "cause", err)
		}
		return false
	}
	for _, mail := range claimed {
		if ctx.Err() != nil {
			return false // the other messages are due again after the lease
		}
		c.settle(ctx, mail, c.transport.Send(ctx, mail))
	}
	return len(claimed) == mostAtOnce
}

func (c *courier) settle(ctx context.Context, mail messages.Mail, failure error) {
	ctx = context.WithoutCancel(ctx) // deliveries must be recorded even while stopping
	var err error
	switch {
	case failure == nil:
		err = c.outbox.Sent(ctx, mail.ID, c.settings.Now())
	case errors.Is(failure, ErrRefused):
		err = c.bounced(ctx, mail, failure)
	case mail.Attempts >= mostAttempts:
		c.log.Error("mail given up", "attempts", mail.Attempts, "cause", failure)
		err = c.outbox.Failed(ctx, mail.ID, failure.Error(), time.Time{})
	default:
		c.log.Warn("mail not delivered", "attempts", mail.Attempts, "cause", failure)
		err = c.outbox.Failed(ctx, mail.ID, failure.Error(), c.settings.Now().Add(retryAfter(mail.Attempts)))
	}
	if err != nil {
		c.log.Warn("mail not settled", "cause", err)
	}
}

// bounced marks an undeliverable message as failed, after notifying its organization. If the notification fails, both are retried.
func (c *courier) bounced(ctx context.Context, mail messages.Mail, failure error) error {
	next := time.Time{}
	if mail.Cause != [32]byte{} {
		if err := c.sender.Bounced(ctx, mail); err != nil {
			c.log.Warn("bounced mail not reported", "attempts", mail.Attempts, "cause", err)
			next = c.settings.Now().Add(retryAfter(mail.Attempts))
		}
	}
	c.log.Warn("mail bounced", "attempts", mail.Attempts, "cause", failure)
	return c.outbox.Failed(ctx, mail.ID, failure.Error(), next)
}

// retryAfter returns the delay before the next attempt. It starts at a minute and doubles.
func retryAfter(attempts int) time.Duration {
	return min(time.Minute<<(max(attempts, 1)-1), longestDelay)
}
