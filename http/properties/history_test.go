package properties_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// step is one command of a history in numbers. A company builds a request from it. The numbers
// select among the existing records.
type step struct {
	kind             string
	who, pick, other int
	units            int64
	// later is the number of days since the previous step. Ago is the number of days by which the
	// command is back-dated.
	later, ago int
}

// failure is the text of a failed check. The check panics with it, so that a shorter history
// can be tried.
type failure string

func failf(format string, of ...any) { panic(failure(fmt.Sprintf(format, of...))) }

// property is a claim about all histories.
type property struct {
	// kinds lists the kinds of commands to draw. A kind that is listed twice is drawn twice as
	// often.
	kinds []string
	// most is the maximum number of commands.
	most int
	// histories is the number of histories in a short run.
	histories int
	check     func(w *world, steps []step)
}

// world is the environment of one history. Its log lists the requests.
type world struct {
	*engine
	tb     testing.TB
	random *rand.Rand
	counts *counts
	log    []string
}

// counts are the numbers of checks, and of accepted commands by kind, of all histories.
type counts struct {
	checks   int
	accepted map[string]int
}

// note adds a line to the log.
func (w *world) note(format string, of ...any) { w.log = append(w.log, fmt.Sprintf(format, of...)) }

// holds counts a check and fails the history if the condition is false.
func (w *world) holds(ok bool, format string, of ...any) {
	if w.counts.checks++; !ok {
		failf(format, of...)
	}
}

// draw returns the history of a seed.
func draw(p *property, seed uint64) []step {
	random := rand.New(rand.NewPCG(seed, 0))
	steps := make([]step, 3+random.IntN(p.most-2))
	for i := range steps {
		s := step{
			kind: p.kinds[random.IntN(len(p.kinds))], who: random.IntN(64), pick: random.IntN(64), other: random.IntN(64),
			units: 1 + random.Int64N(9), later: random.IntN(60),
		}
		if random.IntN(3) == 0 {
			s.units = 1 + random.Int64N(400)
		}
		if random.IntN(4) == 0 {
			s.later = 0
		}
		switch random.IntN(6) {
		case 0:
			s.ago = random.IntN(300)
		case 1:
			s.ago = random.IntN(30)
		}
		steps[i] = s
	}
	return steps
}

// attempt runs one history. It returns the failure and the log. The failure is empty if all
// checks pass.
func attempt(tb testing.TB, e *engine, p *property, seed uint64, steps []step, counted *counts) (failed string, log []string) {
	tb.Helper()
	w := &world{engine: e, tb: tb, random: rand.New(rand.NewPCG(seed, 1)), counts: counted}
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case failure:
			failed, log = string(cause), w.log
		default:
			failed, log = fmt.Sprintf("%v\n%s", cause, debug.Stack()), w.log
		}
	}()
	p.check(w, steps)
	return "", nil
}

// shortest removes steps as long as the history still fails, for at most one minute.
func shortest(tb testing.TB, e *engine, p *property, seed uint64, steps []step) (short []step, failed string, log []string) {
	tb.Helper()
	counted, end := &counts{accepted: map[string]int{}}, time.Now().Add(time.Minute)
	failed, log = attempt(tb, e, p, seed, steps, counted)
	for size := len(steps); size > 0; size /= 2 {
		for at := 0; at+size <= len(steps) && time.Now().Before(end); {
			less := append(append([]step{}, steps[:at]...), steps[at+size:]...)
			if why, lines := attempt(tb, e, p, seed, less, counted); why != "" {
				steps, failed, log = less, why, lines
			} else {
				at += size
			}
		}
	}
	return steps, failed, log
}

// number returns a number from the environment, or 0 if the variable is not set.
func number(tb testing.TB, variable string) uint64 {
	tb.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		tb.Fatalf("%s: %v", variable, err)
	}
	return n
}

// reachesAll is the number of seconds from which a run must accept each kind of command. A short run has only a few histories. A long run
// continues for up to mostRounds times its time until it has accepted each kind.
const (
	reachesAll = 240
	mostRounds = 4
)

// never returns the kinds of commands that were not accepted, if the run is long enough to accept each.
func (c *counts) never(p *property, seconds uint64) (kinds []string) {
	for _, kind := range p.kinds {
		if seconds >= reachesAll && c.accepted[kind] == 0 && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// everywhere checks the property on every engine, with a few histories, which are always the same, or
// with new ones for TORTURE_SECONDS. PROPERTY_SEED selects a single history.
func everywhere(t *testing.T, p *property) {
	t.Helper()
	seconds, seed := number(t, "TORTURE_SECONDS"), number(t, "PROPERTY_SEED")
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, factory(t))
			histories, counted, begin := 0, &counts{accepted: map[string]int{}}, time.Now()
			end, last := begin.Add(time.Duration(seconds)*time.Second), begin.Add(time.Duration(mostRounds*seconds)*time.Second)
			lasts := func() bool {
				now := time.Now()
				return histories < p.histories || now.Before(end) || now.Before(last) && len(counted.never(p, seconds)) > 0
			}
			for ; lasts(); histories++ {
				next := seed
				switch {
				case seed == 0 && seconds == 0:
					next = uint64(histories) + 1
				case seed == 0:
					next = rand.Uint64()
				}
				steps := draw(p, next)
				if failed, _ := attempt(t, e, p, next, steps, counted); failed != "" {
					report(t, e, p, next, steps, failed)
					return
				}
				if seed != 0 {
					break
				}
			}
			t.Logf("%d histories, %d checks, %s, accepted: %v", histories, counted.checks, time.Since(begin).Round(time.Millisecond), counted.accepted)
			if kinds := counted.never(p, seconds); len(kinds) > 0 && seed == 0 {
				t.Errorf("no command of these kinds was accepted: %v", kinds)
			}
		})
	}
}

// report fails the test with the shortest failing history and the command that repeats it.
func report(t *testing.T, e *engine, p *property, seed uint64, steps []step, first string) {
	t.Helper()
	short, failed, log := shortest(t, e, p, seed, steps)
	if failed == "" {
		failed = "the history fails only sometimes; the first failure was: " + first
	}
	t.Errorf("%s\n\nafter %d of %d commands:\n%s\n\nRepeat with\nPROPERTY_SEED=%d go test ./http/properties -run '%s'",
		failed, len(short), len(steps), strings.Join(log, "\n"), seed, "^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
}
