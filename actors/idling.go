package actors

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// idleCheck wakes the actor to see whether it was idle for long.
type idleCheck struct{ of *organizationActor }

// IgnoreDeadLetterLogging says that it is no news when the actor was gone by then.
func (*idleCheck) IgnoreDeadLetterLogging() {}

// farewellEvents are how many events since the last snapshot make it worth taking
// one before the organization leaves memory, so that it comes back soon.
const farewellEvents = 1000

// watch looks again after a while whether the organization is idle.
func (o *organizationActor) watch(c actor.Context) {
	o.tick = time.AfterFunc(o.shared.settings.PassivateAfter, o.wake(c))
}

// wake gives what makes the actor check whether it is idle.
func (o *organizationActor) wake(c actor.Context) func() {
	self, root := c.Self(), c.ActorSystem().Root
	return func() { root.Send(self, &idleCheck{of: o}) }
}

// idle asks the supervisor to end the actor when nobody wrote or read for long.
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
	case busy, now.Sub(last).Abs() < after: // a moment far ahead is from a clock that was set back since
		o.watch(c)
	case o.snaps.due(o.published, farewellEvents):
		o.snaps.take(o.shared, o.published, o.wake(c))
	default:
		c.Send(c.Parent(), &passivate{o.id})
	}
}
