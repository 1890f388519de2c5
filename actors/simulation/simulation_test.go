package simulation_test

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// schedules is the number of schedules of a normal run.
const schedules = 200

// runner runs schedules one after the other.
type runner struct {
	*testing.T
	founding *founding
	system   *actor.ActorSystem
}

// newRunner returns a runner. An actor system is expensive, so that all nodes of all its schedules share one. Its limit of dead letters
// is short, because it has a goroutine.
func newRunner(t *testing.T) *runner {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	return &runner{t, found(), actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return log }),
		actor.WithDeadLetterRequestLogging(false), actor.WithDeadLetterThrottleInterval(time.Nanosecond),
	)}
}

// run runs a schedule, and returns its world with the violated claim, if any.
func (r *runner) run(p plan, planted mutation, verbose bool) (w *world) {
	w = newWorld(p, r.founding, r.system, planted)
	w.verbose = verbose
	defer func() {
		if reason := recover(); reason != nil { // of the bubble: a goroutine waits forever
			w.violation = cmp.Or(w.violation, &violation{"no goroutine waits forever", fmt.Sprintf("%v\n%s", reason, waitingGoroutines())})
		}
	}()
	synctest.Test(r.T, func(*testing.T) { w.run() })
	return w
}

// waitingGoroutines returns the stacks of the goroutines that are blocked in a bubble. They include those of other workers.
func waitingGoroutines() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var found []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if head, _, _ := strings.Cut(stack, "\n"); strings.Contains(head, "synctest bubble") {
			found = append(found, stack)
		}
	}
	return strings.Join(found, "\n\n")
}

// examine runs a schedule and reports a violated claim with the smallest plan that violates it.
func (r *runner) examine(p plan) {
	r.Helper()
	w := r.run(p, none, false)
	if w.violation == nil {
		return
	}
	small := r.shrink(p, none, w.violation.claim)
	again := r.run(small, none, true)
	r.Errorf("%v\nseed %d; the smallest schedule:\n%s\nrepeat it with\nSIMULATION=%s go test ./actors/simulation -run '^TestSchedule$'\n%v",
		w.violation, p.Seed, again.history.String(), small, again.violation)
}

// mostShrinks bounds the attempts to find a smaller schedule.
const mostShrinks = 300

// shrink returns a smaller plan that violates the same claim.
func (r *runner) shrink(p plan, planted mutation, claim string) plan {
	for range mostShrinks {
		found := false
		for _, next := range p.smaller() {
			if v := r.run(next, planted, false).violation; v != nil && v.claim == claim {
				p, found = next, true
				break
			}
		}
		if !found {
			return p
		}
	}
	return p
}

// number returns a number in the environment.
func number(t *testing.T, name string) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestSchedules runs many schedules: a fixed number, or new ones until both TORTURE_SECONDS and TORTURE_SCHEDULES are reached.
func TestSchedules(t *testing.T) {
	t.Parallel()
	var next, ran atomic.Uint64
	most, seconds, least := uint64(schedules), number(t, "TORTURE_SECONDS"), number(t, "TORTURE_SCHEDULES")
	if seconds > 0 {
		next.Store(uint64(time.Now().Unix()) << 20)
		most = 1 << 63
	}
	begin := sync.OnceValue(time.Now)
	t.Cleanup(func() {
		took := time.Since(begin())
		t.Logf("%d schedules in %v, %d a second", ran.Load(), took.Round(time.Second), ran.Load()*1000/uint64(max(took.Milliseconds(), 1)))
	})
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprintf("worker %d", worker+1), func(t *testing.T) {
			t.Parallel()
			r, end := newRunner(t), begin().Add(time.Duration(seconds)*time.Second)
			for !t.Failed() {
				seed := next.Add(1)
				if seed > most || seconds > 0 && time.Now().After(end) && ran.Load() >= least {
					return
				}
				r.examine(planOf(seed))
				ran.Add(1)
			}
		})
	}
}

// TestSchedule repeats the schedule in the environment.
func TestSchedule(t *testing.T) {
	t.Parallel()
	text := os.Getenv("SIMULATION")
	if text == "" {
		text = planOf(1).String()
	}
	p, err := parsePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	newRunner(t).examine(p)
}

// TestStopDuringARestart stops a node whose organization waits for a consumer before a restart.
func TestStopDuringARestart(t *testing.T) {
	t.Parallel()
	p, err := parsePlan("Seed=1882865828629653,Servers=1,Clients=4,Operations=3,Organizations=1,Steps=90,Pauses=true,Consumers=true,Leases=true," +
		"Skew=20ms,LongestWait=10ms,Passivate=10m0s,Patience=1s,StaleReads=5m0s,SnapshotEvery=1000")
	if err != nil {
		t.Fatal(err)
	}
	newRunner(t).examine(p)
}

// TestRowsOfAnotherServerBetweenBatches lets another server append between two batches that an instance of a consumer receives during its round.
func TestRowsOfAnotherServerBetweenBatches(t *testing.T) {
	t.Parallel()
	for name, plan := range map[string]string{
		"a consumer of a cluster reads the rows of another server between its batches": "Seed=917,Servers=3,Clients=4,Operations=6,Organizations=1," +
			"Steps=291,Failures=0,Losses=0,Outages=false,Pauses=true,Crashes=false,Consumers=true,Replays=true,Leases=false,Cluster=true,Forward=false," +
			"Skew=0s,LongestWait=200ms,Passivate=10m0s,Patience=10s,StaleReads=0s,SnapshotEvery=4",
		"a consumer of two servers without a cluster reads them too": "Seed=1883280590811371,Servers=2,Clients=5,Operations=4,Organizations=1," +
			"Steps=400,Failures=2,Losses=5,Outages=false,Pauses=true,Crashes=true,Consumers=true,Replays=true,Leases=false,Cluster=false,Forward=false," +
			"Skew=20ms,LongestWait=1m0s,Passivate=300ms,Patience=1s,StaleReads=0s,SnapshotEvery=15",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := parsePlan(plan)
			if err != nil {
				t.Fatal(err)
			}
			newRunner(t).examine(p)
		})
	}
}

// TestScheduleIsReproducible runs each schedule twice.
func TestScheduleIsReproducible(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	for seed := range 60 + number(t, "TORTURE_SCHEDULES")/20 {
		p := planOf(seed)
		first, second := r.run(p, none, true), r.run(p, none, true)
		if a, b := first.history.String(), second.history.String(); a != b {
			t.Fatalf("the histories of seed %d differ:\n%s", seed, difference(a, b))
		}
	}
}
