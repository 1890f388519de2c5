package actors

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"
)

// gathered wakes the actor to see whether others came to join the batch.
type gathered struct{ of *organizationActor }

// IgnoreDeadLetterLogging says that it is no news when the actor was gone by then.
func (*gathered) IgnoreDeadLetterLogging() {}

// gathering is how the actor waits for those who are about to join the batch: who was
// answered a moment ago often has more to say. Would the first of them leave alone,
// all the others would wait for its append, and again and again: 16 callers would be
// served 8 at a time.
type gathering struct {
	looks int // at the batch, since it began; 0 when nobody is waited for
	seen  int // callers in the batch at the last look
}

// mostLooks bounds for how long a batch waits while it grows. A look takes as long as
// it takes everybody who can run to run, which is nothing when there is nobody.
const mostLooks = 32

// flush sees to it that the batch leaves, with those who are about to join it.
func (o *organizationActor) flush(c actor.Context) {
	if o.flight != nil || o.batch.empty() || o.gathering.looks > 0 {
		return
	}
	o.look(c, &gathered{of: o})
}

// look lets everybody run who can, and comes back behind what they sent.
func (o *organizationActor) look(c actor.Context, m *gathered) {
	o.gathering.looks++
	o.gathering.seen = len(o.batch.waiting)
	runtime.Gosched()
	c.Send(c.Self(), m)
}

// gathered sends the batch on its way when nobody has joined it since the last look.
func (o *organizationActor) gathered(c actor.Context, m *gathered) {
	if m.of != o || o.gathering.looks == 0 {
		return // of the actor before a restart, or settled
	}
	if len(o.batch.waiting) > o.gathering.seen && o.gathering.looks < mostLooks {
		o.look(c, m)
		return
	}
	o.gathering.looks = 0
	o.dispatch(c)
}
