package properties_test

import (
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
)

// restated lists the kinds of commands with quantities and prices that scale with a split.
// Their rounding is the same before and after the split.
func restated() []string {
	return []string{
		"issue", "issue", "issue", "issue vesting", "transfer", "cancel shares", "repurchase", "convert shares", "accept shares", "legend", "valuation",
		"valuation", "grant", "grant", "grant", "grant early", "grant early", "exercise", "exercise", "release", "cancel option",
		"request exercise", "accept request",
		"decline request", "accelerate",
		"safe of a fixed price", "safe of a fixed price", "convert fixed", "convert fixed", "warrant", "warrant", "exercise warrant",
		"exercise warrant", "note",
		"restate class", "authorize", "reprice", "pool size", "leave", "accept right", "transfer right",
	}
}

// histories lists the fields that only a company with a split has, and those of recorded.
func histories() []string {
	return append(
		recorded(), "before", "splits", "authorizations", "treasuryMoves", "pastPrices", "pastConversions", "pastStrikes", "pastApprovals",
		"quotedPricePerShare", "terms", "records", "operation",
	)
}

// evenly adjusts a step so that its results need no rounding.
func evenly(s step) step {
	s.ago = 0
	switch s.kind {
	case "release", "accelerate", "exercise":
		s.other |= 1 // no net exercise, which rounds down to whole shares
	case "grant", "grant early", "reprice", "terminate":
		s.other -= s.other % 4 / 3 // no appreciation rights, which are settled net
	}
	return s
}

// alike performs a step in several companies and checks that they all accept or all refuse it.
func alike(n int, s step, companies ...*company) {
	first := companies[0]
	accepted := first.perform(n, evenly(s))
	for _, c := range companies[1:] {
		last := len(c.log)
		same := c.perform(n, evenly(s)) == accepted
		c.holds(same, "step %d, %s: accepted by %s is %t, by %s it is not: %v", n, s.kind, first.name, accepted, c.name, c.log[max(0, last-1):])
	}
}

// everyRead returns the paths of all lists and of a sample of the records.
func (c *company) everyRead() []string {
	paths := append(c.lists(), sample(c.world, c.records(), 100)...)
	for _, holder := range c.holders {
		paths = append(paths, "/v1/entity/"+holder+"/profile")
	}
	return paths
}

// A company with a split has the same reads as a company that was entered in shares after the
// split. As of a day before the split, it has the same reads as a company without the split.
func TestSplitsAreInvariantInEveryRead(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: restated(), most: 36, histories: 2, check: func(w *world, steps []step) {
		ratio := [][2]int64{{10, 1}, {3, 2}, {7, 3}, {1, 3}, {2, 5}}[w.random.IntN(5)]
		split, unsplit, entered := w.found("split", ratio[1], ratio[0]), w.found("unsplit", ratio[1], ratio[0]), w.found("entered", ratio[0], ratio[1])
		half := len(steps) / 2
		for n, s := range steps[:half] {
			alike(n, s, split, unsplit, entered)
		}
		on := split.today + 1
		split.today, unsplit.today, entered.today = on, on, on
		w.clock.set(on.Time().Add(8 * time.Hour))
		split.must("split", request{"POST", split.home + "/security/" + split.classes[0] + "/split", map[string]any{
			"numerator": exact.NewDecimal(ratio[0]).String(), "denominator": exact.NewDecimal(ratio[1]).String(), "date": on.String(),
		}, on})
		split.shares, split.prices = ratio[0], ratio[1]
		for _, day := range append(sample(w, unsplit.days(), 2), on-1) {
			split.same(unsplit, min(day, on-1), split.everyRead(), histories())
		}
		split.same(entered, on, split.everyRead(), histories())
		for n, s := range steps[half:] {
			alike(half+n, s, split, entered)
		}
		days := slices.DeleteFunc(split.days(), func(day captable.Date) bool { return day < on })
		for _, day := range append(sample(w, days, 2), split.today) {
			split.same(entered, day, split.everyRead(), histories())
		}
	}})
}
