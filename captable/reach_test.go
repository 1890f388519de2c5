package captable_test

import (
	"flag"
	"math/bits"
	"os"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// oneOf draws a number below n. Each is about equally likely, while [rapid.IntRange] and [rapid.SampledFrom] prefer the first ones.
func oneOf(draw *rapid.T, n int, label string) (number int) {
	for range bits.Len(uint(n-1)) + 2 {
		if number *= 2; rapid.Bool().Draw(draw, label) {
			number++
		}
	}
	return number % n
}

// untilReached runs the check of a property for TORTURE_SECONDS, at least once, and until the histories contained each of the kinds,
// which the check counts. With a fixed seed there is one round, because further rounds would repeat its histories.
func untilReached(t *testing.T, counts map[string]int, kinds []string, check func(*rapid.T)) {
	t.Helper()
	missing := func() (never []string) {
		for _, kind := range kinds {
			if counts[kind] == 0 {
				never = append(never, kind)
			}
		}
		return never
	}
	const historiesOfCheck, mostRounds = 8, 3
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	for round := 0; round == 0 || time.Now().Before(end) || round < mostRounds && len(missing()) > 0; round++ {
		rapid.Check(t, func(draw *rapid.T) {
			for range historiesOfCheck {
				check(draw)
			}
		})
		if t.Failed() {
			return
		}
		if flag.Lookup("rapid.seed").Value.String() != "0" {
			break
		}
	}
	t.Logf("reached: %v", counts)
	if never := missing(); len(never) > 0 {
		t.Errorf("%v were never reached; reached were %v", never, counts)
	}
}
