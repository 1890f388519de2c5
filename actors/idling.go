package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// idleCheck makes the actor check whether it is idle.
type idleCheck struct{ of *organizationActor }

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*idleCheck) IgnoreDeadLetterLogging() {}

// farewellEvents is the number of events since the last snapshot from which a snapshot is
// stored before the organization leaves memory, to speed up the next load.
const farewellEvents = 1000

// watch schedules the next idle check.
func (o *organizationActor) watch(c actor.Context) {
	o.tick = time.AfterFunc(o.shared.settings.PassivateAfter, o.wake(c))
}

// wake returns a function that sends the idle check.
func (o *organizationActor) wake(c actor.Context) func() {
	self, root := c.Self(), c.ActorSystem().Root
	return func() { root.Send(self, &idleCheck{of: o}) }
}

// idle asks the supervisor to end the actor after an idle time without reads and writes.
func (o *organizationActor) idle(c actor.Context, m *idleCheck) {
	if m.of != o || o.loading != nil {
		return
	}
	now, after := o.shared.settings.Now(), o.shared.settings.PassivateAfter
	o.keys.forget(o.shared.keysSince(now, o.head.at), o.head.sequence)
	last := o.active
	if read := o.shared.views.lastRead(o.id); read.After(last) {
		last = read
	}
	busy := o.flight != nil || o.bulks.current != nil || !o.batch.empty() || o.snaps.underWay()
	switch {
	case busy, now.Sub(last).Abs() < after: // the clock was set back if the time is far ahead
		o.watch(c)
	case o.snaps.due(o.published, farewellEvents):
		o.snaps.take(o.shared, o.published, o.wake(c))
	default:
		c.Send(c.Parent(), &passivate{o.id})
	}
}
