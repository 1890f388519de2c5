package actors

import (
	"math/rand/v2"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// backoff restarts a failed organization after a delay that doubles with every
// failure within the window, and stops it after too many: the next command then
// starts it afresh. (The library's own strategy grows linearly without a limit.)
// One value is shared by all: the library keeps a process for each distinct one.
type backoff struct {
	first, longest, window time.Duration
	most                   int
}

func newBackoff() *backoff {
	return &backoff{first: 50 * time.Millisecond, longest: 2 * time.Second, window: time.Minute, most: 6}
}

// HandleFailure decides when the child runs again.
func (b *backoff) HandleFailure(
	system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, _ any,
) {
	stats.Fail()
	failures := stats.NumberOfFailures(b.window)
	if failures == 1 {
		stats.Reset() // otherwise the library's list of failures only grows
		stats.Fail()
	}
	directive := actor.RestartDirective
	if failures > b.most {
		directive = actor.StopDirective
		supervisor.StopChildren(child)
	} else {
		wait := min(b.first<<(failures-1), b.longest)
		jitter := rand.N(wait/4 + 1) //nolint:gosec // spreads restarts, guards nothing
		time.AfterFunc(wait+jitter, func() { supervisor.RestartChildren(child) })
	}
	system.EventStream.Publish(&actor.SupervisorEvent{Child: child, Reason: reason, Directive: directive})
}
