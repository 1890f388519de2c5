// Package mail delivers what waits in the outbox: by SMTP, or into files where no
// server is set. A message leaves the outbox only when it was delivered, so it may
// arrive twice after a crash and is never lost.
package mail

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/system"
	"equity/messages"
)

// Outbox is where mail waits.
type Outbox interface {
	// Claim hands out at most limit messages that are due, to nobody else until the lease ends.
	Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]messages.Mail, error)
	// Sent settles a claimed message as delivered.
	Sent(ctx context.Context, id [16]byte, now time.Time) error
	// Failed settles a claimed message as not delivered; it is due again at next, or never when that is zero.
	Failed(ctx context.Context, id [16]byte, reason string, next time.Time) error
}

// Transport brings one message on its way.
type Transport interface {
	Send(ctx context.Context, mail messages.Mail) error
}

// Sender is told what became of mail that goes with an event.
type Sender interface {
	// Bounced tells that nobody will get the message: its recipient was refused for good. It may be told more than once.
	Bounced(ctx context.Context, mail messages.Mail) error
}

// ErrRefused is in the error of a transport whose recipient was refused for good.
var ErrRefused = errors.New("recipient refused")

// Settings are how the courier works.
type Settings struct {
	// Every is how often the outbox is looked at without being told.
	Every time.Duration
	// Now is the clock.
	Now func() time.Time
}

const (
	roundTime    = 2 * time.Minute // a round ends before its lease does
	lease        = 3 * time.Minute
	mostAtOnce   = 20
	mostAttempts = 12 // with the delays of retryAfter: about two days
	longestDelay = 6 * time.Hour
)

// Courier is the handle on the actor that empties the outbox.
type Courier struct {
	system *actor.ActorSystem
	pid    *actor.PID
}

// courier empties the outbox: one round at a time, again at once while there is
// more, and then at its next tick or when somebody knocks.
type courier struct {
	outbox    Outbox
	transport Transport
	sender    Sender
	settings  Settings
	log       *slog.Logger
	cancel    context.CancelFunc
	done      chan struct{} // closed when the round under way has ended; nil when none is
	knocked   bool
	tick      *time.Timer
}

type (
	knock struct{}
	round struct{ more bool }
)

// NewCourier starts a courier of its own actor system.
func NewCourier(outbox Outbox, transport Transport, sender Sender, settings Settings, log *slog.Logger) *Courier {
	started := system.New(log)
	props := actor.PropsFromProducer(func() actor.Actor {
		return &courier{outbox: outbox, transport: transport, sender: sender, settings: settings, log: log}
	})
	return &Courier{system: started, pid: started.Root.Spawn(props)}
}

// Knock tells the courier that there is new mail. It does not wait.
func (c *Courier) Knock() { c.system.Root.Send(c.pid, &knock{}) }

// Stop ends the courier after the message that it is delivering.
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

// deliver starts a round beside the actor, unless one is under way.
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

// rest waits for the next tick, or goes on at once when there is more to do.
func (c *courier) rest(ctx actor.Context, more bool) {
	<-c.done // the round's last act was to send this message
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

// run delivers what is due and tells whether there may be more.
func (c *courier) run(ctx context.Context) bool {
	claimed, err := c.outbox.Claim(ctx, c.settings.Now(), lease, mostAtOnce)
	if err != nil {
		if ctx.Err() == nil { // a server that stops has nothing to complain of
			c.log.Warn("outbox not read", "cause", err)
		}
		return false
	}
	for _, mail := range claimed {
		if ctx.Err() != nil {
			return false // the lease brings the rest back
		}
		c.settle(ctx, mail, c.transport.Send(ctx, mail))
	}
	return len(claimed) == mostAtOnce
}

func (c *courier) settle(ctx context.Context, mail messages.Mail, failure error) {
	ctx = context.WithoutCancel(ctx) // what was delivered must be noted even while stopping
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

// bounced gives up a message that nobody will get. Its organization is told first; where that fails, all is tried again.
func (c *courier) bounced(ctx context.Context, mail messages.Mail, failure error) error {
	next := time.Time{}
	if mail.Cause != [32]byte{} {
		if err := c.sender.Bounced(ctx, mail); err != nil {
			c.log.Warn("bounced mail not told", "attempts", mail.Attempts, "cause", err)
			next = c.settings.Now().Add(retryAfter(mail.Attempts))
		}
	}
	c.log.Warn("mail bounced", "attempts", mail.Attempts, "cause", failure)
	return c.outbox.Failed(ctx, mail.ID, failure.Error(), next)
}

// retryAfter doubles from a minute on.
func retryAfter(attempts int) time.Duration {
	return min(time.Minute<<(max(attempts, 1)-1), longestDelay)
}
