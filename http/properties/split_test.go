package properties_test

import (
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
)

// restated lists the kinds of commands whose quantities and prices follow from those of the
// split class. What they round is the same before and after the split.
func restated() []string {
	return []string{
		"issue", "issue", "issue", "issue vesting", "transfer", "cancel shares", "repurchase", "convert shares", "accept shares", "legend", "valuation",
		"valuation", "grant", "grant", "grant", "grant early", "grant early", "exercise", "exercise", "release", "cancel option", "request exercise", "accelerate",
		"safe of a fixed price", "safe of a fixed price", "convert fixed", "convert fixed", "warrant", "warrant", "exercise warrant", "exercise warrant", "note",
		"restate class", "authorize", "reprice", "pool size", "leave", "accept right", "transfer right",
	}
}

// histories are the fields that only a company with a split has.
func histories() []string {
	return append(recorded(), "before", "splits", "authorizations", "treasuryMoves", "pastPrices", "pastConversions", "pastStrikes", "pastApprovals", "quotedPricePerShare", "terms", "records", "operation")
}

// evenly makes the numbers of a step divisible, so that no vesting rounds.
func evenly(s step) step {
	s.ago = 0
	switch s.kind {
	case "release", "accelerate", "exercise":
		s.other |= 1 // no net exercise: it rounds down to whole shares
	case "grant", "grant early", "reprice", "terminate":
		s.other -= s.other % 4 / 3 // no appreciation rights, which are settled net
	}
	return s
}

// alike carries out a step in several companies, and wants it to be accepted by all or by none.
func alike(n int, s step, companies ...*company) {
	first := companies[0]
	accepted := first.perform(n, evenly(s))
	for _, c := range companies[1:] {
		last := len(c.log)
		same := c.perform(n, evenly(s)) == accepted
		c.holds(same, "step %d, %s: accepted by %s is %t, by %s it is not: %v", n, s.kind, first.name, accepted, c.name, c.log[max(0, last-1):])
	}
}

// everyRead lists all lists and some of the records.
func (c *company) everyRead() []string {
	paths := append(c.lists(), sample(c.world, c.records(), 100)...)
	for _, holder := range c.holders {
		paths = append(paths, "/v1/entity/"+holder+"/profile")
	}
	return paths
}

// A company that was split reads like one that was entered in shares of after the split.
// Before the split it reads like one without it.
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
