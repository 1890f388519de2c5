package bench

import (
	"fmt"
	"runtime"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// computed measures the computations of reads and decisions without a
// server, on a company with the given number of holders, and their growth with its size.
func computed(holders, rounds int, duration time.Duration) ([]row, error) {
	small, err := newGrown(holders, convertiblesOfTable)
	if err != nil {
		return nil, err
	}
	large, err := newGrown(holders*timesLarger, convertiblesOfTable)
	if err != nil {
		return nil, err
	}
	young, err := newGrown(holdersOfStartup, convertiblesOfTable)
	if err != nil {
		return nil, err
	}
	crowd, err := newGrown(holdersOfStartup, convertiblesOfFund)
	if err != nil {
		return nil, err
	}
	t := newTurns(duration)
	past := exact.MustDate("2024-09-01")
	asOf, now := t.take(rounds, func() error { return small.tableOn(past) }, func() error { return small.tableOn(small.today) })
	projected, solved := t.take(rounds, project, young.round)
	crowded, _ := t.take(rounds, crowd.round, young.round)
	overMany, _ := t.take(rounds, small.round, young.round)
	rows := []row{
		ratio(
			fmt.Sprintf("cap table of %d holders and %d grants, of a past day against today's", holders, small.grants), "ms", "≤ 3×", asOf,
			now,
		),
		{what: "1,000 grants of 48 instalments, projected", ours: median(projected), unit: "ms", reach: "≤ 50"},
		{what: "round with 50 convertibles, solved", ours: median(solved), unit: "ms", reach: "≤ 20"},
		{what: fmt.Sprintf("the same over %d holders", holders), ours: median(overMany), unit: "ms", reach: "nothing"},
		{what: fmt.Sprintf("round with %d convertibles, solved", convertiblesOfFund), ours: median(crowded), unit: "ms", reach: "≤ 5000"},
	}
	for _, of := range []struct {
		what string
		work func(*grown) error
	}{
		{"cap table", func(g *grown) error { return g.tableOn(g.today) }},
		{"pools", (*grown).pools},
		{"round", (*grown).round},
		{"sale", (*grown).sale},
		{"grant, decided", (*grown).granting},
		{"issue, decided", (*grown).issuing},
	} {
		more, less := t.take(rounds, func() error { return of.work(large) }, func() error { return of.work(small) })
		rows = append(rows, ratio(fmt.Sprintf("%s, with %d times the history", of.what, timesLarger), "ms", "≤ 4.5×", more, less))
	}
	return rows, t.err
}

// turns measures alternating functions and keeps the first error, because refused work would
// be fast. A round lasts at least so long, and has at least so many calls of each function.
type turns struct {
	lasts time.Duration
	calls int
	err   error
}

// A figure that is compared needs leastCalls in a round of roundLasts. A shorter measurement has one call.
const (
	roundLasts = time.Second
	leastCalls = 8
)

// newTurns returns turns for measurements of the duration.
func newTurns(duration time.Duration) turns {
	if duration < roundLasts {
		return turns{lasts: duration, calls: 1}
	}
	return turns{lasts: roundLasts, calls: leastCalls}
}

// take returns the milliseconds of two functions in each round. The calls alternate,
// so that both find the processor's caches in the same state. Otherwise a company
// that fits in the caches would seem smaller than it is. Garbage is collected before each round, so that no round pays for another one.
func (t *turns) take(rounds int, first, second func() error) (ours, theirs []float64) {
	for range rounds {
		var one, other time.Duration
		times := 0
		runtime.GC()
		for begin := time.Now(); time.Since(begin) < t.lasts || times < t.calls; times++ {
			one += t.took(first)
			other += t.took(second)
		}
		ours, theirs = append(ours, milliseconds(one, times)), append(theirs, milliseconds(other, times))
	}
	return ours, theirs
}

// took returns the duration of a function.
func (t *turns) took(work func() error) time.Duration {
	begin := time.Now()
	if err := work(); err != nil && t.err == nil {
		t.err = err
	}
	return time.Since(begin)
}

// milliseconds returns the mean duration.
func milliseconds(sum time.Duration, times int) float64 {
	return float64(sum.Microseconds()) / 1000 / float64(times) //nolint:mnd // microseconds of a millisecond
}

// project projects the vesting of a thousand grants.
func project() error {
	terms, err := monthly().Compile()
	if err != nil {
		return fmt.Errorf("compile the schedule: %w", err)
	}
	for i := range grantsProjected {
		day := exact.MustDate("2023-03-15") + captable.Date(i%365)
		_, err := vesting.Project(vesting.Award{Quantity: exact.NewDecimal(int64(4801 + i)), GrantDate: day, Start: day}, terms, nil)
		if err != nil {
			return fmt.Errorf("project a grant: %w", err)
		}
	}
	return nil
}
