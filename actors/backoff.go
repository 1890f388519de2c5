package actors

import (
	"math/rand/v2"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// backoff restarts a failed organization after a delay that doubles with each
// failure within the window. After too many failures it stops the organization; the
// next command starts it again. (The library's own strategy grows linearly without a
// limit.) One value is shared, because the library keeps a process for each distinct one.
type backoff struct {
	first, longest, window time.Duration
	most                   int
	jitter                 func(below time.Duration) time.Duration
	counters               *counters
}

func newBackoff(jitter func(below time.Duration) time.Duration, counters *counters) *backoff {
	if jitter == nil {
		jitter = rand.N[time.Duration]
	}
	return &backoff{
		first: 50 * time.Millisecond, longest: 2 * time.Second, window: time.Minute, most: 6, jitter: jitter, counters: counters,
	}
}

// HandleFailure schedules the restart of the child.
func (b *backoff) HandleFailure(
	system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, _ any,
) {
	stats.Fail()
	failures := stats.NumberOfFailures(b.window)
	if failures == 1 {
		stats.Reset() // otherwise the library's list of failures grows without limit
		stats.Fail()
	}
	directive := actor.RestartDirective
	if failures > b.most {
		directive = actor.StopDirective
		supervisor.StopChildren(child)
	} else {
		b.counters.restarts.Add(1)
		wait := min(b.first<<(failures-1), b.longest)
		time.AfterFunc(wait+b.jitter(wait/4+1), func() { supervisor.RestartChildren(child) })
	}
	system.EventStream.Publish(&actor.SupervisorEvent{Child: child, Reason: reason, Directive: directive})
}
