package bench

import (
	"fmt"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// computed measures what the server computes for its reads and its decisions, without a
// server: over a company of so many holders, and how that grows with the company.
func computed(holders, rounds int) ([]row, error) {
	small, err := newGrown(holders)
	if err != nil {
		return nil, err
	}
	large, err := newGrown(holders * timesLarger)
	if err != nil {
		return nil, err
	}
	young, err := newGrown(holdersOfStartup)
	if err != nil {
		return nil, err
	}
	var t turns
	past := exact.MustDate("2024-09-01")
	asOf, now := t.take(rounds, func() error { return small.tableOn(past) }, func() error { return small.tableOn(small.today) })
	projected, solved := t.take(rounds, project, young.round)
	overMany, _ := t.take(rounds, small.round, young.round)
	rows := []row{
		ratio(fmt.Sprintf("cap table of %d holders and %d grants, of a past day against today's", holders, small.grants), "ms", "≤ 3×", asOf, now),
		{what: "1,000 grants of 48 instalments, projected", ours: median(projected), unit: "ms", reach: "≤ 50"},
		{what: "round with 50 convertibles, solved", ours: median(solved), unit: "ms", reach: "≤ 20"},
		{what: fmt.Sprintf("the same over %d holders", holders), ours: median(overMany), unit: "ms", reach: "nothing"},
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

// turns measures pieces of work in turn, and keeps the first error: what is refused is
// quick, too.
type turns struct{ err error }

// roundLasts is how long two pieces of work are done in turn for one figure of each.
const roundLasts = time.Second

// take gives the milliseconds that two pieces of work take in each round. They alternate one
// by one, so that each finds the processor's caches as the other left them: of two companies
// the one that fits into the caches would look smaller than it is.
func (t *turns) take(rounds int, first, second func() error) (ours, theirs []float64) {
	for range rounds {
		var one, other time.Duration
		times := 0
		for begin := time.Now(); time.Since(begin) < roundLasts; times++ {
			one += t.took(first)
			other += t.took(second)
		}
		ours, theirs = append(ours, milliseconds(one, times)), append(theirs, milliseconds(other, times))
	}
	return ours, theirs
}

// took gives how long a piece of work takes.
func (t *turns) took(work func() error) time.Duration {
	begin := time.Now()
	if err := work(); err != nil && t.err == nil {
		t.err = err
	}
	return time.Since(begin)
}

// milliseconds gives the mean of so many.
func milliseconds(sum time.Duration, times int) float64 {
	return float64(sum.Microseconds()) / 1000 / float64(times) //nolint:mnd // microseconds of a millisecond
}

// project projects a thousand grants.
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
